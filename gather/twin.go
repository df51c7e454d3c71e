//go:build !iprof_off

package gather

import "example.com/iprof/platform"

// A demoted node keeps what it is: a node with a subtree of its own, where everything is timed. Entries that are not timed go
// to its twin, a sibling that counts them, and below that twin to further untimed nodes for whatever is demoted there; what
// is not is timed there as anywhere. No node changes from one kind to the other, so nothing has to be synchronised.
//
// Whether to time an entry is decided where it enters a demoted subtree, and not again below, else there would be twice as
// many nodes on each level. Entries are timed in short runs, since a single one among many that are not finds neither its code
// nor its nodes where a processor is quick with them, and would seem to last some 30 ns longer than it does. Which runs those
// are is drawn at random: see draw.

// governed is what a lane has for the governor. The lane's mutex guards it.
type governed struct {
	ghost     platform.Slot    // of untimed nodes: it has no innermost node, so their End never takes the short way
	spare     platform.Slot    // no goroutine's: to count an entry again, where that does no harm
	want      []bool           // which nodes are to be demoted, by index
	wanted    int              // how many
	gap       uint32           // mean number of entries to count for each that is timed
	length    uint32           // of a block of those
	twins     []twin           // parents first
	at        map[uint32]int   // in twins, by untimed node
	of        map[uint32][]int // in twins, by timed node
	mute      map[int32]bool   // the zones that are to be muted
	windows   float64          // frames that should have one window
	silent    []silent         // by index in the lane's seen
	version   uint32           // of the muted zones that this is about
	fold      fold
	judgement judgement
}

// twin is an untimed node and the timed one that speaks for it.
type twin struct {
	untimed, timed uint32  // indices
	top            uint32  // of the subtree they are in: its timed node
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
	l.slot.SetTimed(false)
	l.wantTimed()
	for i := 1; i < len(l.seen); i++ {
		n, p := l.node(uint32(i)), l.node(l.seen[i].parent)
		if n.flag&flagUntimed != 0 {
			if n.flag&flagTop == 0 && l.hasCalls(n) { // the others are idle then
				l.unlink(n)
			}
			continue
		}
		if g.wants(i) && l.hasCalls(n) {
			g.want[i], g.wanted = false, g.wanted-1
		}
		n.flag &^= flagDemoted | flagWithin | flagTop | flagTiming
		n.stopDraw()
		if p.flag&(flagDemoted|flagWithin) != 0 {
			n.flag |= flagWithin
		}
		if g.wants(i) {
			n.flag |= flagDemoted
			if n.flag&flagWithin != 0 {
				l.twinsBelow(p, n)
			} else if l.twinOf(n) {
				n.flag |= flagTop
			}
		}
	}
	for i := range g.twins { // now that it is known what is below them
		if n := l.node(g.twins[i].timed); n.flag&flagTop != 0 {
			l.startDraw(n)
		}
	}
}

// wantTimed has what is wanted of nodes that were met below untimed ones wanted of those below the timed ones that speak for these.
//
//go:norace
func (l *Lane) wantTimed() {
	g := l.governed
	for i := 1; i < len(l.seen) && g.wanted > 0; i++ {
		n, p := l.node(uint32(i)), l.node(l.seen[i].parent)
		if !g.wants(i) || p.flag&flagUntimed == 0 {
			continue
		}
		g.want[i] = false
		timed := l.find(p.extra.Load().twin, n.key)
		if timed == nil {
			if room, _ := l.room(p.extra.Load().twin); room {
				timed = l.add(p.extra.Load().twin, n.key, l.seen[i].zone)
			}
		}
		g.want = append(g.want, make([]bool, max(len(l.seen)-len(g.want), 0))...)
		if timed == nil || g.want[timed.idx] {
			g.wanted--
			continue
		}
		g.want[timed.idx] = true
	}
}

// startDraw has some entries of n go to its twin.
//
//go:norace
func (l *Lane) startDraw(n *node) {
	x := n.more()
	x.draw = l.newDraw(n, x.draw)
	u := x.twin.more()
	u.draw, u.skip = x.draw, x.draw.draw() // not at once: that would be wherever the program begins its frames
}

// stopDraw has every entry timed, if entries of n went to a twin.
//
//go:norace
func (n *node) stopDraw() {
	if x := n.extra.Load(); x != nil && x.twin != nil {
		u := x.twin.more()
		u.skip, u.stop, u.draw = 0, 0, nil
	}
}

// hasCalls reports whether the calls of a node's zone are counted: then each is timed.
func (l *Lane) hasCalls(n *node) bool { return zones.countsCalls(l.seen[n.idx].zone) }

// unlink makes an untimed node one that is not found any more, until it is linked again.
//
//go:norace
func (l *Lane) unlink(n *node) { n.key = keyRoot }

// relink returns the node below parent that counted entries of n once and was unlinked, which is found again then; nil if there is none.
//
//go:norace
func (l *Lane) relink(parent, n *node) *node {
	g := l.governed
	for _, i := range g.of[n.idx] {
		if u := l.node(g.twins[i].untimed); u.parent == parent && u.key == keyRoot {
			u.key = n.key ^ keyUntimed
			return u
		}
	}
	return nil
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

// twinsBelow makes the nodes that count entries of n below the untimed twins of its parent: until now these were timed there, too.
//
//go:norace
func (l *Lane) twinsBelow(parent, n *node) {
	g := l.governed
	for _, i := range g.of[parent.idx] {
		u, top := l.node(g.twins[i].untimed), g.twins[i].top
		if l.find(u, n.key^keyUntimed) != nil || l.relink(u, n) != nil {
			continue
		}
		if room, _ := l.room(u); room {
			l.addUntimed(u, n, top)
		}
	}
}

// addUntimed makes the node below parent that counts the untimed entries of what n times.
//
//go:norace
func (l *Lane) addUntimed(parent, n *node, top uint32) *node {
	g := l.governed
	u := l.make(parent, n.key^keyUntimed, l.seen[n.idx].zone)
	l.linkFirst(parent, u)
	u.flag |= flagUntimed
	u.slot = &g.ghost
	u.more().twin = n
	if parent == n.parent { // the one that entries of n go to; below others there may be more
		n.more().twin = u
		u.flag |= flagTop
	}
	l.seen[u.idx].setOpen(true) // so that it is told, whether or not it was entered: it cannot be seen whether it is open
	g.at[u.idx] = len(g.twins)
	g.of[n.idx] = append(g.of[n.idx], len(g.twins))
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
	if u := l.relink(parent, n); u != nil {
		return u
	}
	g := l.governed
	return l.addUntimed(parent, n, g.twins[g.at[parent.idx]].top)
}
