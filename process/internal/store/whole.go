package store

import (
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
	"example.com/iprof/process/totals"
)

// Whole are the sums of all frames of a recording, and their paths in the store.
type Whole struct {
	*totals.Whole
	paths   []int32
	Warning string // says of how many frames the statistics are
}

// SetWhole takes over the sums of all frames: see process.HistoryLimits. A store that has all frames does without.
func (s *Store) SetWhole(w *totals.Whole) {
	if s.Whole = nil; w == nil || s.Past.Next == 0 || len(w.Zones()) > len(s.Zones) ||
		w.Frames <= uint64(s.Past.Length()) && s.Bounds.Lost <= s.Past.First() {
		return
	}
	o := &Whole{Whole: w}
	for i := range w.Tree().Paths {
		p, parent := &w.Tree().Paths[i], int32(-1)
		if p.Parent >= 0 {
			parent = o.paths[p.Parent]
		}
		o.paths = append(o.paths, s.Tree.Child(parent, p.Zone, p.Same >= 0, s.Past.Next-1))
		s.Tree.Paths[o.paths[i]].Idle = p.Idle
	}
	s.Kinds.Merge(w.Kinds())
	s.Whole = o
}

// WholeFor returns the sums for a lens, nil if it is of the history.
func (s *Store) WholeFor(l report.Lens) *Whole {
	if l.Kind != report.LensAll {
		return nil
	}
	return s.Whole
}

// sumWhole fills s.Values and s.Charged with means per frame over all frames, and the times of the mean frame.
func (s *Store) sumWhole(w *Whole, lane report.LaneID) {
	l := &s.Lens
	l.Scratch = resize.To(l.Scratch, len(s.Tree.Paths))
	clear(l.Scratch)
	l.Charges.Reset()
	joined := l.Mean.JoinedMS
	if w.Mean(&l.Mean); s.States.Any() {
		l.Mean.JoinedMS = joined // of the frames of the history
	}
	w.Sum(lane, func(path int32) *history.Value { return &l.Scratch[w.paths[path]] }, &l.Charges)
	for i := range l.Scratch {
		v := &l.Scratch[i]
		v.Self, v.Variance = v.Self*l.Mean.PerTick, v.Variance*l.Mean.PerTick*l.Mean.PerTick
	}
	s.divide(float64(max(w.Frames, 1)))
}
