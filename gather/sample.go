//go:build !iprof_off

package gather

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// mostMembers bounds the nodes of a demoted subtree that are sampled.
const mostMembers = 32

// sample is what the timed runs of a demoted subtree say. The lane's goroutine writes it, the reader reads it.
type sample struct {
	members []*member
	around  around
	freaks  freaks
	lane    *Lane
	twins   int     // of the lane, when others was made
	others  []*node // the subtree's untimed nodes
}

// member is a node of the subtree.
type member struct {
	n      *node
	parent int // in members
	acc    platform.Ticks
	count  uint64
	block  struct { // what it had in the block
		self    platform.Ticks
		entries uint64
	}
	self    platform.Ticks         // in the run so far
	entries uint64                 // in the run so far
	freak   atomic.Uint64          // self time in freaks, fading: float64 bits
	y, c    atomic.Uint64          // sums of both over all runs, float64 bits
	spread  [spreads]atomic.Uint64 // that tell how much they differ: float64 bits, fading
	heard   heard
}

// The sums of member.spread, over runs of self time y and c entries.
const (
	spreadRuns = iota
	spreadY
	spreadC
	spreadYY
	spreadYC
	spreadCC
	spreads
)

// fadingRuns is what is left of a run's weight in these with the next.
const fadingRuns = 1 - 1.0/4096

// heard is what the reader keeps of a member.
type heard struct {
	y, c          float64                         // the sums at the last frame
	entries, self float64                         // since then, and without what timing took
	untimed       float64                         // entries in this frame
	usual         struct{ entries, self float64 } // of the frames before, fading
}

// list makes the nodes of the subtree the members: those that were there before keep their sums.
//
//go:norace
func (s *sample) list(l *Lane, top *node) {
	was := sample{members: s.members}
	s.lane, s.others, s.twins = l, nil, 0
	s.members = []*member{was.resume(top, -1)}
	for i := 0; i < len(s.members); i++ {
		for kid := l.seen[s.members[i].n.idx].kid; kid != 0 && len(s.members) < mostMembers; kid = l.seen[kid].next {
			s.members = append(s.members, was.resume(l.node(kid), i))
		}
	}
	s.around.self, s.around.entries = 0, 0
	s.mark()
}

// resume returns the member that n was, without what it had in the run that was broken off, or a new one.
func (s *sample) resume(n *node, parent int) *member {
	m := s.member(n.idx)
	if m == nil {
		m = &member{n: n}
	}
	m.parent, m.self, m.entries = parent, 0, 0
	return m
}

// member returns the member that is node i of the lane, nil if there is none.
func (s *sample) member(i uint32) *member {
	for _, m := range s.members {
		if m.n.idx == i {
			return m
		}
	}
	return nil
}

// mark begins a timed block: what the members have now does not belong to it.
//
//go:norace
func (s *sample) mark() {
	for _, m := range s.members {
		m.acc, m.count = m.n.acc, m.n.count
		m.block.self = 0
	}
	s.markAround()
}

// note ends it. It returns how many entries were timed that are counted otherwise; 0 if that is not sure, since there are more
// members than are known.
//
//go:norace
func (s *sample) note() (pairs uint64) {
	top := s.members[0]
	if top.n.count == top.count || top.n.acc < 0 {
		top.block.entries = 0
		return 0
	}
	for i := len(s.members) - 1; i >= 0; i-- {
		m := s.members[i]
		took := m.n.acc - m.acc
		m.block.self += took
		m.block.entries = m.n.count - m.count
		if m.parent >= 0 {
			s.members[m.parent].block.self -= took
		}
		if m.n.flag&flagDemoted != 0 {
			pairs += m.block.entries
		}
	}
	if len(s.members) == mostMembers {
		return 0
	}
	return pairs
}

// keep adds what was noted to the run.
//
//go:norace
func (s *sample) keep() {
	for _, m := range s.members {
		m.self += m.block.self
		m.entries += m.block.entries
	}
}

// tell adds what the run's timed blocks had to the sums.
//
//go:norace
func (s *sample) tell() {
	s.tellFreaks()
	if s.around.entries > 0 {
		s.around.tell()
	}
	if s.members[0].entries == 0 {
		return
	}
	for _, m := range s.members {
		m.tell()
	}
}

// pairsTimed is how many entries of what is demoted in the subtree were timed; 0 if that would take long.
//
//go:norace
func (s *sample) pairsTimed() (pairs uint64) {
	if len(s.members) == mostMembers {
		return 0
	}
	for _, m := range s.members {
		if m.n.flag&flagDemoted != 0 {
			pairs += m.n.count
		}
	}
	return pairs
}

// untimed is how many entries of the subtree were counted instead; 0 if that would take long.
//
//go:norace
func (s *sample) untimed() (pairs uint64) {
	if len(s.members) == mostMembers {
		return 0
	}
	if g, top := s.lane.governed, s.members[0].n.idx; s.twins != len(g.twins) {
		s.others, s.twins = s.others[:0], len(g.twins)
		for i := range g.twins {
			if g.twins[i].top == top {
				s.others = append(s.others, s.lane.node(g.twins[i].untimed))
			}
		}
	}
	for _, n := range s.others {
		pairs += n.count
	}
	return pairs
}

//go:norace
func (m *member) tell() {
	y, c := float64(m.self), float64(m.entries)
	m.self, m.entries = 0, 0
	publishFloat(&m.y, loadFloat(&m.y)+y)
	publishFloat(&m.c, loadFloat(&m.c)+c)
	for i, v := range [spreads]float64{1, y, c, y * y, y * c, c * c} {
		publishFloat(&m.spread[i], loadFloat(&m.spread[i])*fadingRuns+v)
	}
}
