package export

import (
	"container/heap"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// stateTarget is a target that can hold states of lanes. The states of a track are in order and do not overlap.
type stateTarget interface {
	state(on track, title string, q *gather.LaneState, begin, end int64)
	wake(number uint64, q *gather.LaneState, at int64)
}

// track is the track of some states: beside a lane, or for the whole program (lane 0) a track of their kind.
type track struct {
	lane gather.LaneID
	kind gather.StateKind // 0 with a lane
}

// name returns the name of a track of states.
func (t track) name() string {
	if t.lane != 0 {
		return "states"
	}
	return t.kind.String()
}

// States are held back, because an execution trace brings states of earlier seconds. A state is held until frames are
// this many nanoseconds after its beginning, or until this many states are held.
const (
	stateDelay = 10e9
	mostStates = report.MaxStates
)

// states has the states of a file.
type states struct {
	waiting waitingStates
	ends    map[track]int64 // ends of the latest states written
	frames  spans           // times of the frames in the file
	arrows  uint64          // number of arrows so far
	cut     uint64
}

// waitingState is a state with its times in nanoseconds.
type waitingState struct {
	gather.LaneState
	begin, end int64
	number     int // keeps the order of states with equal beginnings
	woken      bool
	name, by   string // of the lane, and of the waker
}

// waitingStates is a heap by beginnings.
type waitingStates struct {
	list  []waitingState
	count int
}

// Len and the next four methods are those of heap.Interface.
func (h *waitingStates) Len() int      { return len(h.list) }
func (h *waitingStates) Swap(i, k int) { h.list[i], h.list[k] = h.list[k], h.list[i] }
func (h *waitingStates) Push(x any)    { h.list = append(h.list, x.(waitingState)) }

func (h *waitingStates) Less(i, k int) bool {
	a, b := &h.list[i], &h.list[k]
	return a.begin < b.begin || a.begin == b.begin && a.number < b.number
}

func (h *waitingStates) Pop() any {
	n := len(h.list) - 1
	q := h.list[n]
	h.list[n] = waitingState{}
	h.list = h.list[:n]
	return q
}

// TakeStates takes the states of a frame that is not written itself. These states may lie in frames that the file has:
// see [gather.Frame.States]. States of other times, and of goroutines that the file does not have so far, are left out.
// Before the first frame it does nothing. The command "iprof export" calls it for frames that are not chosen.
func (x *Frames) TakeStates(f *gather.Frame) {
	if _, has := x.target.(stateTarget); !has || !x.began || !(f.TicksPerSecond > 0) {
		return
	}
	for i := range f.States {
		q := waitingState{LaneState: f.States[i], begin: x.at(f, f.States[i].Begin), end: x.at(f, f.States[i].End)}
		on, known := x.lanes[q.Lane]
		if q.Lane != 0 && !known || q.end <= max(q.begin, 0) {
			continue
		}
		by, woken := x.lanes[q.Waker]
		q.name, q.by = on.name, by.name
		q.woken = woken && q.Kind == gather.StateWaiting && q.Lane != 0 && q.Waker != q.Lane && q.Waker != 0
		x.state.waiting.count++
		q.number = x.state.waiting.count
		heap.Push(&x.state.waiting, q)
	}
	x.writeStates(x.end-stateDelay, mostStates)
}

// Overlaps returns the number of states that were cut or left out because another state of the same goroutine is at the
// same time. No viewer can draw both. It is 0 for formats without states. Close makes it final.
func (x *Frames) Overlaps() uint64 { return x.state.cut }

// writeStates writes the held states that begin before a time, and the first ones if more than most are held.
func (x *Frames) writeStates(before int64, most int) {
	h := &x.state.waiting
	for len(h.list) > 0 && (h.list[0].begin < before || len(h.list) > most) {
		q := heap.Pop(h).(waitingState)
		x.writeState(&q)
	}
}

// writeState writes a state. It cuts the part before the file's first frame, and the part in another state. If a known
// lane ended a wait, it also writes a wake.
func (x *Frames) writeState(q *waitingState) {
	s := &x.state
	if !s.frames.overlap(q.begin, q.end) {
		return
	}
	on := track{lane: q.Lane}
	if q.Lane == 0 {
		on.kind = min(q.Kind, gather.StateGone)
	}
	if len(s.ends) > mostLanes || s.ends == nil {
		s.ends = map[track]int64{}
	}
	begin := max(q.begin, s.ends[on])
	if begin > max(q.begin, 0) {
		s.cut++
	}
	if q.end <= begin {
		return
	}
	s.ends[on] = q.end
	to := x.target.(stateTarget)
	if q.Lane != 0 {
		x.target.lane(q.Lane, q.name)
	}
	to.state(on, (&timeline.Stretch{LaneState: q.LaneState}).Title(), &q.LaneState, begin, q.end)
	if q.woken {
		s.arrows++
		x.target.lane(q.Waker, q.by)
		to.wake(s.arrows, &q.LaneState, q.end)
	}
}

// spans are stretches of time in order. Touching stretches are joined.
type spans []span

type span struct{ begin, end int64 }

// mostSpans bounds the number of spans. The oldest are forgotten.
const mostSpans = 1 << 14

func (s *spans) add(begin, end int64) {
	if n := len(*s); n > 0 && begin <= (*s)[n-1].end {
		(*s)[n-1].end = max(end, (*s)[n-1].end)
		return
	}
	if len(*s) >= mostSpans {
		*s = slices.Delete(*s, 0, mostSpans/2)
	}
	*s = append(*s, span{begin, end})
}

// overlap reports whether any of the spans overlaps a stretch of time.
func (s spans) overlap(begin, end int64) bool {
	at, _ := slices.BinarySearchFunc(s, begin, func(q span, begin int64) int {
		if q.end <= begin {
			return -1
		}
		return 1
	})
	return at < len(s) && s[at].begin < end
}

// stateNotes calls add with each note on a state.
func stateNotes(q *gather.LaneState, add func(name, text string)) {
	for _, n := range [...][2]string{{"at", q.Place}, {"ended by", q.By}, {"ended at", q.At}} {
		if n[1] != "" {
			add(n[0], n[1])
		}
	}
}
