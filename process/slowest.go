package process

import "example.com/iprof/process/internal/history"

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
func (s *Session) AppendSlowest(dst []FrameSummary) []FrameSummary {
	s.lock()
	defer s.mu.Unlock()
	return s.appendSlowest(dst)
}

func (s *store) appendSlowest(dst []FrameSummary) []FrameSummary {
	for i := range s.slow.Frames {
		f := s.slow.Frames[i].FrameSummary
		f.HasReport = true
		dst = append(dst, f)
	}
	return dst
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

func (s *builder) showFrame(index uint64) bool {
	for seq := s.past.First(); seq < s.past.Next; seq++ {
		if p := s.past.At(seq); p.Index == index && !p.Lost {
			s.view.Age, s.view.Kept, s.view.Lens = int(s.past.Next-1-seq), 0, Lens{}
			return true
		}
	}
	if s.slow.Find(index) == nil {
		return false
	}
	s.view.Kept, s.view.Lens = index+1, Lens{}
	return true
}

// shown returns the frame that a view shows, from the history or from the kept ones, or nil.
func (s *store) shown(v *View) *history.Frame {
	if v.Kept > 0 {
		return s.slow.Find(v.Kept - 1)
	}
	return s.past.Age(v.Age)
}
