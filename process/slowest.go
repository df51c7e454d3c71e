package process

import (
	"cmp"
	"slices"
)

// The limits of the slowest frames kept.
const (
	defaultKept = 16
	maxKept     = 1024
	keptBytes   = 16 << 20 // of their records
)

// kept holds whole copies of the frames with the most busy time since start or Reset. They have reports after they left
// the history. The slowest is first.
type kept struct {
	most   int // greatest number of frames; 0 is defaultKept, below 0 none
	frames []pastFrame
	bytes  int
}

func (k *kept) limit() int { return max(cmp.Or(k.most, defaultKept), 0) }

// take keeps a frame if it is among the slowest. Of equally slow ones, the first stay.
func (k *kept) take(p *pastFrame) {
	n := k.limit()
	full := len(k.frames) >= n
	if n == 0 || full && p.busy <= k.frames[n-1].busy {
		return
	}
	at, _ := slices.BinarySearchFunc(k.frames, p.busy, func(have pastFrame, busy float64) int {
		if have.busy >= busy {
			return -1
		}
		return 1
	})
	var spare pastFrame
	if full {
		spare = k.pop()
	}
	k.frames = slices.Insert(k.frames, at, *p)
	k.frames[at].copyRecords(p, &spare)
	k.bytes += k.frames[at].bytes()
	for k.bytes > keptBytes && len(k.frames) > 1 {
		k.pop()
	}
}

// copyRecords replaces a frame's records by a copy of them, in the memory of a spare frame.
func (f *pastFrame) copyRecords(from, spare *pastFrame) {
	f.records = append(spare.records[:0], from.records...)
	f.lanes = append(spare.lanes[:0], from.lanes...)
	f.extras = append(spare.extras[:0], from.extras...)
}

// pop drops the least slow frame, and returns it for its memory.
func (k *kept) pop() pastFrame {
	last := &k.frames[len(k.frames)-1]
	f := *last
	k.bytes -= f.bytes()
	*last = pastFrame{}
	k.frames = k.frames[:len(k.frames)-1]
	return f
}

// find returns the kept frame of an index, or nil.
func (k *kept) find(index uint64) *pastFrame {
	for i := range k.frames {
		if k.frames[i].Index == index {
			return &k.frames[i]
		}
	}
	return nil
}

// SetSlowest sets how many of the slowest frames are kept whole beyond the history: 16 by default, at most 1,024. 0 or
// less keeps none. Their records take at most 16 MB; beyond that, fewer frames are kept. Those over budget keep their
// events, and those of two frames on either side: see gather.SetEvents and gather.EventCopy. Any goroutine may call it.
func (s *Session) SetSlowest(frames int) {
	s.change()
	defer s.mu.Unlock()
	if frames <= 0 {
		frames = -1
	}
	s.keep(frames)
}

// keep sets the number of kept frames: 0 for the default, below 0 none.
func (s *Session) keep(frames int) {
	s.slow.most = min(frames, maxKept)
	for len(s.slow.frames) > s.slow.limit() {
		s.slow.pop()
	}
	s.reader().trimSlow()
}

// AppendSlowest appends the frames with the most busy time since start or Reset, the slowest first. ShowFrame shows any
// of them, also after it left the history. Any goroutine may call it.
func (s *Session) AppendSlowest(dst []FrameSummary) []FrameSummary {
	s.lock()
	defer s.mu.Unlock()
	return s.appendSlowest(dst)
}

func (s *Session) appendSlowest(dst []FrameSummary) []FrameSummary {
	for i := range s.slow.frames {
		f := s.slow.frames[i].FrameSummary
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

func (s *Session) showFrame(index uint64) bool {
	for seq := s.past.first(); seq < s.past.next; seq++ {
		if p := s.past.at(seq); p.Index == index && !p.lost {
			s.view.Age, s.view.Kept, s.view.Lens = int(s.past.next-1-seq), 0, Lens{}
			return true
		}
	}
	if s.slow.find(index) == nil {
		return false
	}
	s.view.Kept, s.view.Lens = index+1, Lens{}
	return true
}

// shown returns the frame that a view shows, from the history or from the kept ones, or nil.
func (s *Session) shown(v *View) *pastFrame {
	if v.Kept > 0 {
		return s.slow.find(v.Kept - 1)
	}
	return s.past.age(v.Age)
}

// nearOver returns a kept frame over budget that is near another frame, or nil.
func (k *kept) nearOver(seq uint64) *pastFrame {
	for i := range k.frames {
		if f := &k.frames[i]; f.Over && near(f.seq, seq) {
			return f
		}
	}
	return nil
}

// near reports whether two frames are at most keptAround frames apart.
func near(a, b uint64) bool { return a <= b+keptAround && b <= a+keptAround }

// keptAround is the number of frames on either side of a slow frame whose events are copied with its own.
const keptAround = 2
