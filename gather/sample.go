//go:build !iprof_off

package gather

import "example.com/iprof/platform"

// mostMembers bounds the nodes of a demoted subtree that are sampled.
const mostMembers = 32

// sample is what the timed runs of a demoted subtree say. The lane's goroutine writes it, the reader reads it.
type sample struct {
	members []member
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
	self    platform.Ticks  // in the run so far
	entries uint64          // in the run so far
	freak   uint64          // self time in freaks, fading: float64 bits
	y, c    uint64          // sums of both over all runs, float64 bits
	spread  [spreads]uint64 // that tell how much they differ: float64 bits, fading
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

// newSample lists the members of the subtree: those that were there before keep their sums.
//
//go:norace
func (l *Lane) newSample(top *node, old *draw) (s sample) {
	s.lane = l
	s.members = append(s.members, member{n: top, parent: -1})
	for i := 0; i < len(s.members); i++ {
		for kid := l.seen[s.members[i].n.idx].kid; kid != 0 && len(s.members) < mostMembers; kid = l.seen[kid].next {
			s.members = append(s.members, member{n: l.node(kid), parent: i})
		}
	}
	if old != nil {
		s.freaks = old.freaks
		for i := range s.members {
			if was := old.member(s.members[i].n.idx); was != nil {
				parent := s.members[i].parent
				s.members[i] = *was
				s.members[i].parent, s.members[i].self, s.members[i].entries = parent, 0, 0
			}
		}
	}
	s.mark()
	return s
}

// member returns the member that is node i of the lane, nil if there is none.
func (s *sample) member(i uint32) *member {
	for m := range s.members {
		if s.members[m].n.idx == i {
			return &s.members[m]
		}
	}
	return nil
}

// mark begins a timed block: what the members have now does not belong to it.
//
//go:norace
func (s *sample) mark() {
	for i := range s.members {
		m := &s.members[i]
		m.acc, m.count = m.n.acc, m.n.count
		m.block.self = 0
	}
}

// note ends it. It returns how many entries were timed that are counted otherwise; 0 if that is not sure, since there are more
// members than are known.
//
//go:norace
func (s *sample) note() (pairs uint64) {
	top := &s.members[0]
	if top.n.count == top.count || top.n.acc < 0 {
		top.block.entries = 0
		return 0
	}
	for i := len(s.members) - 1; i >= 0; i-- {
		m := &s.members[i]
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
	for i := range s.members {
		m := &s.members[i]
		m.self += m.block.self
		m.entries += m.block.entries
	}
}

// tell adds what the run's timed blocks had to the sums.
//
//go:norace
func (s *sample) tell() {
	s.tellFreaks()
	if s.members[0].entries == 0 {
		return
	}
	for i := range s.members {
		m := &s.members[i]
		m.add(float64(m.self), float64(m.entries))
		m.self, m.entries = 0, 0
	}
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
func (m *member) add(y, c float64) {
	publishFloat(&m.y, loadFloat(&m.y)+y)
	publishFloat(&m.c, loadFloat(&m.c)+c)
	for i, v := range [spreads]float64{1, y, c, y * y, y * c, c * c} {
		publishFloat(&m.spread[i], loadFloat(&m.spread[i])*fadingRuns+v)
	}
}
