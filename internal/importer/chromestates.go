package importer

import (
	"strconv"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// stateThreads is the thread that package export gives the states of lane 0; see there. Those of the whole program are
// just below it.
const stateThreads = 1 << 30

// foundState is a state of a thread: the keys in Trace.byKey of its lane, "" for the program, and of the waker's.
type foundState struct {
	gather.LaneState
	lane, waker string
}

// stateThread reports whether a thread of an event has states, and of which lane, in a file of package export. The
// threads of other files may have such numbers, too.
func stateThread(e *event) (key string, ok bool) {
	number, err := strconv.ParseUint(string(e.Tid), 10, 64)
	if err != nil || number < stateThreads-gather.NumStateKinds {
		return "", false
	}
	if number >= stateThreads {
		key = threadKey(e, number-stateThreads)
	}
	return key, true
}

// threadKey is the key of a lane by its number in our own files.
func threadKey(e *event, lane uint64) string {
	return string(e.Pid) + " " + strconv.FormatUint(lane+1, 10)
}

func (t *Trace) foundState(e *event, lane string) {
	begin, ok := nanos(e.Ts)
	length, hasLength := nanos(e.Dur)
	if !ok || !hasLength {
		t.Skipped++
		return
	}
	a := &e.Args
	q := foundState{lane: lane, LaneState: gather.LaneState{Kind: gather.StateKind(min(a.Kind, gather.NumStateKinds-1)),
		Begin: platform.Ticks(begin), End: platform.Ticks(begin + length), Place: a.At, By: a.By, At: a.Ended}}
	if q.Kind == gather.StateWaiting {
		_, q.Reason, _ = strings.Cut(e.Name, "waiting for ")
	}
	if a.Waker > 0 {
		q.waker = threadKey(e, a.Waker)
	}
	t.found = append(t.found, q)
	t.hold(stateSize + len(a.At) + len(a.By) + len(a.Ended) + len(e.Name))
}

// giveStates turns the states that were found into those of lanes, whose order is final.
func (t *Trace) giveStates() {
	ids := map[*lane]gather.LaneID{nil: 0}
	for i, l := range t.lanes {
		ids[l] = gather.LaneID(i + 1)
	}
	for i := range t.found {
		q := &t.found[i]
		q.Lane, q.Waker = ids[t.byKey[q.lane]], ids[t.byKey[q.waker]]
		if q.Lane != 0 || q.lane == "" {
			t.states = append(t.states, q.LaneState)
		}
	}
	t.found = nil
}
