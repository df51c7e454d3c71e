package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// AppendSlowest appends the frames with the most judged time (FrameSummary.Judged) since start or Reset, the slowest
// first. ShowFrame shows any of them, also after it left the history. Any goroutine may call it.
func (s *Session) AppendSlowest(dst []report.FrameSummary) []report.FrameSummary {
	s.lock()
	defer s.mu.Unlock()
	return s.store.AppendSlowest(dst)
}

// ClearSlowest empties the list of the slowest frames that screens show, for all views. Later frames fill it again.
// Session.AppendSlowest does not change. Any goroutine may call it.
func (v *View) ClearSlowest() {
	v.session.change()
	defer v.unlock()
	v.store.Slow.Ranked = v.store.Slow.Ranked[:0]
}

// PictureSink is a sink that also takes the pictures of frames. AddSink calls TakePicture some frames after it has
// handed out the frame of that index. The sink may keep the picture.
type PictureSink interface {
	gather.Sink
	TakePicture(index uint64, p *report.Picture)
}

// inProgress is the frame in progress of the running program.
type inProgress struct {
	index uint64
	start platform.Ticks
}

// begin begins the frame after one that has ended.
func (p *inProgress) begin(ended *gather.Frame) { p.index, p.start = ended.Index+1, ended.End }

// FrameInProgress returns the index that the frame in progress will have, and its time so far as a share of the time
// above which a frame is kept as slow. That is the budget, or if the list of slow frames is full, the time of its
// fastest frame, if that is longer. running is false in sessions other than the running program's. Any goroutine may
// call it.
func (s *Session) FrameInProgress() (index uint64, share float64, running bool) {
	s.lock()
	defer s.mu.Unlock()
	s.frames.front.mu.Lock()
	progress := s.frames.front.progress
	s.frames.front.mu.Unlock()
	need := s.store.Budget.Seconds()
	if n := len(s.store.Slow.Frames); n > 0 && n >= s.store.Slow.Limit() {
		need = max(need, s.store.Slow.Frames[n-1].JudgedMS()/1000)
	}
	if need > 0 {
		share = float64(max(platform.Now()-progress.start, 0)) / platform.TicksPerSecond() / need
	}
	return progress.index, share, s.store.Running()
}

// WantsPicture reports whether a frame is one of the kept slowest frames, over budget and without a picture. decided is
// false while the session does not have the frame yet. Any goroutine may call it.
func (s *Session) WantsPicture(index uint64) (wanted, decided bool) {
	s.lock()
	defer s.mu.Unlock()
	if p := s.store.Past.Age(0); p == nil || p.Index < index {
		return false, false
	}
	f := s.store.Slow.Find(index)
	return f != nil && f.Over && f.Picture == nil, true
}

// SetPicture sets the picture of one of the kept slowest frames. The session drops it with the frame. Invalid pictures,
// and pictures of other frames, are ignored. The session keeps the picture, so the caller must not change it. Any
// goroutine may call it.
func (s *Session) SetPicture(index uint64, p *report.Picture) {
	s.lock()
	defer s.mu.Unlock()
	f := s.store.Slow.Find(index)
	if f == nil || !p.Valid() {
		return
	}
	f.Picture = p
	s.store.Gen++
	for _, k := range s.sinks.list {
		if k, ok := k.Sink.(PictureSink); ok {
			k.TakePicture(index, p)
		}
	}
}

// Picture returns the picture of a frame, or nil. Any goroutine may call it.
func (s *Session) Picture(index uint64) *report.Picture {
	s.lock()
	defer s.mu.Unlock()
	return s.store.Picture(index)
}
