package capture

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// viewers is the sink for all streams of a session. Streams that have had the same frames share an encoder, which
// encodes a frame once. A stream that drops a frame gets an encoder of its own. When it has kept up for some frames,
// the others write a key, and from that key on it shares their encoder again.
type viewers struct {
	remove  func() // removes the sink
	mu      sync.Mutex
	streams []*Recorder
	ready   []*Recorder // streams that get the next frame
	bytes   []byte

	// For the next frame.
	events timeline.EventSource
	calls  process.CallSource
	hot    *report.HotZones
}

// joinAfter is the number of frames for which a stream must keep up before it shares an encoder again. Sharing costs
// all others a key.
const joinAfter = 64

// watched has the viewers of each session with streams. Its mutex is locked before all others.
var watched struct {
	sync.Mutex
	of map[*process.Session]*viewers
}

// watch adds a stream to its session's viewers. The function remove takes it away.
func watch(s *process.Session, r *Recorder) (remove func()) {
	watched.Lock()
	defer watched.Unlock()
	v := watched.of[s]
	if v == nil {
		v = new(viewers)
		v.remove = s.AddSink(v)
		if watched.of == nil {
			watched.of = make(map[*process.Session]*viewers)
		}
		watched.of[s] = v
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.streams = append(v.streams, r)
	return func() {
		watched.Lock()
		defer watched.Unlock()
		if v.take(r) == 0 && watched.of[s] == v {
			v.remove()
			delete(watched.of, s)
		}
	}
}

// take removes a stream, which then has an encoder of its own. It returns the number of streams left.
func (v *viewers) take(r *Recorder) (left int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.part(r)
	v.streams = slices.DeleteFunc(v.streams, func(other *Recorder) bool { return other == r })
	return len(v.streams)
}

// part gives a stream an encoder of its own if it shares one.
func (v *viewers) part(r *Recorder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = 0
	if slices.ContainsFunc(v.streams, func(other *Recorder) bool { return other != r && other.encoder == r.encoder }) {
		r.encoder = r.encoder.apart()
	}
}

// WriteFrame writes a frame to all streams that have room for it. The session calls WriteJudged.
func (v *viewers) WriteFrame(f *gather.Frame) error { return v.WriteJudged(f, 0, 0) }

// WriteJudged writes a frame to all streams that have room for it. A stream that is closed or has failed has no room.
func (v *viewers) WriteJudged(f *gather.Frame, _, budget time.Duration) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ready = v.ready[:0]
	for _, r := range v.streams {
		if r.ready() {
			v.ready = append(v.ready, r)
		} else {
			v.part(r)
		}
	}
	v.join()
	for i, r := range v.ready {
		e := r.encoder
		if slices.ContainsFunc(v.ready[:i], func(other *Recorder) bool { return other.encoder == e }) {
			continue
		}
		e.budget, e.source, e.calls.from = budget, v.events, v.calls
		e.hot.take(v.hot)
		v.write(e, v.ready[i:], f)
	}
	return nil
}

// write writes a frame to the streams with this encoder.
func (v *viewers) write(e *encoder, streams []*Recorder, f *gather.Frame) {
	e.copyEvents(f)
	v.bytes = e.appendFrame(v.bytes[:0], f)
	if e.copied != nil {
		e.copied.readers = 0
		for _, to := range streams {
			if to.encoder == e {
				e.copied.readers++
			}
		}
	}
	for _, to := range streams {
		if to.encoder == e {
			to.append(v.bytes)
		}
	}
}

// join makes streams that have kept up share the encoder of the stream that has kept up longest. The encoder begins
// with a key.
func (v *viewers) join() {
	if len(v.ready) < 2 {
		return
	}
	to := slices.MaxFunc(v.ready, func(a, b *Recorder) int { return cmp.Compare(a.kept, b.kept) }).encoder
	for _, r := range v.ready {
		if r.encoder == to || r.kept < joinAfter || !r.encoder.agrees(to) {
			continue
		}
		to.frames = framesPerKey
		r.mu.Lock()
		r.waiting = r.encoder.calls.giveUp(&to.calls, r.waiting)
		r.encoder = to
		r.mu.Unlock()
	}
}

// ready reports whether there is room for the next frame.
func (r *Recorder) ready() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err == nil && !r.closed && r.hasRoom()
}

// append appends an encoded frame.
func (r *Recorder) append(frame []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tellLost()
	begin := len(r.waiting)
	r.waiting = append(r.waiting, frame...)
	r.added(begin + r.encoder.hole)
	r.kept++
}

// apart returns a new encoder for a stream that has had all frames of this encoder. It begins with a key.
func (e *encoder) apart() *encoder {
	own := &encoder{zones: e.zones, counts: e.counts, notes: e.notes, why: e.why, budgets: e.budgets, origin: e.origin}
	own.calls.from, own.calls.gone, own.hot.zones = e.calls.from, slices.Clone(e.calls.gone), e.hot.zones
	own.calls.at = e.calls.at
	for k := range e.calls.known {
		if own.calls.known == nil {
			own.calls.known = make(map[stack]*writtenCalls)
		}
		own.calls.known[k] = new(writtenCalls) // written again after the key
	}
	return own
}

// agrees reports whether the readers of both encoders have the same data that lasts beyond a key.
func (e *encoder) agrees(to *encoder) bool {
	return e.origin == to.origin && e.zones == to.zones && e.counts == to.counts && e.notes == to.notes &&
		e.why == to.why && slices.Equal(e.budgets, to.budgets)
}

// giveUp appends a chunk that makes readers forget the histograms that the other encoder has not written.
func (e *callEncoder) giveUp(to *callEncoder, dst []byte) []byte {
	for k := range e.known {
		if to.known[k] == nil {
			e.gone = append(e.gone, k)
		}
	}
	for e.next = len(e.list); len(e.gone) > 0; {
		dst = e.chunk(dst)
	}
	return dst
}

// TakeEvents sets the source of the events of the next frame. The session calls it.
func (v *viewers) TakeEvents(from timeline.EventSource) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.events = from
}

// TakeCalls sets the source of the durations of single calls. The session calls it.
func (v *viewers) TakeCalls(from process.CallSource) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.calls = from
}

// TakeHot sets the hot lines that are written with the next frame. The session calls it.
func (v *viewers) TakeHot(h *report.HotZones) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.hot = h
}

// TakePicture gives the picture of an earlier frame to all streams. The session calls it.
func (v *viewers) TakePicture(index uint64, p *report.Picture) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, r := range v.streams {
		r.TakePicture(index, p)
	}
}
