package process

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"time"

	"example.com/iprof/process/internal/totals"
	"example.com/iprof/process/report"
)

// Dump returns all measurements since start or Reset as plain data. It includes open zones and the unfinished frame,
// and leaves out paused time. It changes no measurement. After a Reset during the Dump, the trees of the remaining
// frames are missing. It needs memory for each stack of each goroutine, tens of MB for a million stacks, for a moment:
// see BenchmarkDumpOfAMillionStacks. Any goroutine may call it.
func (s *Session) Dump(o report.DumpOptions) *report.Dump { return s.View().Dump(o) }

// Dump is Session.Dump with the report of the view. Any goroutine may call it.
func (v *View) Dump(o report.DumpOptions) *report.Dump {
	v.lock()
	defer v.unlock()
	from := dumpOf(v)
	d := fillDump(from, o, time.Now())
	if !o.NoHistory {
		d.Spawns = from.spawnTimes()
	}
	if o.Locks || !o.NoHistory {
		d.LockWaits, d.Traced = v.store.LockWaits(), v.store.States.Traced
	}
	d.Survey, d.Allocated = v.session.sources.surveyed(), v.session.sources.Allocated
	if s := d.Survey.Growing(); s != nil {
		text := []byte("goroutines only become more: ")
		d.Warnings = append(d.Warnings, string(s.AppendGrowth(text, func(name string) string { return name })))
	}
	v.session.sources.Program.Describe(d)
	return d
}

// dumpOf returns the source of a Dump of this moment.
func dumpOf(v *View) *dumped { return &dumped{v.session, v, v.store.Past.Next, v.store.Totals.Epoch} }

func (d *dumped) dumpView(to *report.Dump) {
	d.view.store.Listens()
	to.Statistics, to.Report = d.view.store.DumpStatistics(), d.view.rows.DumpReport()
	slow, seen, now := d.view.store.SlowOnes()
	to.SlowCalls, to.SlowSeen, to.Now = slices.Clone(slow), seen, now
}

// dumped is a view of a locked session as a source of Dumps.
type dumped struct {
	session *Session
	view    *View
	next    uint64 // Ring.Next at the beginning of the Dump
	epoch   uint64 // Tally.Epoch at the beginning of the Dump
}

func (d *dumped) dumpTotals(o report.DumpOptions) totals.Sums {
	t := d.sums(o)
	for i := range t.Totals { // few zones have it, and only in a sampled program
		z := &t.Totals[i]
		z.Waited = d.view.store.Waited[z.Zone] * z.Self
	}
	return t
}

func (d *dumped) sums(o report.DumpOptions) (t totals.Sums) {
	s := d.session
	r, f, frames := s.sums.read()
	t = r.Sums(s.store.Sums(), f, o)
	t.Kind, t.Frames, t.Budget = s.store.Kind, frames, report.BudgetShown(s.store.Budget)
	i := report.FrameInfo{}
	if !o.NoTrees { // else no view: the averages of a view need memory for each path
		i = d.view.rows.Info(&d.view.rows.View, d.view.rows.FrameOf(&d.view.rows.View))
	} else if p := s.store.Past.Age(0); p != nil && p.LengthMS > 0 {
		i.Overhead = min(1, p.CostMS/p.LengthMS)
	}
	i.Frames = max(i.Frames, 1) // sums need no finished frame: leave out the warning
	t.Warnings, t.Clock = d.view.rows.AppendWarnings(nil, &i, nil), s.store.Clock.Clock
	return t
}

func (d *dumped) dumpHistory(frames int) []report.FrameSummary {
	return d.view.store.AppendFrames(nil, frames)
}

func (d *dumped) dumpSeries(frames, zones int) []report.Series {
	return d.view.rows.AppendTopSeries(nil, frames, zones, nil, -1)
}

// dumpTree unlocks the session for a moment before each tree, because there may be hundreds of trees and Update waits
// for the lock. Frames that end meanwhile increase the ages of the others. A frame that has left the history has no
// tree.
func (d *dumped) dumpTree(age int, o *report.DumpOptions) (t report.FrameTree) {
	s := d.session
	s.mu.Unlock()
	s.mu.Lock()
	if s.store.Totals.Epoch != d.epoch { // Reset
		return t
	}
	v := report.View{Age: age + int(s.store.Past.Next-d.next), Average: report.AverageInstant}
	p := d.view.rows.Load(&v)
	if p == nil || p.Lost || len(s.store.Tree.Paths) == 0 {
		return t
	}
	if f := s.store.Finder(); f.Explain(&t.Verdict, p) {
		t.Parts = f.AppendParts(nil, &t.Verdict, p)
	}
	t.Picture = s.store.Picture(p.Index)
	least, memory := d.view.rows.MinClass(o.NodeLimit())
	t.Nodes = d.view.rows.AppendBranch(memory, least)
	return t
}

