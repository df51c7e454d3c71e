//go:build !iprof_off

package measure

import (
	"sync/atomic"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/measure/internal/calls"
	"example.com/iprof/internal/quiet"
	"example.com/iprof/platform"
)

// A call that takes far longer than its zone's usual calls is kept, with the times of the zones below it: see SlowCall.
// A call is known to be slow only at its end. So at each end of a counted call, its goroutine notes the times of the
// nodes below, as far as they have changed. The difference from the last note is their time in the call. The cost is a
// look at the nodes that the call has entered. Zones without counting pay nothing.

// countsCalls reports whether the calls of a zone are counted.
func (t *zoneTable) countsCalls(zone ZoneID) bool {
	return t.perCall.has(zone) || t.callsShown.has(zone)
}

// setCalls starts or stops counting a node's calls. The lane's goroutine calls it, with the mutex held.
//
//go:norace
func (l *laneOptions) setCalls(n *node, on bool) {
	switch was := n.flag&flagCalls != 0; {
	case on && was:
		n.more().calls.Usual = nil // calls can be judged now
	case on:
		if c := calls.New(n.acc, n.count); c != nil {
			n.more().calls = c
			n.flag |= flagCalls
			l.counting++
		}
	case !on && was:
		n.flag &^= flagCalls
		l.counting--
		n.more().calls.Free()
		if n.more().calls = nil; l.counting == 0 {
			l.forgetKnown()
		}
	}
}

// called counts a call that ended at time t. acc already contains its time.
//
//go:norace
//go:noinline
func called(n *node, acc, t platform.Ticks) {
	c := n.extra.Load().calls
	if took := c.Count(acc); singly.judge != nil {
		singly.judge(n, c, took, t)
	}
}

func loadEntries(n *node) uint64 { return atomic.LoadUint64(&n.count) }

// singly holds the functions for single calls. It is empty in programs that neither count calls nor keep events, so the
// linker leaves the code out. registry.mu guards it; goroutines read it once one of their nodes is counted.
var singly struct {
	judge  func(n *node, c *calls.Calls, took, t platform.Ticks)
	report func(f *Frame, move bool)
	read   func(l *Lane, dst []Calls, events bool) []Calls
}

// callSums is the time and the number of entries of a node in earlier calls.
type callSums struct {
	acc   platform.Ticks
	count uint64
}

const knownBytes = 16

// judgeCall keeps the call that has just ended at t if it is slow. The lane's goroutine calls it.
//
//go:norace
func judgeCall(n *node, c *calls.Calls, took, t platform.Ticks) {
	l := (*Lane)(n.slot.Lane)
	if l == nil || int(n.idx) >= len(l.base) {
		return
	}
	if c.Usual == nil {
		c.Usual = slowCalls.usualOf(l.base[n.idx].zone)
	}
	if c.Usual == &unjudged {
		return
	}
	if len(l.callSums) < len(l.base) {
		l.growKnown()
	}
	usual := platform.Ticks(0)
	if took >= 0 {
		usual = c.Usual.Learn(took, n.acc+t)
	}
	if usual == 0 || took-usual < slowCalls.least || n.isDropped() {
		l.follow(n, nil, 0)
		return
	}
	s := &SlowCall{Zone: l.base[n.idx].zone, Lane: l.id, Begin: t - took, End: t, Usual: usual}
	l.follow(n, s, 0)
	slowCalls.add(s)
}

// isDropped reports whether the node belongs to a hold that is discarded or undecided.
//
//go:norace
func (n *node) isDropped() bool { return n.flag&flagDrop != 0 || n.parent != nil && n.parent.inHold() }

// follow notes the times of the nodes below n. For a slow call it adds their times since the last note as parts. Holds,
// nodes without their own times, and nodes in the lane's table are no parts.
//
//go:norace
func (l *Lane) follow(n *node, s *SlowCall, level int32) {
	for _, kid := range &n.kids {
		for ; kid != nil; kid = kid.sib {
			was := &l.callSums[kid.idx]
			took, count := kid.acc-was.acc, kid.count-was.count
			if took == 0 && count == 0 || kid.acc < 0 {
				continue
			}
			was.acc, was.count = kid.acc, kid.count
			if s.hasRoomFor(took) && kid.flag&(flagHeld|flagPending|flagUntimed) == 0 {
				s.Parts = append(s.Parts, CallPart{l.base[kid.idx].zone, level, uint32(count), took})
			}
			l.follow(kid, s, level+1)
		}
	}
}

// hasRoomFor reports whether a part with this time deserves a place. A part longer than the call contains time from
// before the zone was counted. A nil call has no parts.
//
//go:norace
func (c *SlowCall) hasRoomFor(took platform.Ticks) bool {
	return c != nil && took <= c.End-c.Begin && took >= (c.End-c.Begin)/16 && len(c.Parts) < MaxCallParts
}

// growKnown makes room for new nodes, whose known time is 0.
//
//go:norace
func (l *Lane) growKnown() {
	more := len(l.base) - len(l.callSums)
	l.callSums = append(l.callSums, make([]callSums, more)...)
	budget.Add(budget.Nodes, int64(more)*knownBytes)
}

// forgetKnown frees the notes. The lane's mutex is held.
func (l *laneOptions) forgetKnown() {
	budget.Add(budget.Nodes, -int64(len(l.callSums))*knownBytes)
	l.callSums = nil
}

// restartKnown notes a node after a change of its time or its stack.
//
//go:norace
func (l *laneOptions) restartKnown(n *node) {
	if int(n.idx) < len(l.callSums) {
		l.callSums[n.idx] = callSums{n.acc, n.count}
	}
}

// slowCalls holds the slow calls for the next frame, and the usual durations. Only a slow call, and a zone's first call
// on a goroutine, lock its mutex.
var slowCalls slowCallList

type slowCallList struct {
	mu      quiet.Mutex
	list    []SlowCall
	dropped uint64
	usual   []*calls.Usual
	usualAt quiet.Index    // of zones, in usual
	least   platform.Ticks // over the usual
}

// leastSlow is the least time over the usual of a slow call, in seconds.
const leastSlow = 100e-6

// unjudged stands for the usual of zones that only displays count. Their calls are not judged.
var unjudged calls.Usual

// usualOf returns the usual duration of a zone's calls.
func (s *slowCallList) usualOf(zone ZoneID) *calls.Usual {
	if !zones.perCall.has(zone) {
		return &unjudged
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at, known := s.usualAt.Find(zoneAddress(zone))
	if !known {
		at = int32(len(s.usual))
		s.usualAt.Set(zoneAddress(zone), at)
		s.usual = append(s.usual, new(calls.Usual))
	}
	return s.usual[at]
}

// add keeps a call. If there are too many, it keeps those furthest over their usual.
func (s *slowCallList) add(c *SlowCall) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) < MaxSlowCalls {
		s.list = append(s.list, *c)
		return
	}
	s.dropped++
	least := 0
	for i := range s.list {
		if s.list[i].over() < s.list[least].over() {
			least = i
		}
	}
	if c.over() > s.list[least].over() {
		s.list[least] = *c
	}
}

// over returns the time of a call beyond its usual.
func (c *SlowCall) over() platform.Ticks { return c.End - c.Begin - c.Usual }

func (s *slowCallList) report(f *Frame, move bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.least = platform.Ticks(leastSlow * f.TicksPerSecond)
	f.SlowCalls, f.Dropped.Slow = append(f.SlowCalls[:0], s.list...), s.dropped
	if move {
		clear(s.list)
		s.list = s.list[:0]
	}
}
