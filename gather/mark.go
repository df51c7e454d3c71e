//go:build !iprof_off

package gather

import (
	"sync"

	"example.com/iprof/gather/internal/sites"
	"example.com/iprof/platform"
)

var pendingMarks pending[MarkInfo]

// Mark puts a mark with a text on the time line: see MarkInfo. The text is copied, and cut to 1,024 bytes. A frame has
// at most MostMarks marks; the later ones are dropped and counted in Dropped.Marks. While recording is off there are no
// marks. Any goroutine may call it, with or without a lane. It waits only for other calls of Mark, and for the end of a
// frame to take the marks over. Cost: BenchmarkMark.
func Mark(text string) {
	if !Recording() {
		return
	}
	lane := OwnLane()
	pendingMarks.add(MostMarks, func() MarkInfo { return MarkInfo{platform.Now(), lane, CopyName(text)} })
}

// reportMarks gives the frame the states, the marks and remarks before its end, and its section. With move, the next
// frame has those after it.
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

// spoken is what is done with remarks. It is empty in programs that make none, and these do not have the code.
// registry.mu guards it.
var spoken struct {
	report func(f *Frame, move bool)
	forget func()
}

// Underway returns the number of the frame under way, and the names of the calling goroutine's open zones, outermost
// first. Without a lane there are none. Any goroutine may call it. It allocates.
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

// pendingStates has the states that no frame has yet.
var pendingStates pending[LaneState]

// AddState adds a state that has ended to the frame under way. Package wait calls it. Beyond MostStates a frame drops
// it, which Dropped.States counts. While recording is off nothing is added. Any goroutine may call it. It waits only
// for other calls, and for the end of a frame.
func AddState(s LaneState) {
	if !Recording() || s.End <= s.Begin {
		return
	}
	s.Reason, s.Place, s.By, s.At = sites.Cut(s.Reason), sites.Cut(s.Place), sites.Cut(s.By), sites.Cut(s.At)
	pendingStates.add(MostStates, func() LaneState { return s })
}

// pending has the items that no frame has yet, in the order of add. The zero value is empty. Any goroutine may call its
// methods.
type pending[Item any] struct {
	mu      sync.Mutex
	items   []Item
	dropped uint64
}

// add appends now(), or counts it as dropped if most items are waiting.
func (p *pending[Item]) add(most int, now func() Item) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.items) >= most {
		p.dropped++
		return
	}
	p.items = append(p.items, now())
}

// appendTo appends the first items, those that the frame has. With move, they are removed. It also returns how many
// were dropped since the start.
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

// Section begins a section of the run, such as a level of a game: the frames until the next call are of it. An empty
// name ends it, and no frame is of a section then. The name is any text; it is copied, and cut to 1,024 bytes. A frame
// is of the last section that was open in it. There is also a mark where a section begins or ends. Each call begins a
// section of its own, also with a name that was there before. Any goroutine may call it. It waits only for other calls,
// and for the end of a frame. Cost: BenchmarkSection.
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

// sections has the section of the frame under way.
var sections sectionState

// sectionState is which section is open, and which one the frame under way is of. The zero value has none. Any
// goroutine may call its methods.
type sectionState struct {
	mu     sync.Mutex
	calls  uint64
	open   SectionInfo
	last   SectionInfo // the last one that was open since the frame under way began
	before SectionInfo // last, as it was before since
	since  platform.Ticks
	used   sync.Once
}

// use has frames get their section from now on.
func (s *sectionState) use() {
	s.used.Do(func() {
		registry.mu.Lock()
		defer registry.mu.Unlock()
		sectioned = s.report
	})
}

// sectioned sets the section of a frame. It is nil in programs that have none, and these do not have the code.
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

// report sets the section of a frame that has ended. With move, another has begun.
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
