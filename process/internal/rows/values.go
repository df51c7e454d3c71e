package rows

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// Load fills s.Values and s.ByZone for a view, and returns the frame of the view or nil.
func (b *Builder) Load(view *report.View) *history.Frame {
	v := b.held(view)
	b.store.Digest()
	if b.choices.through(v) && b.store.Past.Next > 0 {
		return b.choices.load(&b.Looker, v)
	}
	p := b.store.Shown(v)
	if p == nil && b.store.Past.Next == 0 && b.store.Unfinished != nil {
		p = b.store.Unfinished()
	}
	if p == nil {
		b.store.Empty()
		return nil
	}
	if p.Lost {
		b.store.Empty()
		return p
	}
	lane := b.store.LanePlace(v.Lane)
	b.store.Sum(p, lane) // also for averages: it sets which paths are open
	if b.store.Smooth(v) {
		b.Looker.Average(v, lane)
	}
	if b.isOneFrame(v) {
		b.store.Charged.DropHeap(b.store.Values)
	}
	b.store.Derive(v, lane, b.span(v, p))
	return p
}

// isOneFrame reports whether a view without a lens shows one finished frame. A frame is too short for the heap by zone:
// see [gather.MemoryHeapPerZone].
func (b *Builder) isOneFrame(v *report.View) bool {
	return b.store.Past.Next > 0 && (b.store.Past.Next == 1 || !b.store.Smooth(v))
}

// heapWarning says why columns of the heap are empty.
const heapWarning = "one frame is too short for the heap by zone: an average or a lens has it"

// appendHeapWarning appends the warning about chosen columns of the heap that are empty.
func (b *Builder) appendHeapWarning(dst []string, v *report.View, want report.ColumnSet) []string {
	if v.Order.Chosen && v.Order.By < report.NumColumns {
		want.Add(v.Order.By)
	}
	heap := report.ColumnSet{}.With(report.HeapColumns...)
	if want.And(heap).Empty() || b.store.MemoryMode() < gather.MemoryHeapPerZone ||
		v.Through() && b.Looker.Lens.Count > 1 || !v.Through() && !b.isOneFrame(v) {
		return dst
	}
	return append(dst, heapWarning)
}

// span returns the time of the updating lane in the viewed frame or average, in ms.
func (b *Builder) span(v *report.View, p *history.Frame) float64 {
	if b.store.Smooth(v) {
		return b.store.Live.Whole[v.Average].SpanMS
	}
	return p.SpanMS
}
