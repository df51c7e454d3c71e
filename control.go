package iprof

import (
	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Session is the history of a program's frames, with the views that read it. Default returns the program's own.
// process.NewSession returns one for frames from elsewhere; the zero value is not ready. Any goroutine may call its
// methods.
type Session = process.Session

// Default returns the program's own session. The functions of this package that pause, show or write act on it. It also
// has the less common settings and data. Packages draw/gl, input and console use it:
//
//	View()   SetCursor SetLane SetLens SetColumns Arrange PinPath PinBaseline ShowFrame AppendReport AppendTree
//	history  SetHistory SetHistoryLimits FrameBudget SetEventDriven SetMemoryMode
//	data     AppendFrames AppendSlowest AppendTimeline FrameOf VerdictOf Dump
//
// Package process has the types that these take and return:
//
//	iprof.Default().View().SetLens(report.Lens{Kind: report.LensOver})
func Default() *Session { return process.Default() }

// SetReportMode chooses the report. It starts as report.ReportSelfTime. Like all functions that steer the view, it may
// be called from any goroutine, changes the display and no measurement, and clamps values out of range.
func SetReportMode(m report.ReportMode) {
	if Enabled {
		process.Default().View().SetReportMode(m)
	}
}

// MoveCursor moves the highlighted row down by delta rows, up if delta is negative. It stops at the first and the
// last row.
func MoveCursor(delta int) {
	if Enabled {
		process.Default().View().MoveCursor(delta)
	}
}

// Select shows the call graph of the highlighted row's zone. Without a highlighted row it does nothing.
func Select() {
	if Enabled {
		process.Default().View().Select()
	}
}

// SelectParent shows the call graph of the caller with the largest hierarchical time. Without a caller it does
// nothing.
func SelectParent() {
	if Enabled {
		process.Default().View().SelectParent()
	}
}

// MoveFrame moves through the history by delta frames: -1 is one frame older, +1 one newer. It stops at the ends.
func MoveFrame(delta int) {
	if Enabled {
		process.Default().View().MoveFrame(delta)
	}
}

// SetFrame shows the frame of an age. 0 is the newest frame, with the chosen average. 1 is the frame before it, and
// so on; these are shown as they were. Ages beyond the history show its oldest frame.
func SetFrame(age int) {
	if Enabled {
		process.Default().View().SetFrame(age)
	}
}

// SetAverage chooses how the newest frame's values are smoothed. It starts as report.AverageShort: 90 % of the weight
// in 0.8 s.
func SetAverage(a report.Average) {
	if Enabled {
		process.Default().View().SetAverage(a)
	}
}

// SetRecursion chooses how recursive zones are shown. It starts as report.RecursionFlattened:
// one row a zone.
func SetRecursion(r report.Recursion) {
	if Enabled {
		process.Default().View().SetRecursion(r)
	}
}

// Limits bound the memory that measuring may take: goroutines, distinct stacks, names, and the bytes of all that. The
// history of frames is apart: see Session.SetHistoryLimits. Fields not above 0 mean the defaults; that of Bytes is
// 64 MB.
type Limits = gather.Limits

// SetLimits bounds the memory that measuring may take. Zones beyond a limit are counted in rows such as "(other)",
// their time stays with the zone around them, and reports show a warning. The limits hold for new goroutines, stacks
// and names. gather.MemoryUsed returns the bytes in use. Any goroutine may call it.
//
//	iprof.SetLimits(iprof.Limits{Bytes: 256 << 20})
func SetLimits(l Limits) { gather.SetLimits(l) }

// SetOverheadLimit bounds what measuring costs, as a share of each goroutine's time: 0.02 is 2 %. The default, 0, is
// no limit; more than 1 is 1.
//
// While measuring costs more on a goroutine, the zones that it enters most often for the least time are demoted: each
// entry is still counted, but only some are timed, at random. The time of all entries is estimated from the timed ones.
// Demoted zones have "~" before the name, and so has the zone around them, which keeps the rest of the time.
// Record.StandardError is the standard error of an estimate. Counts and sums stay exact. When measuring has become
// cheap again, every entry is timed again.
//
// If counting alone costs more than the limit, the report says by how much it exceeds the limit. Zone.SetMuted helps
// then. docs/governor.md has the method and its accuracy; BenchmarkBegin/case=demoted measures the cost of a demoted
// zone. Any goroutine may call it.
func SetOverheadLimit(share float64) { gather.SetOverheadLimit(share) }

// Recorder writes a capture. Record returns it. Any goroutine may call its methods:
//
//	Close() error    // ends it and waits until everything is in the file
//	Err() error      // the error that ended it, such as a full disk, or nil
//	Dropped() uint64 // frames dropped because the disk was too slow
type Recorder = capture.Recorder

// Record writes each frame from now on to a new file, a capture. glviewer FILE and iprof top FILE open it. A goroutine
// of its own writes, so a slow disk never stops the program. Frames that the disk is too slow for are dropped and
// counted. If the program is killed, the file lacks only the last frame, or the last few frames if they are shorter
// than a write to the disk. If the file exists, Record returns an error and leaves the file unchanged. Any goroutine
// may call it. Cost: BenchmarkRecord in package capture.
//
//	recording, err := iprof.Record("game.iprof")
//	…
//	recording.Close()
func Record(path string) (*Recorder, error) {
	return capture.Record(process.Default(), capture.RecordOptions{Path: path})
}
