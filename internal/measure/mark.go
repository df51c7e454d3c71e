//go:build !iprof_off

package measure

import (
	"sync"

	"example.com/iprof/internal/measure/internal/sites"
	"example.com/iprof/platform"
)

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

// Underway returns the number of the current frame, and the names of the calling goroutine's open zones, outermost
// first. A goroutine without a lane has no open zones. Any goroutine may call it. It allocates.
func Underway() (frame uint64, zoneNames []string) {
	if l := laneFor(false); l != nil {
		l.mu.Lock()
		for n := l.at(); n != nil && n.parent != nil; n = n.parent {
			zoneNames = append(zoneNames, zones.info(l.base[n.idx].zone).Name)
		}
		l.mu.Unlock()
		for i, k := 0, len(zoneNames)-1; i < k; i, k = i+1, k-1 {
			zoneNames[i], zoneNames[k] = zoneNames[k], zoneNames[i]
		}
	}
	return firstSet.frames.Load(), zoneNames
}

// AddState adds an ended state to the current frame. Package wait calls it. Beyond MaxStates in a frame it drops the
// state, and counts it in Dropped.States. While recording is off it does nothing. Any goroutine may call it. It waits
// only for other calls, and for the end of a frame.
func AddState(s LaneState) {
	if !Recording() || s.End <= s.Begin {
		return
	}
	s.Reason = sites.Cut(s.Reason)
	s.Place = sites.Cut(s.Place)
	s.By = sites.Cut(s.By)
	s.At = sites.Cut(s.At)
	pendingStates.add(MaxStates, func() LaneState { return s })
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
	mu          sync.Mutex
	calls       uint64
	open        SectionInfo
	last        SectionInfo // the last one open since the current frame began
	beforeSince SectionInfo // value of last before since
	since       platform.Ticks
	used        sync.Once
}

// use turns on sections of frames.
func (s *sectionState) use() {
	s.used.Do(func() {
		registry.mu.Lock()
		defer registry.mu.Unlock()
		sectioned = s.report
	})
}

// begin begins a section, or ends the open one if the name is empty.
func (s *sectionState) begin(name string, now platform.Ticks) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beforeSince, s.since = s.last, now
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
		f.Section = s.beforeSince
		return
	}
	f.Section = s.last
	if move {
		s.last = s.open
	}
}
