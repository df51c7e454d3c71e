package process

// This file sizes the ring of the history. The ring grows with the frames until it has the wanted number of them, or
// reaches a limit of memory.
import "unsafe"

// traceBytes bounds the memory of the times that the history keeps for graphs and statistics. It is a variable for
// tests.
var traceBytes = 64 << 20

// leastFrames are kept even beyond traceBytes.
const leastFrames = 16

// resize sets the number of frames to keep, and drops the oldest beyond it.
func (s *Session) resize(graph, full int) {
	h := &s.past
	h.want = min(max(graph, 2), maxFrames)
	h.wantFull = min(max(full, 2), h.want)
	s.setRing(min(h.want, max(h.length(), defaultFrames)))
}

// fitHistory doubles a full ring, and shrinks one that takes too much memory. It is called before each frame.
func (s *Session) fitHistory() {
	h := &s.past
	frames, most := len(h.frames), max(traceBytes/s.frameBytes(), leastFrames)
	if frames > most {
		s.setRing(max(most/4*3, leastFrames)) // so that the next new zone does not shrink it again
		return
	}
	if larger := min(2*frames, h.want); h.length() == frames && larger > frames && larger <= most {
		s.setRing(larger)
	}
}

// frameBytes is the memory of one frame of the ring, without its records.
func (s *Session) frameBytes() int {
	perZone := int(unsafe.Sizeof(float32(0)))
	zones, paths := max(len(s.zones), len(s.past.zones)), min(len(s.tree.paths), tracedPaths)
	perValue := int(unsafe.Sizeof(float64(0)))
	return int(unsafe.Sizeof(pastFrame{})) + perZone*(2*zones+len(s.own.zones)+paths) + perValue*len(s.numbers.traces)
}

// setRing changes the size of the ring and keeps the newest frames.
func (s *Session) setRing(frames int) {
	s.digest() // dropped frames count in the statistics since Reset
	if len(s.own.zones) > 0 {
		s.own.follow(&s.past, &s.tree, len(s.zones))
	}
	old := s.past
	s.past.resize(frames)
	s.own.resize(&old, &s.past)
	s.numbers.resize(len(s.past.frames))
	s.windows, s.rows.lengthsOf = windows{}, 0
	s.expire()
}
