package capture

import "example.com/iprof/gather"

// segmentFrames is the number of frames in a segment of the ring buffer. A file has whole segments.
const segmentFrames = 64

// ring is a ring buffer of the newest frames, as chunks of a capture. Each segment begins with a key, so readers can
// start there. The definitions of zones and counters are kept separately, because the segments that had them are
// dropped.
type ring struct {
	encoder  encoder
	segments []*segment // oldest first
	spare    *segment   // kept for its memory
	zones    []gather.ZoneInfo
	counters []gather.CounterInfo
	frames   int    // to keep
	most     int    // bytes
	used     int    // bytes of segments, spare and dropped segments that are shared
	lost     int    // bytes of dropped segments that are shared
	shared   uint64 // segments with an older number are being written
	started  uint64 // number of segments so far
	next     uint64 // number of the next frame
}

// segment is a part of the ring.
type segment struct {
	bytes  []byte
	frames int
	first  uint64 // number of its first frame
	number uint64
}

// part is a writing goroutine's view of a segment. It does not change while frames are appended to the segment.
type part struct {
	bytes []byte
	first uint64
}

// append adds a frame and drops the oldest segments beyond the limits.
func (r *ring) append(f *gather.Frame) {
	if len(f.Zones) < len(r.zones) || len(f.Counters) < len(r.counters) { // another program's
		for len(r.segments) > 0 {
			r.drop()
		}
	}
	s := r.segment()
	r.zones, r.counters = f.Zones, f.Counters
	r.encoder.zones, r.encoder.counts = len(f.Zones), len(f.Counters)
	before := cap(s.bytes)
	s.bytes = r.encoder.appendFrame(s.bytes, f)
	r.used += cap(s.bytes) - before
	s.frames++
	r.next++
	for len(r.segments) > 1 && (r.used > r.most || r.held()-r.segments[0].frames >= r.frames) {
		r.drop()
	}
}

// finish appends the newest durations of calls, which the frames so far may lack.
func (r *ring) finish() {
	s := r.segments[len(r.segments)-1]
	before := cap(s.bytes)
	s.bytes = r.encoder.calls.end(s.bytes)
	r.used += cap(s.bytes) - before
}

// held returns the number of frames in the ring buffer.
func (r *ring) held() int { return int(r.next - r.segments[0].first) }

// segment returns the segment for the next frame. Segments take an eighth of the memory at most, so that dropping one
// leaves most frames.
func (r *ring) segment() *segment {
	if n := len(r.segments); n > 0 {
		if s := r.segments[n-1]; s.frames < segmentFrames && len(s.bytes) < r.most/8 {
			return s
		}
	}
	s := r.spare
	if r.spare = nil; s == nil {
		s = new(segment)
	}
	r.started++
	*s = segment{bytes: s.bytes[:0], first: r.next, number: r.started}
	r.encoder.notes, r.encoder.why = "", ""
	r.encoder.budgets = []gather.ZoneBudget{{}} // differs from all others, so budgets are written again
	r.encoder.frames = framesPerKey             // makes the segment begin with a key
	r.segments = append(r.segments, s)
	return s
}

// drop drops the oldest segment. Its memory is used again, unless a goroutine is writing it.
func (r *ring) drop() {
	s := r.segments[0]
	copy(r.segments, r.segments[1:])
	r.segments = r.segments[:len(r.segments)-1]
	switch {
	case s.number < r.shared:
		r.lost += cap(s.bytes)
	case r.spare == nil:
		r.spare = s
	default:
		r.used -= cap(s.bytes)
	}
}

// share returns the segments for a goroutine. Until unshare their bytes stay as they are.
func (r *ring) share() []part {
	r.shared = r.started + 1
	parts := make([]part, len(r.segments))
	for i, s := range r.segments {
		parts[i] = part{s.bytes[:len(s.bytes):len(s.bytes)], s.first}
	}
	return parts
}

func (r *ring) unshare() {
	r.used -= r.lost
	r.lost, r.shared = 0, 0
}
