//go:build !iprof_off

package gather

import "example.com/iprof/platform"

// around is the zone that a demoted subtree is in, as the timed blocks see it: what it has to itself behind each entry of the top.
// The clock that ends a block is no help there, since to choose what comes next is between two entries, too. So blocks are told by the
// readings that time their first entry and would time the one behind them.
type around struct {
	member
	from, to platform.Ticks // these readings
	kids     []*node        // of the zone, that are timed
	nodes    int            // of the lane, when they were listed
}

// first notes when the first entry of a block began, which has.
//
//go:norace
//go:noinline
func (x *extra) first(s *platform.Slot, entry Scope) Scope {
	x.began(s.Last)
	return entry
}

// began notes when an entry begins that is timed, if it is the block's first.
//
//go:norace
func (x *extra) began(t platform.Ticks) {
	if x.draw != nil && x.draw.around.from == platform.MaxTicks {
		x.draw.around.from = t
	}
}

// behind notes when an entry begins that may be behind a block.
//
//go:norace
func (x *extra) behind(t platform.Ticks) {
	if x.draw != nil {
		x.draw.around.to = t
	}
}

// passed is a time that passes where the zone around has its own.
//
//go:norace
func (s *sample) passed() platform.Ticks {
	zone := s.members[0].n.parent
	if s.around.nodes != len(s.lane.seen) {
		s.around.list(s.lane, zone)
	}
	t := zone.acc
	for _, n := range s.around.kids {
		t -= n.acc
	}
	return t
}

//go:norace
func (a *around) list(l *Lane, zone *node) {
	a.kids, a.nodes = a.kids[:0], len(l.seen)
	for kid := l.seen[zone.idx].kid; kid != 0 && len(a.kids) <= mostMembers; kid = l.seen[kid].next {
		if n := l.node(kid); n.flag&flagUntimed == 0 {
			a.kids = append(a.kids, n)
		}
	}
}

// markAround begins a block.
//
//go:norace
func (s *sample) markAround() {
	s.around.acc, s.around.from = s.passed(), platform.MaxTicks
}

// noteAround adds what the zone around had in the block that was noted, if that is known.
//
//go:norace
func (s *sample) noteAround() {
	a, entries := &s.around, s.members[0].block.entries
	passed := s.passed() - a.acc
	if entries > 0 && a.from < a.to && len(a.kids) <= mostMembers {
		a.self += max(a.to-a.from+passed, 0)
		a.entries += entries
	}
}
