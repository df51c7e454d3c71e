package process

import "example.com/iprof/platform"

// LaneGoroutine is a goroutine of a lane, and the time from the first to the last frame that mentions it.
type LaneGoroutine struct {
	Lane       LaneID
	Goroutine  uint64 // the runtime's number, above 0
	Begin, End platform.Ticks
}
