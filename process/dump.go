package process

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/report"
	"example.com/iprof/process/totals"
)

// Dump returns all measurements since start or Reset as plain data. It includes open zones and the unfinished frame,
// and leaves out paused time. It changes no measurement. After a Reset during the Dump, the trees of the remaining
// frames are missing. It needs memory for each stack of each goroutine, tens of MB for a million stacks, for a moment:
// see BenchmarkDumpOfAMillionStacks. Any goroutine may call it.
func (s *Session) Dump(o report.DumpOptions) *report.Dump {
	s.lock()
	defer s.mu.Unlock()
	from := dumpOf(s)
	d := fillDump(from, o, time.Now())
	if !o.NoHistory {
		d.Forks = from.forks()
	}
	s.program.Describe(d)
	return d
}

// dumpOf returns the source of a Dump of this moment.
func dumpOf(s *Session) *dumped { return &dumped{s, s.data.Past.Next, s.data.Totals.Epoch} }

func (d *dumped) dumpView(to *report.Dump) {
	d.data.Listens()
	to.Statistics, to.Report = d.data.DumpStatistics(), d.data.DumpReport()
	slow, seen, now := d.data.SlowOnes()
	to.SlowCalls, to.SlowSeen, to.Now = slices.Clone(slow), seen, now
}

// AppendTotals appends the merged tree of all measurements since start or Reset, in the form of AppendTree. Any
// goroutine may call it.
func (s *Session) AppendTotals(dst []report.TreeNode) []report.TreeNode {
	s.lock()
	defer s.mu.Unlock()
	return s.data.appendTotals(dst)
}

func (s *intake) appendTotals(dst []report.TreeNode) []report.TreeNode {
	if !s.isLive() && s.Sums().Empty() && len(s.waiting()) == 0 {
		return dst // a panel asks for it each time that it is drawn
	}
	r, f, _ := s.read()
	return append(dst, r.Sums(s.Sums(), f, report.DumpOptions{NoLanes: true}).Merged...)
}

// dumped is a locked Session as a source of Dumps.
type dumped struct {
	*Session
	next  uint64 // Ring.Next at the beginning of the Dump
	epoch uint64 // Tally.Epoch at the beginning of the Dump
}

func (d *dumped) dumpTotals(o report.DumpOptions) totals.Sums {
	t := d.sums(o)
	for i := range t.Totals { // few zones have it, and only in a sampled program
		z := &t.Totals[i]
		z.Waited = d.data.Waited[z.Zone] * z.Self
	}
	return t
}

func (d *dumped) sums(o report.DumpOptions) (t totals.Sums) {
	s := d.Session
	r, f, frames := s.data.read()
	t = r.Sums(s.data.Sums(), f, o)
	t.Frames, t.Budget = frames, report.BudgetShown(s.data.Budget)
	i := report.FrameInfo{}
	if !o.NoTrees { // else no view: the averages of a view need memory for each path
		i = s.data.Info(&s.data.View, s.data.Past.Age(s.data.View.Age))
	} else if p := s.data.Past.Age(0); p != nil && p.LengthMS > 0 {
		i.Overhead = min(1, p.CostMS/p.LengthMS)
	}
	i.Frames = max(i.Frames, 1) // sums need no finished frame: leave out the warning
	t.Warnings, t.Clock = s.data.AppendWarnings(nil, &i, nil), s.data.Clock.Clock
	return t
}

// isLive reports whether a frame of the session is in progress.
func (s *intake) isLive() bool { return s.Running() && !s.Paused }

// read reads the frames that the totals do not have: the frame in progress, lane by lane, and those that wait. It
// returns the zones and the clock in f, and the number of finished frames. It fills s.Peek, but for the lanes.
func (s *intake) read() (r *totals.Reading, f *gather.Frame, frames uint64) {
	r, f, frames = new(totals.Reading), &gather.Frame{TicksPerSecond: 1e9}, s.Past.Next
	if s.isLive() {
		measure.PeekEach(&s.Peek, func(l *gather.LaneFrame) { r.AddLane(&s.Peek, l, false) })
		s.learn(&s.Peek)
		r.AddFrame(&s.Peek)
		f.TicksPerSecond, frames = s.Peek.TicksPerSecond, s.Past.Next
	} else if p := s.Past.Age(0); p != nil {
		f.TicksPerSecond = 1000 / p.PerTick
	}
	for _, w := range s.waiting() {
		for i := range w.Lanes {
			r.AddLane(&w.Frame, &w.Lanes[i], true)
		}
		if s.Paused {
			s.learn(&w.Frame)
		}
		r.AddFrame(&w.Frame)
		if f.TicksPerSecond = w.TicksPerSecond; !w.cut {
			frames++
		}
	}
	f.Zones = s.Zones
	return r, f, frames
}

