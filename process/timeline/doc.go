// Package timeline has the events of a frame in the order of time: the scopes of each lane, and the states of the
// goroutines, such as waiting for a lock.
//
// A [Reader] turns events into scopes. It copies the events of slow frames before the lanes overwrite them. A
// [Timeline] has the scopes and states of many frames on one axis, for drawing. [Waits] lays the states of a frame over
// its scopes, to get the waiting time of each zone and its reasons.
package timeline
