//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/platform"
)

// This file times a sample of a top's entries, as a governor.Plan chooses them. Timed blocks give each node's self
// time.

const mostMembers = 64 // sampled nodes in a top's subtree

// burst chooses the entries of a top to time. The lane's goroutine owns it; its mutex guards the last two fields.
type burst struct {
	lane            *Lane
	top             *node
	plan            governor.Plan
	at              platform.Ticks // when the present stretch of entries began
	choiceTime      float64        // ticks spent on choosing in this burst
	members         []member
	nodes           int            // of the lane at the making of members
	cost            governor.Ratio // of timing, by pairs of blocks
	compared        governor.Ratio // cost, for the reader
	frameChoiceTime float64        // ticks spent on choosing since the last frame
}

// member is a node of a top's subtree.
type member struct {
	_             incomparable
	node          *node
	parent        int            // index in members
	acc           platform.Ticks // when the block began, like count
	count         uint64
	block         float64 // self time in the block
	self, entries float64 // in the burst
}

// startBurst begins to sample the top n with the form u. It begins with a gap.
//
//go:norace
func (l *Lane) startBurst(n, u *node) {
	x := u.extra.Load()
	if x.form.burst == nil {
		seed := (uint64(platform.Now())^uint64(n.idx)<<32)*0x9E3779B97F4A7C15 | 1 // tops of one lane differ
		x.form.burst = &burst{lane: l, top: n, plan: governor.Plan{Random: governor.Random(seed)}}
	}
	b := x.form.burst
	x.skip = b.plan.Restart(&l.governed.Policy)
	b.setTiming(0)
}

// next is called at an entry of the top once x.skip entries have been counted. It reports whether to time the entry. x
// is the extra of the top's form.
//
//go:norace
//go:noinline
func (b *burst) next(x *extra, locked bool) (timed bool) {
	if b.plan.Timed && int16(uint16(b.top.count)-b.top.slot.Stop) < 0 {
		return true
	}
	begun := platform.Now()
	entries := b.turn(float64(begun-b.at), locked)
	if b.setTiming(entries); !b.plan.Timed {
		x.skip = entries - 1
	}
	b.at = platform.Now()
	b.choiceTime += float64(calibrated().Uninterrupted(b.at-begun, governor.MaxChoosing))
	return b.plan.Timed
}

// setTiming makes the next entries of the top timed if b.plan.Timed is set, else counted.
//
//go:norace
func (b *burst) setTiming(entries uint32) {
	s := b.top.slot
	if b.top.flag &^= flagTiming; b.plan.Timed {
		b.top.flag |= flagTiming
		s.Stop, s.Wasted = uint16(b.top.count)+uint16(entries), 0
	}
	s.SetTimed(b.plan.Timed)
}

// turn ends a stretch of entries that lasted took ticks. It returns the number of entries in the next stretch.
func (b *burst) turn(took float64, locked bool) (entries uint32) {
	switch b.plan.Stage() {
	case governor.Gap:
		b.list()
	case governor.First:
		for i := range b.members {
			m := &b.members[i]
			m.acc, m.count, m.block = m.node.acc, m.node.count, 0
		}
	case governor.Block:
		b.endBlock(took)
	}
	entries, ended := b.plan.Next(&b.lane.governed.Policy)
	if ended {
		b.finish(locked)
	}
	return entries
}

// list finds the nodes of the top's subtree.
//
//go:norace
func (b *burst) list() {
	l := b.lane
	if b.nodes == len(l.base) {
		return
	}
	b.nodes, b.members = len(l.base), append(b.members[:0], member{node: b.top, parent: -1})
	for i := 0; i < len(b.members); i++ {
		for kid := l.base[b.members[i].node.idx].kid; kid != 0 && len(b.members) < mostMembers; kid = l.base[kid].next {
			if n := l.node(kid); n.flag&flagMirror == 0 {
				b.members = append(b.members, member{node: n, parent: i})
			}
		}
	}
}

// endBlock adds a block to its pair.
func (b *burst) endBlock(took float64) {
	far, entries := b.plan.Interrupted(took), 0.0
	if b.plan.Timed && !far && b.top.acc >= 0 && b.top.count != b.members[0].count {
		entries = b.addTimed()
	}
	b.cost = b.plan.EndBlock(took, entries, far, len(b.members) >= mostMembers)
}

// addTimed adds a timed block to the members' sums. It returns the number of its entries of demoted nodes.
//
//go:norace
func (b *burst) addTimed() (entries float64) {
	for i := len(b.members) - 1; i >= 0; i-- {
		m := &b.members[i]
		took, n := float64(m.node.acc-m.acc), float64(m.node.count-m.count)
		if m.block += took; m.parent >= 0 {
			b.members[m.parent].block -= took
		}
		m.self, m.entries = m.self+m.block, m.entries+n
		if m.node.flag&flagDemoted != 0 {
			entries += n
		}
	}
	return entries
}

// finish hands the burst over to the reader.
//
//go:norace
func (b *burst) finish(locked bool) {
	if !locked {
		b.lane.mu.Lock()
		defer b.lane.mu.Unlock()
	}
	for i := range b.members {
		m := &b.members[i]
		if m.node.flag&flagDemoted != 0 {
			m.node.extra.Load().form.Add(m.self, m.entries)
		}
		m.self, m.entries = 0, 0
	}
	b.compared, b.frameChoiceTime, b.choiceTime = b.cost, b.frameChoiceTime+b.choiceTime, 0
}
