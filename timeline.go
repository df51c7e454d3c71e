package iprof

import "example.com/iprof/process"

// TimelineScope is one entry of a zone: when in the frame it began and ended, in ms, on which lane and how deep.
type TimelineScope = process.TimelineScope

// AppendTimeline appends every scope of a finished frame in the order of time: lane is Lane.ID, 0 for all lanes,
// process.OwnLane for the calling goroutine's; age 0 is the newest frame. It has what SetEvents still keeps of it, and while
// paused what was kept when that began. Any goroutine may call it; no zone waits for it.
//
//	for _, s := range iprof.AppendTimeline(nil, process.OwnLane, 0) { … }
func AppendTimeline(dst []TimelineScope, lane uint64, age int) []TimelineScope {
	return process.Default().AppendTimeline(dst, lane, age)
}
