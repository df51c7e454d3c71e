package store

import (
	"time"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/internal/totals"
	"example.com/iprof/process/report"
)

// Whole has the sums of all frames of a recording, or of the frames that a lens chooses, and their paths in the store.
type Whole struct {
	*totals.Whole
	paths     []int32
	places    []int32 // by path of the store: 1 + its path in the sums, or 0
	Warning   string  // gives the number of frames of the statistics
	full      *Whole  // the same sums with statistics: see Statistics
	requested bool    // full was requested
	lenses    [2]lensSums
}

// lensSums has the sums of the frames that a lens chooses, or of the other frames.
type lensSums struct {
	_      history.Incomparable
	made   bool
	of     report.Lens
	budget time.Duration
	sums   *Whole // nil if they cannot be read, or if there is no such frame
	err    error  // of reading
}

// SetWhole takes over the sums of all frames: see process.HistoryLimits. A store with all frames does not need them.
func (s *Store) SetWhole(w *totals.Whole) {
	if s.Whole = nil; w == nil || s.Past.Next == 0 || len(w.Zones()) > len(s.Zones) ||
		w.Frames <= uint64(s.Past.Length()) && s.Bounds.Lost <= s.Past.First() {
		return
	}
	s.Whole = s.adopt(w)
}

// adopt finds the paths of sums.
func (s *Store) adopt(w *totals.Whole) *Whole {
	o := &Whole{Whole: w}
	for i := range w.Tree().Paths {
		p, parent := &w.Tree().Paths[i], int32(-1)
		if p.Parent >= 0 {
			parent = o.paths[p.Parent]
		}
		o.paths = append(o.paths, s.Tree.Child(parent, p.Zone, p.Same >= 0, s.Past.Next-1))
		s.Tree.SetIdle(o.paths[i], s.Zones)
	}
	o.places = make([]int32, len(s.Tree.Paths))
	for i, path := range o.paths {
		o.places[path] = int32(i) + 1
	}
	s.Kinds.Merge(w.Kinds())
	return o
}

// WholeFor returns the sums for a lens, or nil if the lens uses the history. The frames of a new lens are read.
func (s *Store) WholeFor(l report.Lens) *Whole {
	switch {
	case s.Whole == nil || l.Kind == report.LensOff || l.Undisturbed:
		return nil
	case l.Kind == report.LensAll:
		return s.Whole
	}
	return s.lensSums(l, false)
}

// Statistics returns the sums for a lens with statistics, or nil if the lens uses the history.
func (s *Store) Statistics(l report.Lens) *Whole {
	w := s.WholeFor(l)
	if w == nil || w.HasStatistics() {
		return w
	}
	if !w.requested && w.Chosen != nil {
		if sums, err := w.Chosen.Sum(l, 0, false); err == nil {
			w.full = s.adopt(sums)
		}
	}
	w.requested = true
	return w.full
}

// FillHistory sets the columns of the history of a record. It reports false if its path is not known.
func (w *Whole) FillHistory(out *report.Record, zone report.ZoneID, path int32, want report.ColumnSet) bool {
	if path >= 0 {
		if int(path) >= len(w.places) || w.places[path] == 0 {
			return false
		}
		path = w.places[path] - 1
	}
	return w.Whole.FillHistory(out, zone, path, want)
}

// lensSums returns the sums of the frames that a lens chooses, or of the other frames.
func (s *Store) lensSums(l report.Lens, others bool) *Whole {
	if s.Whole.Chosen == nil {
		return nil
	}
	c := &s.Whole.lenses[0]
	if others {
		c = &s.Whole.lenses[1]
	}
	if c.made && c.of == l && c.budget == s.Budget {
		return c.sums
	}
	sums, err := s.Whole.Chosen.Sum(l, report.OverFactor*s.Budget.Seconds()*1000, others)
	*c = lensSums{made: true, of: l, budget: s.Budget, err: err}
	if err == nil && sums.Frames > 0 {
		c.sums = s.adopt(sums)
	}
	return c.sums
}

// Unread returns why the frames of the last lens could not be read, nil if they were.
func (s *Store) Unread(l report.Lens) error {
	if s.Whole == nil || s.Whole.lenses[0].of != l {
		return nil
	}
	return s.Whole.lenses[0].err
}

// Behind returns the number of frames of a recording that are newer than the history.
func (s *Store) Behind() uint64 {
	if s.Whole == nil || s.Whole.Source == nil {
		return 0
	}
	return s.Whole.Source.Frames() - min(s.Past.Next, s.Whole.Source.Frames())
}

// Page forgets the frames of the history, so that the history begins with another frame of the recording. It returns
// the sums over all frames: pass them to Paged when the history has frames again.
func (s *Store) Page(first uint64) (known Measured) {
	known = s.Measured
	past, bounds := &known.Past, known.Bounds
	s.Measured = Measured{Calls: known.Calls, Bounds: history.Bounds{Seconds: bounds.Seconds, Bytes: bounds.Bytes}}
	s.Past.Want, s.Past.WantFull = past.Want, past.WantFull
	s.Past.Start(first)
	s.digested, s.Bounds.Lost = first, first
	s.Marks.Count, s.States.Changes = known.Marks.Count, known.States.Changes+1
	s.Lengths, s.Gen = history.Lengths{}, s.Gen+1
	return known
}

// Paged ends Page. The frames of the history are not counted again in sums over all frames.
func (s *Store) Paged(known *Measured) {
	s.Digest()
	s.Totals = known.Totals
	s.Slow = known.Slow
	s.Stats = known.Stats
	s.Whole = known.Whole
	s.Overview = known.Overview
	s.Kinds.Merge(&known.Kinds)
	s.Timeline.Void()
}

// sumWhole fills Values and Charged of the store with means per frame over the frames of sums, or with sums. m
// is the mean frame.
func (k *Looker) sumWhole(w *Whole, lane report.LaneID, m *history.Frame) {
	s, l := k.store, &k.Lens
	l.Scratch = resize.To(l.Scratch, len(s.Tree.Paths))
	clear(l.Scratch)
	l.Charges.Reset()
	joined := m.JoinedMS
	n := k.Lens.Of.Per(int(w.Frames))
	if w.Mean(m, n); s.States.Any() {
		m.JoinedMS = joined // from the frames of the history
	}
	w.Sum(lane, func(path int32) *history.Value { return &l.Scratch[w.paths[path]] }, &l.Charges)
	for i := range l.Scratch {
		v := &l.Scratch[i]
		v.Self, v.Variance = v.Self*m.PerTick, v.Variance*m.PerTick*m.PerTick
	}
	k.divide(n)
}
