//go:build !iprof_off

package measure

import "sync"

var pendingMarks pending[MarkInfo]

// pendingStates holds the states for the next frame.
var pendingStates pending[LaneState]

// pending holds the items for the next frame, in the order of add. The zero value is empty. Any goroutine may call its
// methods.
type pending[Item any] struct {
	mu      sync.Mutex
	items   []Item
	dropped uint64
}

// add appends now(), or counts it as dropped if most items are waiting already.
func (p *pending[Item]) add(most int, now func() Item) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.items) >= most {
		p.dropped++
		return
	}
	p.items = append(p.items, now())
}

// appendTo appends the frame's items, which come first. With move, it removes them. It also returns the number dropped
// since the start.
func (p *pending[Item]) appendTo(dst []Item, has func(*Item) bool, move bool) (items []Item, dropped uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for n < len(p.items) && has(&p.items[n]) {
		n++
	}
	dst = append(dst, p.items[:n]...)
	if move {
		rest := copy(p.items, p.items[n:])
		clear(p.items[rest:])
		p.items = p.items[:rest]
	}
	return dst, p.dropped
}

// drop drops what is left for the next frame.
func (p *pending[Item]) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropped += uint64(len(p.items))
	clear(p.items)
	p.items = p.items[:0]
}

// sectioned sets the section of a frame. It is nil in programs without sections, so the linker leaves the code out.
// registry.mu guards it.
var sectioned func(f *Frame, move bool)

// reportMarks adds the states, the marks and remarks before its end, and the section to the frame. With move, it
// removes them, and leaves later ones for the next frame.
func reportMarks(f *Frame, move bool) {
	f.States, f.Dropped.States = pendingStates.appendTo(f.States[:0], func(*LaneState) bool { return true }, move)
	before := func(m *MarkInfo) bool { return m.Time <= f.End }
	f.Marks, f.Dropped.Marks = pendingMarks.appendTo(f.Marks[:0], before, move)
	f.Remarks = nil
	if s := spoken.Load(); s != nil {
		s.report(f, move)
	}
	if f.Section = (SectionInfo{}); sectioned != nil {
		sectioned(f, move)
	}
}
