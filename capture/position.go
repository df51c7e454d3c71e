package capture

import (
	"math"

	"example.com/iprof/internal/framefile"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// position is the place of a recording or a stream in a ring. A reader copies the chunks of whole segments. If it
// begins or goes on within a segment, because it had no room for the frames before, it encodes the rest of that segment
// anew. So a slow reader costs the program and other readers nothing.
type position struct {
	next        uint64                // number of the next frame to be written
	taken       uint64                // number of the frame behind those that are being written
	joining     bool                  // next frames of the ring may have ended before the reader joined: none is for it
	stop        uint64                // frames from here on are dropped until all before are written
	ended       uint64                // number of the next frame at Close
	dropped     uint64                // frames so far, without those since stop
	lost        uint64                // dropped frames of which the capture does not say so yet
	definitions framefile.Definitions // what the capture has at the beginning of the segment
	copies      uint64                // number of the segment that is being copied, or 0
	transcoder  *transcoder           // of the segment that is encoded anew, or nil
}

// writes are the next writes of a reader.
type writes struct {
	picture      *report.FramePicture // before the rest, or nil
	readerChunks []byte               // chunks of the reader's own
	frameChunks  []byte               // with frames
	from, to     uint64               // numbers of the frames; to is excluded
	transcoder   *transcoder
	sets         []*process.Session
	staged       bool   // the next frames up to below wait for their events
	below        uint64 // number of a frame
	more         bool   // something waits after it
	last         bool
}

// begin makes the next frame the first one, or the first one after a gap.
func (r *Recorder) begin() {
	r.joining = false
	r.next = r.from.next
	r.taken = r.from.next
	r.stop = math.MaxUint64
}

// ready reports whether there is room for the next frame. If not, the reader stops before that frame.
func (r *Recorder) ready() bool {
	if r.closed || r.err != nil || r.stop < math.MaxUint64 {
		return false
	}
	if bytes, frames := r.from.behind(r.taken, r.limits.event); bytes > r.limits.bytes || frames >= r.limits.frames {
		r.stop = r.from.next
		return false
	}
	return true
}

// behind returns how much waits from a frame on.
func (r *ring) behind(frame uint64, event int) (bytes int, frames uint64) {
	for _, s := range r.segments {
		if s.end() > frame {
			bytes += len(s.bytes) - s.offset(frame) + len(s.stage.bytes) + s.stage.copied*event
		}
	}
	return bytes, r.next - frame
}

// needs returns the number of the oldest frame that must be kept for the reader.
func (r *Recorder) needs() uint64 {
	if r.err != nil || r.next >= r.stop {
		return math.MaxUint64
	}
	return r.next
}

// missing returns the number of frames dropped since stop.
func (r *Recorder) missing() uint64 {
	newest := r.from.next
	switch {
	case r.joining:
		return 0
	case r.closed:
		newest = r.ended
	}
	return newest - min(r.stop, newest)
}

// take replaces the written part by the next one. It returns false if nothing waits.
func (r *Recorder) take(w *writes) (some bool) {
	from := r.from
	from.mu.Lock()
	defer from.mu.Unlock()
	r.next = max(r.next, w.to)
	if r.late {
		r.skip()
	}
	*w = writes{readerChunks: r.ownChunks, below: from.next, sets: from.sets}
	r.ownChunks, r.spare = r.spare[:0], w.readerChunks
	if len(r.pictures) > 0 && r.pictures[0].after <= r.next {
		w.picture = &r.pictures[0].FramePicture
		r.pictures = r.pictures[1:]
	}
	if r.next == r.stop && !r.joining {
		r.goOn(w)
	}
	s := from.find(r.next)
	if s == nil || w.last || r.next >= r.stop {
		w.staged, w.more = s == nil && !w.last && r.next < min(r.stop, from.next), r.waits(r.next)
		return len(w.readerChunks) > 0 || w.picture != nil || w.staged || w.last
	}
	r.enter(s, w)
	w.from, w.to, w.transcoder = r.next, min(s.done(), r.stop), r.transcoder
	r.taken, w.more = w.to, r.waits(w.to)
	begin := w.from
	if w.transcoder != nil {
		begin = w.transcoder.next
	}
	w.frameChunks = s.bytes[s.offset(begin):s.offset(w.to)]
	return true
}

// waits reports whether something is to be written or to be done when all frames before a number are written.
func (r *Recorder) waits(frame uint64) bool {
	return frame < r.from.next || len(r.pictures) > 0 || r.stop < math.MaxUint64
}

// skip drops the waiting frames but the newest.
func (r *Recorder) skip() {
	to := min(r.stop, max(r.from.next, 1)-1)
	if r.late = false; r.closed || to <= r.next {
		return
	}
	r.lost, r.dropped = r.lost+to-r.next, r.dropped+to-r.next
	r.next, r.taken = to, to
	r.restart()
}

// restart is called before the reader goes on elsewhere than behind what it has written.
func (r *Recorder) restart() {
	if r.transcoder == nil {
		r.copies, r.definitions.Unsure = 0, true
	}
}

// goOn is called when all frames before stop are written. It goes on with the next frame that ends, or ends.
func (r *Recorder) goOn(w *writes) {
	n := r.missing()
	r.lost, r.dropped = r.lost+n, r.dropped+n
	r.begin()
	if r.closed {
		w.readerChunks, w.last = r.finish(w.readerChunks), true
		return
	}
	r.restart()
}

// finish appends the end of a capture without the index.
func (r *Recorder) finish(dst []byte) []byte {
	dst = r.tellLost(dst)
	for i := range r.pictures {
		dst = framefile.AppendPicture(dst, &r.pictures[i].FramePicture)
	}
	return r.ending.AppendAll(dst)
}

// tellLost appends the number of frames dropped since the last frame written.
func (r *Recorder) tellLost(dst []byte) []byte {
	if r.lost > 0 {
		dst = framefile.AppendLost(dst, r.lost)
		r.lost = 0
	}
	return dst
}

// enter prepares to read a segment.
func (r *Recorder) enter(s *segment, w *writes) {
	w.readerChunks = r.tellLost(w.readerChunks)
	switch {
	case s.number == r.copies || r.transcoder != nil && s.number == r.transcoder.number:
		return
	case r.copies > 0 && s.number == r.copies+1:
		r.definitions, r.copies = s.definitions, s.number
		return
	case r.transcoder != nil:
		r.definitions, r.transcoder = r.transcoder.encoder.Has, nil
	}
	if s.first < r.next {
		r.transcoder, r.copies = newTranscoder(s, &r.definitions), 0
		return
	}
	w.readerChunks = r.definitions.Append(w.readerChunks, &s.definitions)
	r.definitions, r.copies = s.definitions, s.number
}