func (d *dumped) dumpVerdict() (v report.Verdict) {
	d.session.verdictOnSlowest(&v)
	return v
}

// The limits of a Dump.
const (
	dumpFrames = 16   // trees of the slowest and of the newest frames, each
	dumpBars   = 4096 // frames of history
	dumpLayers = 24   // zones with a series
)

// dumpSource is the source of a Dump. Ages are relative to the call of fillDump.
type dumpSource interface {
	dumpTotals(o report.DumpOptions) totals.Sums
	dumpHistory(frames int) []report.FrameSummary // oldest first
	dumpSeries(frames, zones int) []report.Series // as many values as dumpHistory has frames
	dumpValues(frames int) []report.ValueSeries   // as many values as dumpHistory has frames
	dumpView(d *report.Dump)                      // fills Statistics, Report and slow calls
	// dumpTree returns the tree of one frame, all lanes merged. It has no nodes if the frame is gone.
	dumpTree(age int, o *report.DumpOptions) report.FrameTree
	// dumpTimeline returns the timeline of the frame with an index. It has all scopes of the frame, or none if they are
	// more than scopes.
	dumpTimeline(index uint64, scopes int) report.FrameTimeline
	dumpVerdict() report.Verdict   // on the slowest frame
	dumpMarks() []report.FrameMark // oldest first
	dumpSections() []report.Section
}

// fillDump returns a Dump of s. Only strings are shared with s.
func fillDump(s dumpSource, o report.DumpOptions, now time.Time) *report.Dump {
	t := s.dumpTotals(o)
	d := &report.Dump{
		Program: filepath.Base(os.Args[0]), Time: now, GoVersion: runtime.Version(), Machine: machine(),
		RunTime: t.RunTime, CPU: t.CPU, TicksPerSecond: t.TicksPerSecond, Clock: t.Clock,
		Overhead: t.Overhead, OverheadLow: t.OverheadLow, OverheadHigh: t.OverheadHigh,
		Frames: t.Frames, Kind: t.Kind, Budget: t.Budget, Warnings: t.Warnings,
		Zones: t.Zones, Merged: t.Merged, Totals: t.Totals, Recursion: t.Recursion,
		Lanes: t.Lanes, LaneCount: max(t.LaneCount, len(t.Lanes)), Severals: t.Severals,
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
	d.Verdict, d.Marks, d.Sections = s.dumpVerdict(), s.dumpMarks(), s.dumpSections()
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
func fillFrames(d *report.Dump, s dumpSource, o *report.DumpOptions) {
	for _, age := range agesOf(d.History, o) {
		if t := s.dumpTree(age, o); len(t.Nodes) > 0 {
			t.Index = d.History[len(d.History)-1-age].Index
			d.FrameTrees = append(d.FrameTrees, t)
		}
	}
	if o.Scopes > 0 {
		fillTimelines(d, s, o.Scopes)
	}
}

// agesOf returns the ages of the frames whose trees are wanted, oldest first.
func agesOf(history []report.FrameSummary, o *report.DumpOptions) []int {
	switch {
	case o.Frames != nil:
		all := report.PickFrames(history, -1)
		return slices.DeleteFunc(all, func(age int) bool {
			return !slices.Contains(o.Frames, history[len(history)-1-age].Index)
		})
	case o.AllFrames:
		return report.PickFrames(history, -1)
	}
	return report.PickFrames(history, dumpFrames)
}

// machine describes the machine.
func machine() string {
	return fmt.Sprintf("%s/%s, %d cores", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}

// fillTimelines adds the timelines of the frames with trees, the most important frames first.
func fillTimelines(d *report.Dump, s dumpSource, scopes int) {
	for _, i := range d.ByImportance() {
		f := &d.FrameTrees[i]
		f.Timeline = s.dumpTimeline(f.Index, scopes)
		for l := range f.Timeline.Lanes {
			scopes -= len(f.Timeline.Lanes[l].Scopes)
		}
	}
}

// dumpTimeline unlocks the session for a moment: see dumpTree.
func (d *dumped) dumpTimeline(index uint64, scopes int) (t report.FrameTimeline) {
	s := d.session
	s.mu.Unlock()
	s.mu.Lock()
	if s.store.Totals.Epoch == d.epoch {
		t = s.store.Reader().Dump(index, scopes)
	}
	return t
}

// spawnTimes returns the go statements with their times.
func (d *dumped) spawnTimes() []report.SpawnTimes {
	if d.session.sources.Spawns == nil {
		return nil
	}
	spawns := d.session.sources.Spawns()
	if len(spawns) == 0 {
		return nil
	}
	list := report.TimesOfSpawns(fillDump(d, report.DumpOptions{NoHistory: true, AllLanes: true}, time.Now()), spawns)
	sort.SliceStable(list, func(i, k int) bool { return list[i].Spawned > list[k].Spawned })
	return list
}
