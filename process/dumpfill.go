package process

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"example.com/iprof/process/totals"
)

// The limits of a Dump.
const (
	dumpFrames = 16   // trees of the slowest and of the newest frames, each
	dumpBars   = 4096 // frames of history
	dumpLayers = 24   // zones with a series
)

// dumpSource is the source of a Dump. Ages are relative to the call of fillDump.
type dumpSource interface {
	dumpTotals(o DumpOptions) totals.Sums
	dumpHistory(frames int) []FrameSummary // oldest first
	dumpSeries(frames, zones int) []Series // as many values as dumpHistory has frames
	dumpValues(frames int) []ValueSeries   // as many values as dumpHistory has frames
	dumpView(d *Dump)                      // fills Statistics and Report
	// dumpTree is of one frame, all lanes merged. It has no nodes if the frame is gone.
	dumpTree(age int, o *DumpOptions) FrameTree
	// dumpTimeline is of the frame with an index. It has at most so many scopes: all of the frame, or none.
	dumpTimeline(index uint64, scopes int) FrameTimeline
	dumpVerdict() Verdict   // on the slowest frame
	dumpMarks() []FrameMark // oldest first
}

// fillDump returns a Dump of s. Only strings are shared with s.
func fillDump(s dumpSource, o DumpOptions, now time.Time) *Dump {
	t := s.dumpTotals(o)
	d := &Dump{
		Program: filepath.Base(os.Args[0]), Time: now, GoVersion: runtime.Version(), Machine: machine(),
		RunTime: t.RunTime, CPU: t.CPU, Overhead: t.Overhead, TicksPerSecond: t.TicksPerSecond, Clock: t.Clock,
		Frames: t.Frames, Budget: t.Budget, Warnings: t.Warnings,
		Zones: t.Zones, Merged: t.Merged, Totals: t.Totals, Recursion: t.Recursion,
		Lanes: t.Lanes, LaneCount: max(t.LaneCount, len(t.Lanes)),
	}
	if o.Arguments {
		d.Arguments = append([]string{}, os.Args[1:]...)
	}
	for i := range t.Totals {
		d.Calls += uint64(t.Totals[i].Count)
	}
	if o.NoHistory {
		d.Values = s.dumpValues(0)
		return d
	}
	d.Verdict, d.Marks = s.dumpVerdict(), s.dumpMarks()
	d.History = s.dumpHistory(dumpBars)
	d.Values = s.dumpValues(len(d.History))
	d.Series = s.dumpSeries(len(d.History), dumpLayers)
	s.dumpView(d)
	if !o.NoFrames {
		fillFrames(d, s, &o)
	}
	return d
}

// fillFrames adds the trees of chosen frames.
func fillFrames(d *Dump, s dumpSource, o *DumpOptions) {
	n := dumpFrames
	if o.AllFrames {
		n = -1
	}
	for _, age := range PickFrames(d.History, n) {
		if t := s.dumpTree(age, o); len(t.Nodes) > 0 {
			t.Index = d.History[len(d.History)-1-age].Index
			d.FrameTrees = append(d.FrameTrees, t)
		}
	}
	if o.Scopes > 0 {
		fillTimelines(d, s, o.Scopes)
	}
}

// machine describes the machine.
func machine() string {
	return fmt.Sprintf("%s/%s, %d cores", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}
