package capture

import (
	"math"
	"slices"
	"sync"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// ring is the sink of a session. It encodes each frame once, when it ends, and keeps the newest frames as chunks for
// the session's recordings, streams and black boxes. It drops a segment when none of them needs it.
type ring struct {
	session *process.Session
	remove  func() // removes the sink

	mu       sync.Mutex
	encoder  framefile.Encoder
	segments []*segment // oldest first. The last one is kept, so that a reader can begin in it
	old      []*segment // dropped, but needed for files that are being written
	spare    *segment   // kept for its memory
	origin   gather.Origin
	sets     []*process.Session // the other ones of the program
	next     uint64             // number of the next frame
	started  uint64             // number of segments so far
	staged   int                // bytes of stages, as counted by stage.size
	readers  []*Recorder
	boxes    []box
	fills    bool // a goroutine fills stages for the black boxes

	filling sync.Mutex // held by a goroutine that encodes events; locked before mu
	filled  filled
}

// box is a black box. Only NewBlackBox makes one, so programs that only record do not link its code. The ring's mutex
// is held.
type box interface {
	leave() // the next frame has another origin
	see(f *gather.Frame, j *process.Judged)
	needs() uint64
	memory() int // bytes that the kept frames may take
}

// filled is memory of the goroutine that encodes events.
type filled struct {
	spare stage
	bytes []byte
	ends  []int
}

// The limits of a segment. A black box lets segments have an eighth of its memory, so that dropping one leaves most
// frames.
const (
	mostSegment  = 4 << 20 // bytes
	leastSegment = 16      // frames in a segment of more bytes
	boxShare     = 8
)

// segment is a part of the ring that begins with a key, so readers can start there.
type segment struct {
	bytes       []byte                // of the first frames
	ends        []int                 // of these frames in bytes
	stage       stage                 // the other frames
	moving      int                   // frames that a goroutine has taken from the stage and will append
	first       uint64                // number of its first frame
	number      uint64                // of the segment
	definitions framefile.Definitions // in force before it
	uses        int                   // files that are being written from it
}

// stage has the newest frames of a segment, whose events are copies.
type stage struct {
	bytes  []byte // with holes
	frames []stagedFrame
	copied int // events in the copies
}

// stagedFrame is the place of a frame in a stage. Its events belong into a hole before it, if there are any.
type stagedFrame struct {
	end    int
	events *framefile.FrameEvents
}

// size is the memory that the stage counts as.
func (s *stage) size() int { return len(s.bytes) + s.copied*eventCopied }

func (s *segment) size() int { return cap(s.bytes) + 8*cap(s.ends) + s.stage.size() }

// done returns the number of the first frame that is not in bytes yet.
func (s *segment) done() uint64 { return s.first + uint64(len(s.ends)) }

// end returns the number of the frame after the last one.
func (s *segment) end() uint64 { return s.done() + uint64(s.moving+len(s.stage.frames)) }

// offset returns where a frame begins in bytes, or their end.
func (s *segment) offset(frame uint64) int {
	n := min(max(frame, s.first)-s.first, uint64(len(s.ends)))
	if n == 0 {
		return 0
	}
	return s.ends[n-1]
}

// rings has the ring of each session with readers. Its mutex is locked before all others.
var rings struct {
	sync.Mutex
	of map[*process.Session]*ring
}

// join adds a reader or a black box to the ring of its session. It gets the frames that end from now on.
func join(s *process.Session, add func(r *ring)) {
	rings.Lock()
	defer rings.Unlock()
	r := rings.of[s]
	if r == nil {
		r = &ring{session: s}
		r.remove = s.AddSink(r)
		if rings.of == nil {
			rings.of = make(map[*process.Session]*ring)
		}
		rings.of[s] = r
	} else {
		s.Paused() // takes in the frames that have ended
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	add(r)
}

// leave removes a reader or a black box, after the frames that have ended.
func (r *ring) leave(remove func()) {
	rings.Lock()
	defer rings.Unlock()
	r.session.AddSink(flusher{})() // takes in the frames that have ended, also those that wait for a GPU
	r.mu.Lock()
	remove()
	wanted := len(r.boxes) > 0 || slices.ContainsFunc(r.readers, func(k *Recorder) bool { return !k.closed })
	r.mu.Unlock()
	if !wanted && rings.of[r.session] == r {
		r.remove()
		delete(rings.of, r.session)
	}
}

// flusher is a sink that ignores frames. When a sink goes, the session hands out all frames that have ended.
type flusher struct{}

// WriteFrame takes nothing.
func (flusher) WriteFrame(*gather.Frame) error { return nil }

// WriteFrame encodes a frame. The session calls WriteJudged.
func (r *ring) WriteFrame(f *gather.Frame) error { return r.WriteJudged(f, &process.Judged{}) }

// WriteJudged encodes a frame for all readers that have room for it. It copies the running program's events, and a
// goroutine encodes the copy.
func (r *ring) WriteJudged(f *gather.Frame, j *process.Judged) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.encoder.Take(j)
	r.sets = j.Sets
	if f.Origin != r.origin {
		r.origin = f.Origin
		r.encoder.BeginKey() // begins a segment
		for _, b := range r.boxes {
			b.leave()
		}
	}
	wanted := len(r.boxes) > 0
	for _, k := range r.readers {
		wanted = k.ready() || wanted
	}
	if wanted {
		r.append(f)
	} else {
		r.encoder.BeginKey() // the next frame begins a segment
	}
	r.next++
	for _, k := range r.readers {
		k.poke()
	}
	for _, b := range r.boxes {
		b.see(f, j)
	}
	r.trim()
	if r.staged > 0 && len(r.boxes) > 0 && !r.fills {
		r.fills = true
		go r.fill(math.MaxUint64)
	}
	return nil
}

// append adds a frame to the newest segment.
func (r *ring) append(f *gather.Frame) {
	s := r.segment()
	c := r.encoder.CopyEvents(f, r.staged < r.mostStaged())
	if c == nil && len(s.stage.frames) == 0 && s.moving == 0 {
		s.bytes = r.encoder.AppendFrame(s.bytes, f)
		s.ends = append(s.ends, len(s.bytes))
		return
	}
	t, before := &s.stage, s.stage.size()
	t.bytes = r.encoder.AppendFrame(t.bytes, f)
	t.frames = append(t.frames, stagedFrame{len(t.bytes), c})
	if c != nil {
		t.copied += c.Events
	}
	r.staged += t.size() - before
}

// mostStaged is the number of staged bytes from which events are encoded at once.
func (r *ring) mostStaged() int {
	most := mostWaiting
	for _, b := range r.boxes {
		most = min(most, b.memory()/boxShare)
	}
	return most
}

// segment returns the segment for the next frame.
func (r *ring) segment() *segment {
	if n := len(r.segments); n > 0 && !r.encoder.AtKey() && !r.isFull(r.segments[n-1]) {
		return r.segments[n-1]
	}
	s := r.spare
	if r.spare = nil; s == nil {
		s = new(segment)
		if n := len(r.segments); n > 0 { // it will have about as much as the one before
			s.bytes = make([]byte, 0, len(r.segments[n-1].bytes)*9/8)
		}
	}
	r.started++
	*s = segment{bytes: s.bytes[:0], ends: s.ends[:0], first: r.next, number: r.started, definitions: r.encoder.Has,
		stage: stage{bytes: s.stage.bytes[:0], frames: s.stage.frames[:0]}}
	r.encoder.BeginKey()
	r.segments = append(r.segments, s)
	return s
}

func (r *ring) isFull(s *segment) bool {
	size := len(s.bytes) + s.stage.size()
	for _, b := range r.boxes {
		if size >= b.memory()/boxShare {
			return true
		}
	}
	return len(s.bytes)+len(s.stage.bytes) >= mostSegment && s.end()-s.first >= leastSegment
}

// trim drops the oldest segments that no reader needs.
func (r *ring) trim() {
	need := r.next
	for _, k := range r.readers {
		need = min(need, k.needs())
	}
	for _, b := range r.boxes {
		need = min(need, b.needs())
	}
	for len(r.segments) > 1 && r.segments[0].end() <= need {
		r.drop()
	}
}

// drop drops the oldest segment. Its memory is used again, unless a file is being written from it.
func (r *ring) drop() {
	s := r.segments[0]
	r.segments = slices.Delete(r.segments, 0, 1)
	if s.uses > 0 {
		r.old = append(r.old, s)
		return
	}
	r.staged -= s.stage.size()
	clear(s.stage.frames)
	if s.number = 0; r.spare == nil {
		r.spare = s
	}
}

// forget removes a reader that has ended.
func (r *ring) forget(k *Recorder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.readers = slices.DeleteFunc(r.readers, func(other *Recorder) bool { return other == k })
	r.trim()
}

// window returns the number of the oldest frame that is kept within limits of bytes and of frames.
func (r *ring) window(bytes, frames int) uint64 {
	if r.spare != nil {
		bytes -= cap(r.spare.bytes)
	}
	kept := r.next
	for i, s := range slices.Backward(r.segments) {
		bytes -= s.size()
		if i < len(r.segments)-1 && (bytes < 0 || r.next-s.end() >= uint64(frames)) {
			break
		}
		kept = s.first
	}
	return kept
}

// use returns the segments with the frames from a number on, for a file. Until disuse their bytes stay as they are, but
// for what is appended.
func (r *ring) use(from uint64) (used []*segment) {
	for _, s := range r.segments {
		if s.end() > from {
			s.uses++
			used = append(used, s)
		}
	}
	return used
}

func (r *ring) disuse(used []*segment) {
	for _, s := range used {
		s.uses--
	}
	r.old = slices.DeleteFunc(r.old, func(s *segment) bool {
		if s.uses == 0 {
			r.staged -= s.stage.size()
		}
		return s.uses == 0
	})
}

// partsOf returns the bytes of segments in use.
func (r *ring) partsOf(segments []*segment) (parts [][]byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range segments {
		parts = append(parts, s.bytes[:len(s.bytes):len(s.bytes)])
	}
	return parts
}

// find returns the segment with a frame that is in bytes, or nil.
func (r *ring) find(frame uint64) *segment {
	for _, s := range r.segments {
		if s.first <= frame && frame < s.done() {
			return s
		}
	}
	return nil
}

// fill encodes the events that frames below a number have left as copies. The frames' goroutine starts it, or the one
// that writes, so that Update only copies.
func (r *ring) fill(below uint64) {
	r.filling.Lock()
	defer r.filling.Unlock()
	for r.fillOne(below) {
	}
}

// fillOne fills the oldest stage, and reports whether there was one.
func (r *ring) fillOne(below uint64) bool {
	r.mu.Lock()
	s := r.oldestStage(below)
	if s == nil {
		r.fills = r.fills && below < math.MaxUint64
		r.mu.Unlock()
		return false
	}
	m, t, number := &r.filled, s.stage, s.number
	s.stage, s.moving = stage{bytes: m.spare.bytes[:0], frames: m.spare.frames[:0]}, len(t.frames)
	r.mu.Unlock()
	m.fill(&t, &r.encoder)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.staged -= t.size()
	if s.number == number { // it is still there
		begin := len(s.bytes)
		s.bytes, s.moving = append(s.bytes, m.bytes...), 0
		for _, end := range m.ends {
			s.ends = append(s.ends, begin+end)
		}
	}
	clear(t.frames)
	m.spare = t
	return true
}

// oldestStage returns the oldest segment that has staged frames below a number, or nil.
func (r *ring) oldestStage(below uint64) *segment {
	for _, list := range [...][]*segment{r.old, r.segments} {
		for _, s := range list {
			if len(s.stage.frames) > 0 && s.done() < below {
				return s
			}
		}
	}
	return nil
}

// fill encodes the events of a stage into their places.
func (m *filled) fill(t *stage, from *framefile.Encoder) {
	m.bytes, m.ends = m.bytes[:0], m.ends[:0]
	last := 0
	for _, f := range t.frames {
		if f.events != nil {
			hole := f.events.Hole
			m.bytes = from.AppendCopied(append(m.bytes, t.bytes[last:hole]...), f.events)
			last = hole
		}
		m.bytes = append(m.bytes, t.bytes[last:f.end]...)
		last = f.end
		m.ends = append(m.ends, len(m.bytes))
	}
}

// TakePicture gives the picture of an earlier frame to all recordings and streams. The session calls it.
func (r *ring) TakePicture(index uint64, p *report.Picture) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range r.readers {
		k.takePicture(index, p)
	}
}
