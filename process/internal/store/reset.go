package store

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/totals"
	"example.com/iprof/process/internal/verdict"
	"example.com/iprof/process/timeline"
)

// Measured has all data that Reset forgets.
type Measured struct {
	Past     history.Ring
	Numbers  history.Numbers
	Live     history.Smoother // all lanes merged
	digested uint64           // next frame for live and the series
	spare    history.Spare
	Totals   totals.Tally
	Whole    *Whole // has averages over all frames; nil: averages come from the history
	Own      history.OwnSeries
	Stats    history.Statistics
	Kinds    history.ChargeKinds
	Windows  history.Windows // of the history, sorted
	Marks    history.Marks   // of the history
	States   history.States
	Calls    history.Calls     // of single calls
	Slowly   history.SlowCalls // slow single calls
	Slow     history.Slowest   // the slowest frames
	Bounds   history.Bounds    // of the history
	Rate     history.Rate
	Hold     history.LengthHold
	causes   verdict.Finder // of slow frames
	Overview history.Overview
	lates    *lateCauses // of the overview
	pace     [3]uint64   // numbers of frames: see paceAll
}

// UndoSeconds is the time in which UndoReset can undo a Reset, in seconds of frames. It bounds the time with two
// histories in memory.
const UndoSeconds = 60

// aside has the data that the last Reset put aside.
type aside struct {
	Measured
	Kept   bool            // the data can be brought back
	Bytes  int             // memory of the data, about
	Until  float64         // on the clock of the current history
	Events timeline.Copies // of slow frames
	Births []uint64        // of paths
}

// DropAside forgets the data that the last Reset put aside.
func (s *Store) DropAside() {
	s.Aside.Events.Forget()
	s.Aside = aside{}
}

// KeepSettings copies the settings of the data just put aside to the new measurements, and gives them new version
// numbers.
func (s *Store) KeepSettings() {
	o := &s.Aside.Measured
	s.Totals.Replace(&o.Totals)
	s.Marks.Count, s.States.Changes = max(s.Marks.Count, o.Marks.Count), o.States.Changes+1
	s.Bounds.Seconds, s.Bounds.Bytes = o.Bounds.Seconds, o.Bounds.Bytes
	if s.Past.Want != o.Past.Want || s.Past.WantFull != o.Past.WantFull {
		s.Resize(o.Past.Want, o.Past.WantFull)
	}
	s.Keep(o.Slow.Most)
}

// DropOldAside drops data that was put aside too long ago, or that does not fit beside the memory for measuring. What
// undo keeps counts in the limit of gather.SetLimits, and goes first.
func (s *Store) DropOldAside() {
	if !s.Aside.Kept {
		return
	}
	used := gather.MemoryUsed()
	if s.Past.Clock > s.Aside.Until || s.Running() && used.Total()+int64(s.Aside.Bytes) > used.Limit {
		s.DropAside()
	}
}

// Memory returns the memory of the data, about.
func (m *Measured) Memory() int {
	return m.Past.Memory() + m.Past.Bytes + m.Numbers.Bytes() + m.Own.Bytes() + m.Stats.Memory() + m.Totals.Memory()
}

// Take moves a value.
func Take[T any](to, from *T) {
	var none T
	*to, *from = *from, none
}
