package store

import (
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/totals"
)

// Settle derives busy and idle time.
func (s *Store) Settle(p *history.Frame, sum totals.Logged) {
	p.Settle(float64(sum.Whole), float64(sum.Waiting), float64(sum.Others))
	p.Others, p.OtherLanes = float32(float64(sum.Working)*p.PerTick), sum.Workers
	p.Block(&s.Tree)
	p.Over = s.Over(p.JudgedMS())
	s.Past.Clock += p.LengthMS / 1000
	p.Ended = s.Past.Clock
}

// Resize sets the number of frames to keep, and drops the oldest beyond it.
func (s *Store) Resize(graph, full int) {
	h := &s.Past
	h.Want = min(max(graph, 2), history.MaxFrames)
	h.WantFull = min(max(full, 2), h.Want)
	s.Windows, s.Lengths, h.Cut = history.Windows{}, history.Lengths{}, false
	if h.Length() > h.Want {
		s.Digest() // so that dropped frames count in the statistics since Reset
	}
	for h.Length() > h.Want {
		s.DropOldest()
	}
	s.Numbers.Forget(h.First())
	s.Expire()
}

// DropOldest drops the oldest frame.
func (s *Store) DropOldest() {
	s.keepUp(s.Past.First())
	s.Past.Forget()
}

// FitHistory drops frames while they take too much memory. It is called before each frame.
func (s *Store) FitHistory() {
	h := &s.Past
	for h.Length() > history.MinFrames && h.Memory()+s.Own.Bytes()+s.Numbers.Bytes() > history.SeriesBytes {
		s.DropOldest()
		h.Cut = true
	}
}

// Expire drops the records of frames that are too old, too many, or too large together. The newest frame keeps its
// records.
func (s *Store) Expire() {
	h, b := &s.Past, &s.Bounds
	b.Lost = min(max(b.Lost, h.First()), h.Next)
	for ; b.Lost+1 < h.Next; b.Lost++ {
		old := b.Seconds > 0 && h.Clock-h.At(b.Lost).Ended > b.Seconds+1e-9 // sums of lengths have rounding errors
		if !old && h.Next-b.Lost <= uint64(h.WantFull) && h.Bytes <= b.MaxBytes() {
			return
		}
		s.keepUp(b.Lost)
		h.Lose(b.Lost)
	}
}
