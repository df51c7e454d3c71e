//go:build !iprof_off

package gather

import (
	"math"

	"example.com/iprof/platform"
)

// mostMembers bounds the nodes of a demoted subtree that are sampled.
const mostMembers = 32

// sample is what the timed runs of a demoted subtree say. The lane's goroutine writes it, the reader reads it.
type sample struct {
	runs    uint64
	members []member
	around  uint64 // entries of the node around and of all others in it when the run began
}

// member is a node of the subtree. Its sums are float64 bits: of its entries c and its self time y in each run of entries.
type member struct {
	n                *node
	parent           int // in members
	acc              platform.Ticks
	count            uint64
	self             platform.Ticks // of the latest
	y, c, yy, yc, cc uint64
	heard            heard
}

// heard is what the reader keeps of a member.
type heard struct {
	y, c          float64                         // the sums at the last frame
	entries, self float64                         // since then, and without what timing took
	usual         struct{ entries, self float64 } // fading: what to go by in frames without a run
}

// newSample lists the members of the subtree: those that were there before keep their sums.
//
//go:norace
func (l *Lane) newSample(top *node, old *draw) (s sample) {
	s.members = append(s.members, member{n: top, parent: -1})
	for i := 0; i < len(s.members); i++ {
		for kid := l.seen[s.members[i].n.idx].kid; kid != 0 && len(s.members) < mostMembers; kid = l.seen[kid].next {
			s.members = append(s.members, member{n: l.node(kid), parent: i})
		}
	}
	if old != nil {
		s.runs = old.runs
		for i := range s.members {
			if was := old.member(s.members[i].n.idx); was != nil {
				parent := s.members[i].parent
				s.members[i] = *was
				s.members[i].parent = parent
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

// mark begins a run: what the members have now does not belong to it.
//
//go:norace
func (s *sample) mark() {
	for i := range s.members {
		m := &s.members[i]
		m.acc, m.count = m.n.acc, m.n.count
	}
	s.around = s.others()
}

// note adds the run that was timed, and took so long in all, to the sums. It returns how much of that was spent around its
// entries, and whether that was in a single entry of the node around and in no other node inside.
//
//go:norace
func (s *sample) note(took platform.Ticks) (around platform.Ticks, alone bool) {
	top := &s.members[0]
	if top.n.count == top.count || top.n.acc < 0 {
		return 0, false
	}
	around = took - (top.n.acc - top.acc)
	for i := len(s.members) - 1; i >= 0; i-- {
		m := &s.members[i]
		in := m.n.acc - m.acc
		m.self += in
		if m.parent >= 0 {
			s.members[m.parent].self -= in
		}
		m.add(float64(m.self), float64(m.n.count-m.count))
		m.self = 0
	}
	publish(&s.runs, s.runs+1)
	return around, s.around != manyOthers && s.around == s.others()
}

// manyOthers stands for more than a few nodes.
const manyOthers, fewOthers = math.MaxUint64, 32

// others counts the entries of the node around, and of all in it but the subtree's. The lane's goroutine calls it: nobody else adds nodes.
//
//go:norace
func (s *sample) others() (entries uint64) {
	top := s.members[0].n
	l := (*Lane)(top.slot.Lane)
	if l == nil {
		return manyOthers
	}
	entries = top.parent.count
	kid := l.seen[top.parent.idx].kid
	for range fewOthers {
		if kid == 0 {
			return entries
		}
		if n := l.node(kid); n != top && n != top.extra.Load().twin {
			entries += n.count
		}
		kid = l.seen[kid].next
	}
	return manyOthers
}

//go:norace
func (m *member) add(y, c float64) {
	for _, s := range [...]struct {
		sum *uint64
		v   float64
	}{{&m.y, y}, {&m.c, c}, {&m.yy, y * y}, {&m.yc, y * c}, {&m.cc, c * c}} {
		publishFloat(s.sum, loadFloat(s.sum)+s.v)
	}
}
