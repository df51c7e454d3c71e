package process

import "example.com/iprof/gather"

// mostAwaited is how many finished frames wait for the times of foreign lanes, such as a GPU's.
const mostAwaited = 8

// awaited holds the finished frames that are not complete yet, oldest first. Without foreign lanes a frame is complete
// when it ends. With them the session shows the program a few frames late, with all that belongs to each frame.
type awaited struct {
	frames [mostAwaited + 1]waitingFrame
	first  int
	length int
}

type waitingFrame struct {
	gather.Frame
	paused bool // the session was, when it ended
}

// at returns a frame of the queue. at(length) is the free slot.
func (a *awaited) at(i int) *waitingFrame { return &a.frames[(a.first+i)%len(a.frames)] }

// settleAwaited takes in the frames that are complete, and the oldest if too many wait. now takes in all.
func (s *intake) settleAwaited(now bool) {
	a := &s.awaited
	for a.length > 0 {
		f := a.at(0)
		if !gather.Complete(&f.Frame, now || a.length > mostAwaited) {
			return
		}
		s.handOut(&f.Frame, true)
		if !f.paused { // valid, because package gather made it
			s.gen++
			s.take(&f.Frame)
			if s.paused { // it ended before the pause: the view stays
				s.view.Age++
				s.clamp(&s.view)
			}
		}
		a.first, a.length = (a.first+1)%len(a.frames), a.length-1
	}
}
