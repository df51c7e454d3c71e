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
		s.Tree.SetIdle(o.paths[i], s.Zones)
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

// Behind is how many frames of a recording are newer than those that the store holds.
func (s *Store) Behind() uint64 {
	if s.Whole == nil || s.Whole.Source == nil {
		return 0
	}
	return s.Whole.Source.Frames() - min(s.Past.Next, s.Whole.Source.Frames())
}

// Page forgets the frames of the history, so that it begins with another of the recording. What is known of all frames
// stays in what it returns: give it to Paged when the history has frames again.
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

// Paged ends Page. The frames of the history are not counted again in what is of all frames.
func (s *Store) Paged(known *Measured) {
	s.Digest()
	s.Totals, s.Slow, s.Stats, s.Whole = known.Totals, known.Slow, known.Stats, known.Whole
	s.Kinds.Merge(&known.Kinds)
	s.Timeline.Void()
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
