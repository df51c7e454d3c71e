//go:build !iprof_off

package measure

import (
	"sync"

	"example.com/iprof/internal/measure/internal/sites"
	"example.com/iprof/platform"
)

var pendingMarks pending[MarkInfo]

// Mark puts a mark with a text on the time line: see MarkInfo. It copies the text, cut to 1,024 bytes. A frame has at
// most MaxMarks marks; Dropped.Marks counts further ones. While recording is off, Mark does nothing. Any goroutine may
// call it, with or without a lane. It waits only for other calls of Mark, and for the end of a frame to collect the
// marks. Cost: BenchmarkMark.
func Mark(text string) {
	if !Recording() {
		return
	}
	lane := OwnLane()
	pendingMarks.add(MaxMarks, func() MarkInfo { return MarkInfo{platform.Now(), lane, CopyName(text)} })
}

// reportMarks adds the states, the marks and remarks before its end, and the section to the frame. With move, it
// removes them, and leaves later ones for the next frame.
func reportMarks(f *Frame, move bool) {
	f.States, f.Dropped.States = pendingStates.appendTo(f.States[:0], func(*LaneState) bool { return true }, move)
	before := func(m *MarkInfo) bool { return m.Time <= f.End }
	f.Marks, f.Dropped.Marks = pendingMarks.appendTo(f.Marks[:0], before, move)
	if f.Remarks = nil; spoken.report != nil {
		spoken.report(f, move)
	}
	if f.Section = (SectionInfo{}); sectioned != nil {
		sectioned(f, move)
	}
}

// spoken holds the functions for remarks. It is empty in programs without remarks, so the linker leaves the code out.
// registry.mu guards it.
var spoken struct {
	report func(f *Frame, move bool)
	forget func()
}

// Underway returns the number of the current frame, and the names of the calling goroutine's open zones, outermost
// first. A goroutine without a lane has no open zones. Any goroutine may call it. It allocates.
func Underway() (frame uint64, zoneNames []string) {
	if l := laneFor(false); l != nil {
		l.mu.Lock()
		for n := l.at(); n != nil && n.parent != nil; n = n.parent {
			zoneNames = append(zoneNames, zones.info(l.seen[n.idx].zone).Name)
		}
		l.mu.Unlock()
		for i, k := 0, len(zoneNames)-1; i < k; i, k = i+1, k-1 {
			zoneNames[i], zoneNames[k] = zoneNames[k], zoneNames[i]
		}
	}
	return registry.updates.frames.Load(), zoneNames
}

// pendingStates holds the states for the next frame.
var pendingStates pending[LaneState]

// AddState adds an ended state to the current frame. Package wait calls it. Beyond MaxStates in a frame it drops the
// state, and counts it in Dropped.States. While recording is off it does nothing. Any goroutine may call it. It waits
// only for other calls, and for the end of a frame.
func AddState(s LaneState) {
	if !Recording() || s.End <= s.Begin {
		return
	}
	s.Reason, s.Place, s.By, s.At = sites.Cut(s.Reason), sites.Cut(s.Place), sites.Cut(s.By), sites.Cut(s.At)
	pendingStates.add(MaxStates, func() LaneState { return s })
}

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

// Section begins a section of the run, such as a level of a game. The section has the frames until the next call. An
// empty name ends it; later frames have no section. The name is any text; Section copies it, cut to 1,024 bytes. A
// frame belongs to the last section that was open in it. Section also puts a mark at the beginning or end. Each call
// begins a new section, even with a name used before. Any goroutine may call it. It waits only for other calls, and for
// the end of a frame. Cost: BenchmarkSection.
func Section(name string) {
	sections.use()
	name = CopyName(name)
	text := "section " + name
	if name == "" {
		text = "end of section"
	}
	sections.begin(name, platform.Now())
	Mark(text)
}

// sections holds the section of the current frame.
var sections sectionState

// sectionState holds the open section, and the section of the current frame. The zero value has none. Any goroutine may
// call its methods.
type sectionState struct {
	mu     sync.Mutex
	calls  uint64
	open   SectionInfo
	last   SectionInfo // the last one open since the current frame began
	before SectionInfo // value of last before since
	since  platform.Ticks
	used   sync.Once
}

// use turns on sections of frames.
func (s *sectionState) use() {
	s.used.Do(func() {
		registry.mu.Lock()
		defer registry.mu.Unlock()
		sectioned = s.report
	})
}

// sectioned sets the section of a frame. It is nil in programs without sections, so the linker leaves the code out.
// registry.mu guards it.
var sectioned func(f *Frame, move bool)

// begin begins a section, or ends the open one if the name is empty.
func (s *sectionState) begin(name string, now platform.Ticks) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before, s.since = s.last, now
	s.calls++
	if s.open = (SectionInfo{}); name != "" {
		s.open = SectionInfo{Number: s.calls, Name: name}
		s.last = s.open
	}
}

// report sets the section of an ended frame. With move, the next frame has begun.
func (s *sectionState) report(f *Frame, move bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.since > f.End { // it was called meanwhile: the next frame has it
		f.Section = s.before
		return
	}
	f.Section = s.last
	if move {
		s.last = s.open
	}
}
