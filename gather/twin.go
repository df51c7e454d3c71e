//go:build !iprof_off

package gather

import (
	"math"

	"example.com/iprof/platform"
)

// A demoted node keeps what it is: a node with a subtree of its own, where everything is timed. Entries that are not timed go
// to its twin, a sibling that counts them, and below that twin to further untimed nodes for whatever is demoted there; what
// is not is timed there as anywhere. No node changes from one kind to the other, so nothing has to be synchronised.
//
// Whether to time an entry is decided where it enters a demoted subtree, and not again below, else there would be twice as
// many nodes on each level. Entries are timed in short runs, since a single one among many that are not finds neither its code
// nor its nodes where a processor is quick with them, and would seem to last some 30 ns longer than it does. The number of
// those to count in between is drawn at random, evenly from 0 to twice the mean, so no rhythm of the program's can hide from it.

// governed is what a lane has for the governor. The lane's mutex guards it.
type governed struct {
	ghost     platform.Slot // of untimed nodes: it has no innermost node, so their End never takes the short way
	want      []bool        // which nodes are to be demoted, by index
	wanted    int           // how many
	gap       uint32        // mean number of entries to count for each that is timed
	twins     []twin        // parents first
	fold      fold
	judgement judgement
}

// twin is an untimed node and the timed one that speaks for it.
type twin struct {
	untimed, timed uint32  // indices
	top            uint32  // of the subtree they are in: its timed node
	entries, self  float64 // of the timed one, fading: what to go by in frames without a timed entry
	owed           float64 // ticks that could not be told yet
}

// wants reports whether node i is to be demoted.
func (g *governed) wants(i int) bool { return i < len(g.want) && g.want[i] }

// govern makes the lane's nodes what the governor wants them to be. The lane's goroutine calls it, with the mutex held.
//
//go:norace
func (l *Lane) govern() {
	g := l.governed
	if g == nil {
		return
	}
	for i := 1; i < len(l.seen); i++ {
		n, p := l.node(uint32(i)), l.node(l.seen[i].parent)
		if n.flag&flagUntimed != 0 {
			continue
		}
		n.flag &^= flagDemoted | flagWithin | flagTop
		if p.flag&(flagDemoted|flagWithin) != 0 {
			n.flag |= flagWithin
		}
		if g.wants(i) {
			n.flag |= flagDemoted
			if n.flag&flagWithin == 0 && l.twinOf(n) {
				n.flag |= flagTop
			}
		}
	}
	for i := range g.twins { // now that it is known what is below them
		if n := l.node(g.twins[i].timed); n.flag&flagTop != 0 {
			n.more().draw = l.newDraw(n, g.gap)
		}
	}
}

// twinOf makes the twin of a node that begins a demoted subtree, if the limits allow it.
//
//go:norace
func (l *Lane) twinOf(n *node) bool {
	x := n.more()
	if x.twin != nil {
		return true
	}
	if room, _ := l.room(n.parent); !room {
		return false
	}
	l.addUntimed(n.parent, n, n.idx)
	return true
}

// addUntimed makes the node below parent that counts the untimed entries of what n times.
//
//go:norace
func (l *Lane) addUntimed(parent, n *node, top uint32) *node {
	g := l.governed
	u := l.add(parent, n.key^keyUntimed, l.seen[n.idx].zone)
	l.setCalls(u, false)
	u.flag |= flagUntimed
	u.slot = &g.ghost
	u.more().twin, n.more().twin = n, u
	l.holds = true              // what is timed below has more time than u
	l.seen[u.idx].setOpen(true) // so that it is told, whether or not it was entered: it cannot be seen whether it is open
	g.twins = append(g.twins, twin{untimed: u.idx, timed: n.idx, top: top})
	return u
}

// seek finds the child of parent that an entry belongs to.
//
//go:norace
func (l *Lane) seek(parent *node, key uint64) *node {
	if parent.flag&flagUntimed != 0 {
		if u := l.find(parent, key^keyUntimed); u != nil {
			return u
		}
	}
	return l.find(parent, key)
}

