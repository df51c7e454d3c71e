package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// TimelineScope is one entry of a zone: when it began and when it ended.
type TimelineScope struct {
	Lane       uint64
	Zone       int32
	Level      int32   // scopes open around it: 0 is outermost
	Begin, End float64 // ms from the beginning of the frame asked for, cut off at the ends of what is told
	Before     bool    // it began before that, or its beginning has been overwritten
	After      bool    // it was still open at the end
}

// TimelineState says what there is of a lane's events in a frame.
type TimelineState uint8

// The states. Events are kept while gather.SetEvents says so, as many as it says; the oldest are overwritten.
const (
	TimelineOff   TimelineState = iota // the lane keeps no events
	TimelineWhole                      // all that happened in the frame
	TimelineCut                        // the frame's later part: the earlier has been overwritten, or was not kept yet
	TimelineGone                       // nothing: it has been overwritten, or was not kept yet
)

// TimelineLane is a lane of a timeline.
type TimelineLane struct {
	ID    uint64
	Name  string
	State TimelineState
	From  float64 // ms from the beginning of the frame: its events are all there from then on
}

// OwnLane stands for the lane of the goroutine that asks.
const OwnLane = ^uint64(0)

// AppendTimeline appends every scope of the frame of an age on one lane, or with 0 on all lanes of that frame, in the order of
// AppendTimelineLanes; OwnLane is the caller's. On each level of a lane scopes come in the order of time and do not overlap.
// It has what the rings of events still hold, see gather.SetEvents, and while the session is paused what they held then;
// AppendTimelineLanes says how much that is. It takes as long as the frame has events, however many the rings hold, and
// allocates nothing in steady state.
func (s *Session) AppendTimeline(dst []TimelineScope, lane uint64, age int) []TimelineScope {
	return s.AppendTimelineRange(dst, lane, age, 0, 0)
}

// AppendTimelineRange is AppendTimeline with so many older and newer frames besides, as far as they follow each other without
// a pause between them: see AppendTimelineFrames. A scope that goes over the border of two frames is one.
func (s *Session) AppendTimelineRange(dst []TimelineScope, lane uint64, age, older, newer int) []TimelineScope {
	if lane == OwnLane {
		if lane = gather.OwnLane(); lane == 0 {
			return dst
		}
	}
	s.lock()
	defer s.mu.Unlock()
	w, ok := s.window(age, older, newer)
	if !ok {
		return dst
	}
	s.timeline.lanes = s.appendTimelineLanes(s.timeline.lanes[:0], w)
	for i := range s.timeline.lanes {
		if l := &s.timeline.lanes[i]; (lane == 0 || lane == l.ID) && (l.State == TimelineWhole || l.State == TimelineCut) {
			dst = s.appendScopes(dst, l.ID, w)
		}
	}
	return dst
}

// AppendTimelineLanes appends the lanes of the frame of an age, in the frame's own order, each with what there is of its events.
func (s *Session) AppendTimelineLanes(dst []TimelineLane, age int) []TimelineLane {
	s.lock()
	defer s.mu.Unlock()
	w, ok := s.window(age, 0, 0)
	if !ok {
		return dst
	}
	return s.appendTimelineLanes(dst, w)
}

// TimelineFrame is a frame on the time axis of another.
type TimelineFrame struct {
	Index      uint64
	Age        int
	Begin, End float64 // ms from the beginning of the frame asked for
}

// AppendTimelineFrames appends the frame of an age and so many older and newer ones, oldest first, as far as they follow each
// other without a pause between them.
func (s *Session) AppendTimelineFrames(dst []TimelineFrame, age, older, newer int) []TimelineFrame {
	s.lock()
	defer s.mu.Unlock()
	w, ok := s.window(age, older, newer)
	if !ok {
		return dst
	}
	for seq := w.first.seq; seq <= w.last.seq; seq++ {
		p := s.past.at(seq)
		dst = append(dst, TimelineFrame{p.Index, int(s.past.next - 1 - seq), w.ms(p.from), w.ms(p.to)})
	}
	return dst
}

// window is a stretch of frames, with times from the beginning of one of them.
type window struct {
	first, last *pastFrame
	origin      platform.Ticks
	perTick     float64
}

func (w *window) ms(t platform.Ticks) float64 { return float64(t-w.origin) * w.perTick }

// window finds the frame of an age with its neighbours.
func (s *Session) window(age, older, newer int) (w window, ok bool) {
	p := s.past.age(age)
	if p == nil || p.to <= p.from {
		return w, false
	}
	w = window{p, p, p.from, p.perTick}
	for ; older > 0 && w.first.seq > s.past.first() && adjoin(s.past.at(w.first.seq-1), w.first); older-- {
		w.first = s.past.at(w.first.seq - 1)
	}
	for ; newer > 0 && w.last.seq+1 < s.past.next && adjoin(w.last, s.past.at(w.last.seq+1)); newer-- {
		w.last = s.past.at(w.last.seq + 1)
	}
	return w, true
}

// adjoin reports whether nothing but a gap no longer than the frames lies between them.
func adjoin(a, b *pastFrame) bool {
	return b.from >= a.to && b.from-a.to <= max(a.to-a.from, b.to-b.from) && a.perTick == b.perTick && a.to > a.from && b.to > b.from
}
