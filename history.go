package iprof

import (
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// SetLens makes every report one of many frames: of all in the history, those over or within budget, the slowest so many, or
// a range. It then shows means per frame over them, and statistics of them. The zero Lens is off.
//
//	iprof.SetLens(process.Lens{Kind: process.LensOver})
func SetLens(l process.Lens) { process.Default().SetLens(l) }

// SetColumns chooses the columns of reports as text, in WriteText, Command and Terminal: quantiles, extremes, single calls.
// None: the usual three. The window's table has its own choice.
//
//	iprof.SetColumns(process.ColumnHier, process.ColumnP50, process.ColumnP99, process.ColumnEverMax)
func SetColumns(columns ...process.Column) { process.Default().SetColumns(columns...) }

// SetHistoryLimits bounds the history by frames, by age and by bytes, and how many of the slowest frames are kept beyond it.
// What is zero has its default; see process.HistoryLimits.
func SetHistoryLimits(l process.HistoryLimits) { process.Default().SetHistoryLimits(l) }

// AppendSlowest appends the frames that were busy longest since start or Reset, the slowest first. ShowFrame shows one.
func AppendSlowest(dst []process.FrameSummary) []process.FrameSummary {
	return process.Default().AppendSlowest(dst)
}

// ShowFrame shows the frame of an index, from the history or the slowest that are kept, and reports whether it is there.
func ShowFrame(index uint64) bool { return process.Default().ShowFrame(index) }

// FrameOf fills dst with what a lane did in a finished frame: lane is Lane.ID, 0 for all merged, process.OwnLane for the
// calling goroutine's; age 0 is the newest. It reports whether there is such a frame. dst's memory is used again.
func FrameOf(dst *process.PastFrame, lane uint64, age int) bool {
	return process.Default().FrameOf(dst, lane, age)
}

// SetEvents keeps, of each lane, the begin and end of its newest scopes: so many events, at most 1<<20, rounded up to a power
// of two, 16 bytes each; 0 keeps none, which is the default. While they are kept, columns of single calls have values. See
// BenchmarkEvents in package gather for what it costs.
func SetEvents(events int) { gather.SetEvents(events) }

// AppendEvents appends a lane's events between two times on the clock of package platform, both included, oldest first, as far
// as they are still kept.
func AppendEvents(dst []gather.Event, lane uint64, begin, end platform.Ticks) []gather.Event {
	return gather.AppendEvents(dst, lane, begin, end)
}

// AppendCalls appends histograms of how long single calls took: of zones that gather.Zone.SetPerCall was called for, and of
// others while SetEvents keeps events. It reuses the memory of dst's elements.
func AppendCalls(dst []gather.Calls) []gather.Calls { return gather.AppendCalls(dst) }