// waiting returns the frames that the totals do not have yet. In a live session they ended before the frame in s.Peek
// began.
func (s *intake) waiting() (list []*waitingFrame) {
	s.front.mu.Lock()
	defer s.front.mu.Unlock()
	for _, w := range s.front.frames.list {
		if !w.paused && w.Origin == s.Origin && (s.Paused || w.Index < s.Peek.Index) {
			list = append(list, w)
		}
	}
	return list
}

// unfinished returns the frames that a Dump includes but the totals do not: those that wait, and at last the frame in
// progress, in s.Peek, if there is one.
func (s *intake) unfinished() (list []*gather.Frame) {
	for _, w := range s.waiting() {
		list = append(list, &w.Frame)
	}
	if s.isLive() {
		list = append(list, &s.Peek)
	}
	return list
}

func (d *dumped) dumpHistory(frames int) []report.FrameSummary {
	return d.Session.data.AppendFrames(nil, frames)
}

func (d *dumped) dumpSeries(frames, zones int) []report.Series {
	return d.Session.data.AppendTopSeries(nil, frames, zones, nil, -1)
}

// dumpTree unlocks the session for a moment before each tree, because there may be hundreds of trees and Update waits
// for the lock. Frames that end meanwhile increase the ages of the others. A frame that has left the history has no
// tree.
func (d *dumped) dumpTree(age int, o *report.DumpOptions) (t report.FrameTree) {
	s := d.Session
	s.mu.Unlock()
	s.mu.Lock()
	if s.data.Totals.Epoch != d.epoch { // Reset
		return t
	}
	v := report.View{Age: age + int(s.data.Past.Next-d.next), Average: report.AverageInstant}
	p := s.data.Load(&v)
	if p == nil || p.Lost || len(s.data.Tree.Paths) == 0 {
		return t
	}
	if f := s.data.Finder(); f.Explain(&t.Verdict, p) {
		t.Parts = f.AppendParts(nil, &t.Verdict, p)
	}
	t.Picture = s.data.Picture(p.Index)
	least, memory := s.data.MinClass(o.NodeLimit())
	t.Nodes = s.data.AppendBranch(memory, least)
	return t
}

func (d *dumped) dumpVerdict() (v report.Verdict) {
	if slow := d.Session.data.Slow.Frames; len(slow) > 0 {
		d.data.Finder().Explain(&v, &slow[0])
	}
	return v
}

// LaneTotals fills dst. Any goroutine may call it.
func (s *Session) LaneTotals(dst *totals.LaneTotals) {
	s.lock()
	defer s.mu.Unlock()
	r, f, _ := s.data.read()
	r.Lanes(s.data.Sums(), f, dst)
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
		Frames: t.Frames, Budget: t.Budget, Warnings: t.Warnings,
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
	s := d.Session
	s.mu.Unlock()
	s.mu.Lock()
	if s.data.Totals.Epoch == d.epoch {
		t = s.data.Reader().Dump(index, scopes)
	}
	return t
}

// SetProgram names the program that the session's frames come from. Package capture calls it for sessions that
// WriteFrame feeds with the frames of a capture or of another program. The zero value stands for the running program.
// Any goroutine may call it.
func (s *Session) SetProgram(p report.Program) {
	s.change()
	defer s.mu.Unlock()
	s.program = p
}

// SetSpawns sets a function that returns the program's go statements, for Dump.Forks: see package auto. The function
// must not call the session. The default is nil: no go statements. Any goroutine may call SetSpawns, and the session
// calls the function on any.
func (s *Session) SetSpawns(spawns func() []report.Spawn) {
	s.change()
	defer s.mu.Unlock()
	s.spawns = spawns
}

// Forks returns the go statements of SetSpawns with their times, the most Forked first. It computes Dump.Forks without
// the rest of a Dump. Any goroutine may call it.
func (s *Session) Forks() []report.Fork {
	s.lock()
	defer s.mu.Unlock()
	return dumpOf(s).forks()
}

func (d *dumped) forks() []report.Fork {
	if d.spawns == nil {
		return nil
	}
	spawns := d.spawns()
	if len(spawns) == 0 {
		return nil
	}
	list := report.Forks(fillDump(d, report.DumpOptions{NoHistory: true, AllLanes: true}, time.Now()), spawns)
	slices.SortStableFunc(list, func(a, b report.Fork) int { return cmp.Compare(b.Forked, a.Forked) })
	return list
}
