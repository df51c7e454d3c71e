// Package verdict finds the causes of slow frames.
//
// A Finder compares a frame with the usual times of the frames before it. It follows the excess down the call tree,
// from the root to the path that explains it. The time that a cause explains is subtracted, so that the next search
// finds another cause. Then it searches elsewhere: the GPU, the states of the goroutine, other goroutines, and the
// waits of all goroutines for a processor or for locks.
package verdict
