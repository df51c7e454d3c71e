// Package verdict finds the causes of slow frames.
//
// A Finder compares a frame with the usual times of the frames before it. It follows the excess down the call tree,
// from the root to the path that explains it. What a cause explains is subtracted, so that the next search finds
// something else. Then it looks elsewhere: at the GPU, at the states of the goroutine, at other goroutines, and at the
// waits of all for a processor or for locks.
package verdict
