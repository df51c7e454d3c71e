package process

import (
	"unsafe"

	"example.com/iprof/process/internal/history"
)

// resize sets the number of frames to keep, and drops the oldest beyond it.
func (s *store) resize(graph, full int) {
	h := &s.past
	h.Want = min(max(graph, 2), history.MaxFrames)
	h.WantFull = min(max(full, 2), h.Want)
	s.setRing(min(h.Want, max(h.Length(), history.DefaultFrames)))
}

// fitHistory doubles a full ring, and shrinks one that takes too much memory. It is called before each frame.
func (s *store) fitHistory() {
	h := &s.past
	frames, most := len(h.Frames), max(history.TraceBytes/s.frameBytes(), history.LeastFrames)
	if frames > most {
		s.setRing(max(most/4*3, history.LeastFrames)) // so that the next new zone does not shrink it again
		return
	}
	if larger := min(2*frames, h.Want); h.Length() == frames && larger > frames && larger <= most {
		s.setRing(larger)
	}
}

// frameBytes is the memory of one frame of the ring, without its records.
func (s *store) frameBytes() int {
	perZone := int(unsafe.Sizeof(float32(0)))
	zones, paths := max(len(s.zones), len(s.past.Zones)), min(len(s.tree.Paths), history.TracedPaths)
	perValue := int(unsafe.Sizeof(float64(0)))
	return int(unsafe.Sizeof(history.Frame{})) + perZone*(2*zones+len(s.own.Zones)+paths) +
		perValue*len(s.numbers.Traces)
}

// setRing changes the size of the ring and keeps the newest frames.
func (s *store) setRing(frames int) {
	s.digest() // dropped frames count in the statistics since Reset
	if len(s.own.Zones) > 0 {
		s.own.Follow(&s.past, &s.tree, len(s.zones))
	}
	old := s.past
	s.past.Resize(frames)
	s.own.Resize(&old, &s.past)
	s.numbers.Resize(len(s.past.Frames))
	s.windows, s.lengths.of = history.Windows{}, 0
	s.expire()
}
