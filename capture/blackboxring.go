package capture

import (
	"slices"

	"example.com/iprof/gather"
)

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
	staged   int    // bytes of stages, as counted by stage.size
}

// mostStaged is the number of staged bytes from which events are encoded at once.
const mostStaged = mostWaiting

// segment is a part of the ring.
type segment struct {
	bytes  []byte
	frames int
	first  uint64 // number of its first frame
	number uint64
	stage  stage
	moving bool // a goroutine has taken the stage and will append it to bytes
}

// stage is the newest part of a segment, whose events are copies. A goroutine encodes them: see BlackBox.encodeStaged.
type stage struct {
	bytes  []byte // with holes
	holes  []hole
	copied int // events in the copies
}

// size is the memory that the stage counts as.
func (s *stage) size() int { return len(s.bytes) + s.copied*eventCopied }

// part is a writing goroutine's view of a segment. It does not change while frames are appended to the segment.
type part struct {
	bytes []byte
	first uint64
}

// append adds a frame and drops the oldest segments beyond the limits.
func (r *ring) append(f *gather.Frame) {
	if f.Origin != r.encoder.origin {
		for len(r.segments) > 0 {
			r.drop()
		}
	}
	s := r.segment()
	r.zones, r.counters = f.Zones, f.Counters
	r.encoder.follow(f.Origin)
	r.encoder.zones, r.encoder.counts = len(f.Zones), len(f.Counters)
	if r.encoder.copied = nil; r.staged < min(mostStaged, r.most/8) {
		r.encoder.copyEvents(f)
	}
	r.extend(s, func(dst []byte) []byte { return r.encoder.appendFrame(dst, f) })
	s.frames++
	r.next++
	for len(r.segments) > 1 && (r.used+r.staged > r.most || r.held()-r.segments[0].frames >= r.frames) {
		r.drop()
	}
}

// extend appends to a segment: to its stage if there are copied events, now or before.
func (r *ring) extend(s *segment, appended func(dst []byte) []byte) {
	c := r.encoder.copied
	if c == nil && len(s.stage.bytes) == 0 && !s.moving {
		before := cap(s.bytes)
		s.bytes = appended(s.bytes)
		r.used += cap(s.bytes) - before
		return
	}
	t, before := &s.stage, s.stage.size()
	t.bytes = appended(t.bytes)
	if c != nil {
		c.readers = 1
		t.holes = append(t.holes, hole{r.encoder.hole, r.encoder.pending, c})
		t.copied += c.events
	}
	r.staged += t.size() - before
}

// take returns the oldest of some segments that has a stage, and the stage. It returns nil if none has.
func (r *ring) take(list []*segment, spare stage) (*segment, stage) {
	for _, s := range list {
		if t := s.stage; len(t.bytes) > 0 {
			s.stage, s.moving = stage{bytes: spare.bytes[:0], holes: spare.holes[:0]}, true
			return s, t
		}
	}
	return nil, spare
}

// put appends an encoded stage to its segment, unless the segment has been dropped meanwhile.
func (r *ring) put(s *segment, number uint64, t *stage, encoded []byte) {
	r.staged -= t.size()
	if s.number != number {
		return
	}
	before := cap(s.bytes)
	s.bytes, s.moving = append(s.bytes, encoded...), false
	if number < r.shared && !slices.Contains(r.segments, s) {
		r.lost += cap(s.bytes) - before
	}
	r.used += cap(s.bytes) - before
}

// finish appends the newest durations of calls, which the frames so far may lack.
func (r *ring) finish() {
	r.encoder.copied = nil
	r.extend(r.segments[len(r.segments)-1], r.encoder.calls.end)
}

// held returns the number of frames in the ring buffer.
func (r *ring) held() int { return int(r.next - r.segments[0].first) }

// segment returns the segment for the next frame. Segments take an eighth of the memory at most, so that dropping one
// leaves most frames.
func (r *ring) segment() *segment {
	if n := len(r.segments); n > 0 {
		if s := r.segments[n-1]; s.frames < segmentFrames && len(s.bytes)+s.stage.size() < r.most/8 {
			return s
		}
	}
	s := r.spare
	if r.spare = nil; s == nil {
		s = new(segment)
	}
	r.started++
	*s = segment{bytes: s.bytes[:0], first: r.next, number: r.started, stage: stage{bytes: s.stage.bytes[:0]}}
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
	if s.number >= r.shared {
		r.staged -= s.stage.size()
		s.stage, s.number = stage{bytes: s.stage.bytes[:0]}, 0
	}
	switch {
	case s.number > 0 && s.number < r.shared:
		r.lost += cap(s.bytes)
	case r.spare == nil:
		r.spare = s
	default:
		r.used -= cap(s.bytes)
	}
}

// share returns the segments for a goroutine. Until unshare their bytes stay as they are, but for what is appended.
func (r *ring) share() []*segment {
	r.shared = r.started + 1
	return slices.Clone(r.segments)
}

// partsOf returns the bytes of shared segments.
func partsOf(segments []*segment) []part {
	parts := make([]part, len(segments))
	for i, s := range segments {
		parts[i] = part{s.bytes[:len(s.bytes):len(s.bytes)], s.first}
	}
	return parts
}

func (r *ring) unshare() {
	r.used -= r.lost
	r.lost, r.shared = 0, 0
}
