package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// keep sets the number of kept frames: 0 for the default, below 0 none.
func (s *store) keep(frames int) {
	s.slow.Most = min(frames, history.MaxKept)
	for len(s.slow.Frames) > s.slow.Limit() {
		s.slow.Pop()
	}
	s.reader().TrimSlow()
}

// AppendSlowest appends the frames with the most busy time since start or Reset, the slowest first. ShowFrame shows any
// of them, also after it left the history. Any goroutine may call it.
func (s *Session) AppendSlowest(dst []report.FrameSummary) []report.FrameSummary {
	s.lock()
	defer s.mu.Unlock()
	return s.appendSlowest(dst)
}

// appendSlowest appends the slowest frames that are kept whole, the slowest first.
func (s *store) appendSlowest(dst []report.FrameSummary) []report.FrameSummary {
	for i := range s.slow.Frames {
		f := s.slow.Frames[i].FrameSummary
		f.HasReport = true
		dst = append(dst, f)
	}
	return dst
}

// appendRanked appends the summaries of the slowest frames. Those that are kept whole have a report.
func (s *store) appendRanked(dst []report.FrameSummary) []report.FrameSummary {
	for _, f := range s.slow.Ranked {
		f.HasReport = s.slow.Find(f.Index) != nil
		dst = append(dst, f)
	}
	return dst
}

// ClearSlowest empties the list of the slowest frames that screens show. Later frames fill it again. What
// AppendSlowest appends stays. Any goroutine may call it.
func (s *Session) ClearSlowest() {
	s.change()
	defer s.mu.Unlock()
	s.slow.Ranked = s.slow.Ranked[:0]
}

// ShowFrame shows the frame of an index (FrameSummary.Index), from the history or from the kept slowest, and switches
// the lens off. It reports whether there is such a frame; if not, the view stays. Any goroutine may call it.
func (s *Session) ShowFrame(index uint64) bool {
	s.change()
	defer s.mu.Unlock()
	found := s.showFrame(index)
	s.follow()
	return found
}

// showFrame shows the frame of an index, and reports whether there is one.
func (s *builder) showFrame(index uint64) bool {
	for seq := s.past.First(); seq < s.past.Next; seq++ {
		if p := s.past.At(seq); p.Index == index && !p.Lost {
			s.view.Age, s.view.Kept, s.view.Lens = int(s.past.Next-1-seq), 0, report.Lens{}
			return true
		}
	}
	if s.slow.Find(index) == nil {
		return false
	}
	s.view.Kept, s.view.Lens = index+1, report.Lens{}
	return true
}

// shown returns the frame that a view shows, from the history or from the kept ones, or nil.
func (s *store) shown(v *report.View) *history.Frame {
	if v.Kept > 0 {
		return s.slow.Find(v.Kept - 1)
	}
	return s.past.Age(v.Age)
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
	begun platform.Ticks
}

// begin begins the frame after one that has ended.
func (p *inProgress) begin(ended *gather.Frame) { p.index, p.begun = ended.Index+1, ended.End }

// FrameInProgress returns the index that the frame in progress will have, and how much time is over since it began, as
// a share of what it takes to be kept as a slow frame: more than the budget, and than the least slow one of those kept
// if they are as many as may be. There is one only in the running program's session. Any goroutine may call it.
func (s *Session) FrameInProgress() (index uint64, share float64, running bool) {
	s.lock()
	defer s.mu.Unlock()
	s.front.mu.Lock()
	progress := s.front.progress
	s.front.mu.Unlock()
	need := s.budget.Seconds()
	if n := len(s.slow.Frames); n > 0 && n >= s.slow.Limit() {
		need = max(need, s.slow.Frames[n-1].BusyMS/1000)
	}
	if need > 0 {
		share = float64(platform.Now()-progress.begun) / platform.TicksPerSecond() / need
	}
	return progress.index, share, s.running()
}

// WantsPicture reports whether a frame is one of the slowest that are kept, over budget and without a picture. It is
// not decided while the session does not have the frame yet. Any goroutine may call it.
func (s *Session) WantsPicture(index uint64) (wanted, decided bool) {
	s.lock()
	defer s.mu.Unlock()
	if p := s.past.Age(0); p == nil || p.Index < index {
		return false, false
	}
	f := s.slow.Find(index)
	return f != nil && f.Over && f.Picture == nil, true
}

// SetPicture gives one of the slowest frames that are kept its picture. It goes with the frame. Pictures that are not
// valid, or of other frames, are ignored. The session keeps the picture; nobody may change it any more. Any goroutine
// may call it.
func (s *Session) SetPicture(index uint64, p *report.Picture) {
	s.lock()
	defer s.mu.Unlock()
	f := s.slow.Find(index)
	if f == nil || !p.Valid() {
		return
	}
	f.Picture = p
	s.gen++
	for _, k := range s.sinks {
		if k, ok := k.Sink.(PictureSink); ok {
			k.TakePicture(index, p)
		}
	}
}

// Picture returns the picture of a frame, nil if there is none. Any goroutine may call it.
func (s *Session) Picture(index uint64) *report.Picture {
	s.lock()
	defer s.mu.Unlock()
	return s.picture(index)
}

// appendPictures appends the pictures of the slowest frames.
func (s *store) appendPictures(dst []report.FramePicture) []report.FramePicture {
	for i := range s.slow.Frames {
		if f := &s.slow.Frames[i]; f.Picture != nil {
			dst = append(dst, report.FramePicture{Frame: f.Index, Picture: f.Picture})
		}
	}
	return dst
}

// picture returns the picture of a frame, nil if there is none.
func (s *store) picture(index uint64) *report.Picture {
	if f := s.slow.Find(index); f != nil {
		return f.Picture
	}
	return nil
}