// untimedChild makes the untimed node for what is entered below an untimed one, if it is demoted; else it returns nil.
//
//go:norace
func (l *Lane) untimedChild(parent *node, key uint64) *node {
	if parent.flag&flagUntimed == 0 {
		return nil
	}
	n := l.find(parent.more().twin, key)
	if n == nil || n.flag&flagDemoted == 0 {
		return nil
	}
	for i := range l.governed.twins {
		if t := &l.governed.twins[i]; t.untimed == parent.idx {
			return l.addUntimed(parent, n, t.top)
		}
	}
	return nil
}

// mostMembers bounds the nodes of a demoted subtree whose scatter is known.
const mostMembers = 32

// runLength is how many entries are timed in a row. A variable for the tests.
var runLength = uint32(16)

// draw chooses the entries of a demoted subtree that are timed, and keeps the sums that tell how much they differ. The lane's
// goroutine writes it, the reader reads it.
type draw struct {
	random  uint64
	gap     uint32 // mean number of entries to count for each that is timed
	left    uint32 // to time in this run
	runs    uint64 // timed, that is: rows of the sums below
	members []member
}

// member is a node of the subtree. Its sums are float64 bits: of its entries c and its self time y in each run of entries.
type member struct {
	n                *node
	parent           int // in members
	acc              platform.Ticks
	count            uint64
	self             platform.Ticks // of the latest
	y, c, yy, yc, cc uint64
}

// newDraw makes the draw of a subtree anew.
//
//go:norace
func (l *Lane) newDraw(n *node, gap uint32) *draw {
	d := &draw{random: uint64(platform.Now())*0x9E3779B97F4A7C15 | 1, gap: gap}
	if old := n.more().draw; old != nil {
		d.random = old.random
	}
	d.members = append(d.members, member{n: n, parent: -1})
	for i := 0; i < len(d.members); i++ {
		for kid := l.seen[d.members[i].n.idx].kid; kid != 0 && len(d.members) < mostMembers; kid = l.seen[kid].next {
			d.members = append(d.members, member{n: l.node(kid), parent: i})
		}
	}
	for i := range d.members {
		m := &d.members[i]
		m.acc, m.count = m.n.acc, m.n.count
	}
	return d
}

// next begins to time an entry: when it is the last of a run, it draws how many are to be counted before the next one.
//
//go:norace
//go:noinline
func (d *draw) next(x *extra) {
	if d.left == 0 {
		d.note()
		d.left = runLength
	}
	if d.left--; d.left > 0 {
		return
	}
	d.random ^= d.random << 13
	d.random ^= d.random >> 7
	d.random ^= d.random << 17
	x.skip = uint32(d.random >> 32 * (2*uint64(d.gap)*uint64(runLength) + 1) >> 32)
}

// note adds the run that was timed last to the sums.
//
//go:norace
func (d *draw) note() {
	top := &d.members[0]
	if top.n.count == top.count || top.n.acc < 0 {
		return
	}
	for i := len(d.members) - 1; i >= 0; i-- {
		m := &d.members[i]
		took := m.n.acc - m.acc
		m.self += took
		m.acc = m.n.acc
		if m.parent >= 0 {
			d.members[m.parent].self -= took
		}
		m.add(float64(m.self), float64(m.n.count-m.count))
		m.self, m.count = 0, m.n.count
	}
	publish(&d.runs, d.runs+1)
}

//go:norace
func (m *member) add(y, c float64) {
	for _, s := range [...]struct {
		sum *uint64
		v   float64
	}{{&m.y, y}, {&m.c, c}, {&m.yy, y * y}, {&m.yc, y * c}, {&m.cc, c * c}} {
		publish(s.sum, math.Float64bits(math.Float64frombits(*s.sum)+s.v))
	}
}
