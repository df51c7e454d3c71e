package process

import (
	"math"
	"slices"
	"unicode/utf8"

	"example.com/iprof/gather"
)

// A frame waits for another goroutine if that ended its waits, as states say: see gather.LaneState.Waker. Without such
// states it is a conclusion: the other worked just as long as the frame waited, and not all the time.

// joinShare is the least share of the waiting time that other goroutines must explain.
const joinShare = 0.5

// alike is how much the times of the waiting and the working goroutine may differ, as a share of the frame.
const alike = 0.1

// waitedFor returns how long the goroutine that ended a frame waited for others, in ms, and the place in lanes.list of
// the one it waited for longest, -1 if it did not or that is not known.
func (s *Session) waitedFor(p *pastFrame) (ms float64, lane int32) {
	if p.lost || p.length-p.busy < alike*p.length {
		return 0, -1
	}
	if ms, lane, known := s.waitedInStates(p); known {
		return ms, lane
	}
	lane, best := -1, alike*p.length
	for i := range p.lanes {
		l := &p.lanes[i]
		if !l.worker() {
			continue
		}
		busy := p.busyOf(l)
		if off := math.Abs(busy - (p.length - p.busy)); off <= best && busy < boundShare*p.length {
			ms, lane, best = busy, l.place, off
		}
	}
	return ms, lane
}

// busyOf returns the time in ms in the zones of a lane that are not idle.
func (p *pastFrame) busyOf(l *laneRecords) (busy float64) {
	for _, r := range p.records[l.from+1 : l.to] {
		if r.path&idleBit == 0 {
			busy += float64(r.self)
		}
	}
	return busy * p.perTick
}

// waitedInStates is waitedFor by the states of the goroutine. They are not known if it has none that it waited in.
func (s *Session) waitedInStates(p *pastFrame) (ms float64, lane int32, known bool) {
	if lane = -1; !s.states.any() {
		return 0, lane, false
	}
	updater, sums := p.updatedBy(&s.lanes), s.wakers[:0]
	s.states.each(p.from, p.to, func(q *gather.LaneState) {
		if q.Lane != updater || q.Kind != gather.StateWaiting {
			return
		}
		if known = true; q.Waker == 0 || q.Waker == updater {
			return
		}
		at := slices.IndexFunc(sums, func(w waker) bool { return w.lane == q.Waker })
		if at < 0 {
			at = len(sums)
			sums = append(sums, waker{lane: q.Waker})
		}
		part := float64(min(q.End, p.to)-max(q.Begin, p.from)) * p.perTick
		sums[at].ms += part
		ms += part
	})
	s.wakers = sums
	most := 0.0
	for _, w := range sums {
		if at, ok := s.lanes.index[w.lane]; ok && w.ms > most {
			most, lane = w.ms, int32(at)
		}
	}
	return ms, lane, known
}

// waker is a goroutine that ended waits of another, and how long these were.
type waker struct {
	lane gather.LaneID
	ms   float64
}

// setJoined fills in whom the frames of a view waited for. Means have no name: it changes from frame to frame.
func (s *Session) setJoined(i *FrameInfo, v *View, p *pastFrame, mean float64) {
	if v.Lane != 0 {
		return
	}
	if i.Joined = mean; i.Averaged() {
		return
	}
	lane := int32(-1)
	if i.Joined, lane = s.waitedFor(p); lane >= 0 {
		i.Worker = s.lanes.list[lane].name
	}
}

// mostWorker is the most bytes of a goroutine's name in the words about a bound.
const mostWorker = 24

// appendWorker appends " for worker 2" to "waiting", if the frame waited for that.
func (i *FrameInfo) appendWorker(dst []byte) []byte {
	name := i.Worker
	switch {
	case !i.joined():
		return dst
	case name == "":
		name = "other goroutines"
	case len(name) > mostWorker:
		cut := mostWorker
		for cut > 0 && !utf8.RuneStart(name[cut]) {
			cut--
		}
		name = name[:cut]
	}
	return append(append(dst, " for "...), name...)
}

// joined reports whether most of the waiting was for other goroutines.
func (i *FrameInfo) joined() bool {
	return i.Joined > joinShare*i.Waiting() && i.Waiting() > alike*i.Length
}
