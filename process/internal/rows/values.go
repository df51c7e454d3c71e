package rows

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// Load fills s.Values and s.ByZone for a view, and returns the frame of the view or nil.
func (s *Builder) Load(v *report.View) *history.Frame {
	s.Digest()
	if v.Through() && s.Past.Next > 0 {
		return s.LoadLens(v)
	}
	p := s.Shown(v)
	if p == nil && s.Past.Next == 0 && s.Unfinished != nil {
		p = s.Unfinished()
	}
	if p == nil {
		s.Empty()
		return nil
	}
	if p.Lost {
		s.Empty()
		return p
	}
	lane := s.LanePlace(v.Lane)
	s.Sum(p, lane) // also for averages: it sets which paths are open
	if s.Smooth(v) {
		s.Average(v, lane)
	}
	if s.isOneFrame(v) {
		s.Charged.DropHeap(s.Values)
	}
	s.Derive(v, lane, s.span(v, p))
	return p
}

// isOneFrame reports whether a view without a lens shows one finished frame. A frame is too short for the heap by zone:
// see [gather.MemoryHeapPerZone].
func (s *Builder) isOneFrame(v *report.View) bool {
	return s.Past.Next > 0 && (s.Past.Next == 1 || !s.Smooth(v))
}

// heapWarning says why columns of the heap are empty.
const heapWarning = "one frame is too short for the heap by zone: an average or a lens has it"

// appendHeapWarning appends the warning about chosen columns of the heap that are empty.
func (s *Builder) appendHeapWarning(dst []string, v *report.View, want report.ColumnSet) []string {
	if v.Order.Chosen && v.Order.By < report.NumColumns {
		want.Add(v.Order.By)
	}
	heap := report.ColumnSet{}.With(report.HeapColumns...)
	if want.And(heap).Empty() || s.MemoryMode() < gather.MemoryHeapPerZone ||
		v.Through() && s.Lens.Count > 1 || !v.Through() && !s.isOneFrame(v) {
		return dst
	}
	return append(dst, heapWarning)
}

// span returns the time of the updating lane in the viewed frame or average, in ms.
func (s *Builder) span(v *report.View, p *history.Frame) float64 {
	if s.Smooth(v) {
		return s.Live.Whole[v.Average].SpanMS
	}
	return p.SpanMS
}
