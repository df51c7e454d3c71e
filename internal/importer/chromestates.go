package importer

import (
	"encoding/json"
	"strconv"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// stateThreads is the number of the thread with the states of lane 0 in package export. The threads of states of the
// whole program have numbers just below.
const stateThreads = 1 << 30

// foundState is a state of a thread, with the keys in Trace.byKey of its lane ("" for the program) and of the waker's
// lane.
type foundState struct {
	gather.LaneState
	lane, waker string
}

// stateThread reports whether a thread of an event has states, and of which lane. It is true only in files of package
// export, because threads of other files may have such numbers, too.
func (c *chrome) stateThread(e *event) (key string, ok bool) {
	if !c.exported {
		return "", false
	}
	number, err := strconv.ParseUint(string(e.tid), 10, 64)
	if err != nil || number < stateThreads-measure.NumStateKinds {
		return "", false
	}
	if number >= stateThreads {
		key = threadKey(e, number-stateThreads)
	}
	return key, true
}

// threadKey is the key of a lane by its number in our own files.
func threadKey(e *event, lane uint64) string {
	return string(e.pid) + " " + strconv.FormatUint(lane+1, 10)
}

func (c *chrome) foundState(e *event, lane string) {
	begin, when, why := c.time(e.ts)
	end, bad := c.endOf(e, begin, when)
	var a struct {
		Kind  uint8
		At    string
		By    string `json:"ended by"`
		Ended string `json:"ended at"`
		Waker uint64
	}
	if why != "" || bad != "" || e.dur == nil || json.Unmarshal(e.args, &a) != nil {
		c.leave(leftTime, 1)
		return
	}
	kind := gather.StateKind(min(a.Kind, measure.NumStateKinds-1))
	q := foundState{lane: lane, LaneState: gather.LaneState{Kind: kind, Begin: platform.Ticks(begin),
		End: platform.Ticks(end), Place: a.At, By: a.By, At: a.Ended}}
	if q.Kind == gather.StateWaiting {
		_, q.Reason, _ = strings.Cut(string(e.nameOf()), "waiting for ")
	}
	if a.Waker > 0 {
		q.waker = threadKey(e, a.Waker)
	}
	c.found = append(c.found, q)
	c.hold(stateSize + len(a.At) + len(a.By) + len(a.Ended) + len(e.name))
}

// giveStates converts the found states to states of lanes, after the order of lanes is final.
func (t *Trace) giveStates() {
	for i := range t.found {
		q := &t.found[i]
		if l := t.byKey[q.lane]; l != nil {
			q.Lane = l.id
		}
		if l := t.byKey[q.waker]; l != nil {
			q.Waker = l.id
		}
		if q.Lane != 0 || q.lane == "" {
			t.states = append(t.states, q.LaneState)
		}
	}
	t.found = nil
}
