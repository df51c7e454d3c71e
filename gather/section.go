//go:build !iprof_off

package gather

import (
	"sync"

	"example.com/iprof/platform"
)

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
