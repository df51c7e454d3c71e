package importer

import (
	"math"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// arrow is the beginning of a flow.
type arrow struct {
	from *lane
	at   int64
	used bool // the arrow has an end
}

// arrival is a flow from one lane to another.
type arrival struct {
	from, to  *lane
	sent, got int64
	name      string
}

// flow adds an event of a flow. An arrow leads from the lane of each to that of the next.
func (c *chrome) flow(id []byte, e *event, at int64, kind byte) {
	if c.exported { // these flows repeat the states
		return
	}
	key := string(id)
	if e.bind == nil {
		key += " " + string(plain(e.cat))
	}
	l, before := c.lane(e), c.arrows[key]
	if kind != 's' && before == nil {
		c.leave(leftFlows, 1)
		return
	}
	if kind != 's' && before.from != l && before.at <= at {
		name := string(e.nameOf())
		c.arrivals = append(c.arrivals, arrival{before.from, l, before.at, at, name})
		c.hold(stateSize + len(name))
	}
	if before != nil && kind == 's' && !before.used {
		c.leave(leftFlows, 1)
	}
	if kind == 'f' {
		delete(c.arrows, key)
		return
	}
	if before == nil {
		c.hold(laneSize + len(key))
	}
	c.arrows[key] = &arrow{l, at, kind != 's'}
}

// leaveArrows leaves out flows without an end.
func (c *chrome) leaveArrows() {
	for _, a := range c.arrows {
		if !a.used {
			c.leave(leftFlows, 1)
		}
	}
}

// giveArrivals converts flows to waits: a lane without an open slice waited from the sending of the flow to the slice
// at its end. If the lane had an open slice, the wait has the least length.
func (t *Trace) giveArrivals() {
	sort.SliceStable(t.arrivals, func(i, k int) bool { return t.arrivals[i].got < t.arrivals[k].got })
	waited := map[*lane]int64{} // end of the last wait
	for _, a := range t.arrivals {
		if a.from.id == 0 || a.to.id == 0 {
			t.leave(leftFlows, 1)
			continue
		}
		got := max(a.got, t.begin)
		begin := min(max(a.sent, a.to.restSince(got), t.begin), got-1)
		if until, before := waited[a.to]; before {
			begin = max(begin, until)
		}
		if begin >= got {
			t.leave(leftHidden, 1)
			continue
		}
		waited[a.to] = got
		t.states = append(t.states,
			gather.LaneState{Lane: a.to.id, Kind: gather.StateWaiting, Begin: platform.Ticks(begin),
				End: platform.Ticks(got), Reason: a.name, Waker: a.from.id})
	}
	t.arrivals = nil
}

// restSince returns the last time before a time at which a lane began something. It returns the time itself if the lane
// just began something.
func (l *lane) restSince(at int64) int64 {
	n := len(l.steps)
	for low := 0; low < n; { // the first step at or behind the time
		if mid := (low + n) / 2; l.steps[mid].at < at {
			low = mid + 1
		} else {
			n = mid
		}
	}
	if n == 0 {
		return math.MinInt64
	}
	if !l.steps[n-1].end {
		return at - 1
	}
	return l.steps[n-1].at
}
