//go:build !iprof_off

package measure

import (
	"sync/atomic"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/measure/internal/calls"
	"example.com/iprof/platform"
)

const (
	kidSlots  = 8
	kidShift  = 5 // neighbouring zones are 32 bytes apart
	chunkSize = 4 // 512 bytes: the largest allocation with pointers that Go aligns to its size
)

// chainLong is the number of nodes in one kid slot; more are in the lane's table. A variable for the tests.
var chainLong = 4

// Keys of nodes that belong to no zone and no site, and the bits that mark special keys.
const (
	keyRoot    = 0
	keyLimit   = 1            // "(other)": beyond the node limits
	keyNames   = 2            // "(other)": beyond the names at one place
	keyPending = 3            // "(pending)": holds that are open
	keyNotKept = 4            // "(not kept)": holds that were discarded
	keyUntimed = 1<<61 | 1<<7 // flipped in a form's key, so that it is in another kid slot
	keyHeld    = 1 << 62      // set in the key of a hold's node; addresses are lower
	// Bits 60 and 63 are those of package sites.
)

// The bits of a node's flag.
const (
	flagFolded  uint32 = 1 << iota // counts all entries below it as its own: see Lane.fold
	flagToken                      // not in the tree: the scopes below a folded node refer to it
	flagWatch                      // opened on top of itself in one stack frame: see Lane.stacked
	flagHeld                       // a hold's: kept or dropped when it closes, see Zone.Hold
	flagDrop                       // a hold that will not be kept
	flagCalls                      // its calls are counted: see Zone.SetPerCall
	flagPending                    // may owe time: see Lane.decide
	flagMuted                      // of a muted zone: its entries are counted, and not opened
	flagDemoted                    // its forms count most of its entries; for the next terms see package governor
	flagWithin                     // below a demoted node
	flagTiming                     // a top in a timed block
	flagTop                        // the form of a top: at each entry it is decided whether to time it
	flagUntimed                    // a form: it counts entries that are not timed
	flagMirror                     // a form, or a node below one: see Lane.mirror
	flagVacant                     // of no stack: see Lane.evict
	flagQuiet                      // the reader may not visit it: see settle
	flagPiled                      // counts entries of its zone above it as its own: see Lane.pileOn
)

// node is one distinct stack of zones. Begin and End use only its first half, which only the lane's goroutine writes.
// Entering a zone below it reads the second half.
type node struct {
	_      incomparable
	acc    platform.Ticks // time spent; while open, minus the time of opening, so negative
	count  uint64         // entries begun
	key    uint64
	parent *node
	slot   *platform.Slot
	sib    *node // next in the same kid slot of parent
	extra  atomic.Pointer[extra]
	idx    uint32 // in the lane's base
	flag   uint32
	kids   [kidSlots]*node
}

// extra has the data that few nodes need. The lane's goroutine owns it. The sums come last: few extras have any, and
// Collect reads all else with one line of the processor's cache.
type extra struct {
	_     incomparable
	token *node  // of a folded node
	form  *form  // the governor's data
	skip  uint32 // of a top's form and of a muted node: entries to count before the next choice
	muted *muted
	calls *calls.Calls

	piled     uint64 // entries above the highest node of a pile: see Lane.pileOn
	abandoned uint64 // times that it was closed without an End, on top of itself

	sums sums
}

// baseline is the reader's data on a node: its baseline and its place in the tree. The lane's mutex guards it. The
// indices are into the lane's base; 0, the root, also stands for no node.
type baseline struct {
	hier  platform.Ticks // time already reported
	count uint64         // entries already reported
	kid   uint32         // the newest child
	next  uint32         // the sibling made before it
	level uint32         // distance from the root
	zone  ZoneID
	depth int32 // ancestors of the same zone
	id    NodeID
	stack uint32 // depth of the goroutine's stack at the node's making, 0 if unknown; with wasOpen and wasUsed
	out   int32  // index in the frame being written
}

// wasOpen is set in stack if the node was open in the last report. Such a node is reported again even if no tick has
// passed, because its children may have been entered. wasUsed is set if a report had the node since Lane.evict last
// looked at it. No stack is deep enough to need the bits.
const (
	wasOpen    = 1 << 31
	wasUsed    = 1 << 30
	stackDepth = wasUsed - 1
)

// setOpen sets wasUsed, and sets or clears wasOpen.
func (s *baseline) setOpen(open bool) {
	s.stack = s.stack&stackDepth | wasUsed
	if open {
		s.stack |= wasOpen
	}
}

//go:norace
func storeTicks(word *platform.Ticks, t platform.Ticks) { platform.StoreTicks(word, t) }

func loadTicks(word *platform.Ticks) platform.Ticks {
	return platform.Ticks(atomic.LoadInt64((*int64)(word)))
}

type chunk [chunkSize]node

// nowhere has no children. Begin and End find no node in a slot that points to it, so they take the slow path.
var nowhere node

// node returns the lane's node i.
func (l *laneTree) node(i uint32) *node { return &l.chunks[i/chunkSize][i%chunkSize] }

// above returns the parent of node i, which is not the root.
func (l *laneTree) above(i uint32) uint32 { return l.node(i).parent.idx }

// add makes a node below parent and links it. The root has a nil parent. The lane's mutex is held.
//
//go:norace
func (l *Lane) add(parent *node, key uint64, zone ZoneID) *node {
	n := l.make(parent, key, zone)
	if parent != nil {
		l.link(parent, n)
	}
	if zones.countsCalls(zone) {
		l.setCalls(n, true)
		l.setLog()
	}
	l.flagAsMuted(n)
	return n
}

// make makes a node without linking it.
//
//go:norace
func (l *Lane) make(parent *node, key uint64, zone ZoneID) *node {
	i := l.vacant()
	n, s := l.node(i), baseline{zone: zone, id: l.base[i].id, count: l.base[i].count,
		stack: uint32(platform.StackDepth())}
	n.key = key
	n.parent = parent
	n.slot = l.slot
	n.idx = i
	n.flag = 0
	l.restartKnown(n)
	if parent != nil {
		p := &l.base[parent.idx]
		s.next, s.level = p.kid, p.level+1
		for above := parent; above != nil; above = above.parent {
			if a := &l.base[above.idx]; a.zone == zone {
				s.depth = a.depth + 1
				break
			}
		}
		p.kid = i
	}
	l.base[i] = s
	return n
}

// vacant returns a node without a stack: an evicted one, or else a new one. An evicted node keeps its count, so that an
// old Scope of it closes nothing.
func (l *Lane) vacant() uint32 {
	if l.hasVacancy() {
		i := l.evictions.Take()
		l.log.Restart(i, l.node(i).count)
		return i
	}
	i := uint32(len(l.base))
	if i%chunkSize == 0 {
		l.chunks = append(l.chunks, new(chunk))
		budget.Add(budget.Nodes, chunkBytes)
	}
	l.base = append(l.base, baseline{id: NodeID(nodeIDs.take())})
	return i
}

// link adds n to the end of its kid slot's chain, or to the lane's table if the chain is long.
//
//go:norace
func (l *laneTree) link(parent, n *node) {
	at := &parent.kids[n.key>>kidShift%kidSlots]
	for range chainLong {
		if *at == nil {
			*at = n
			return
		}
		at = &(*at).sib
	}
	l.wide.add(n)
}

// linkFirst adds n to the start of its chain, whatever its length. The governor's counting path does not look in the
// table.
//
//go:norace
func (l *laneTree) linkFirst(parent, n *node) {
	at := &parent.kids[n.key>>kidShift%kidSlots]
	n.sib, *at = *at, n
}

// find returns the child of parent with the key, or nil.
//
//go:norace
func (l *laneTree) find(parent *node, key uint64) *node {
	for n := parent.kids[key>>kidShift%kidSlots]; n != nil; n = n.sib {
		if n.key == key {
			return n
		}
	}
	return l.wide.find(parent, key) // even if the chain is short: it may have been longer
}

// more returns the node's extra, which it makes on first use. Only the lane's goroutine calls it. A reader that misses
// the new pointer sees it in the next frame.
//
//go:norace
func (n *node) more() *extra {
	x := n.extra.Load()
	if x == nil {
		x = new(extra)
		n.extra.Store(x)
		budget.Add(budget.Nodes, extraBytes)
	}
	return x
}

// after returns the next node after node i in the part of the tree below node top, parents first, or 0 at the end. With
// into, the nodes below i come next; else after skips them.
func (l *laneTree) after(i, top uint32, into bool) uint32 {
	if kid := l.base[i].kid; into && kid != 0 {
		return kid
	}
	for ; i != top; i = l.above(i) {
		if next := l.base[i].next; next != 0 {
			return next
		}
	}
	return 0
}

// nodeIDs numbers the nodes.
var nodeIDs numberPool

func (l *laneTree) giveIDsBack() {
	for i := range l.base {
		nodeIDs.giveBack(uint32(l.base[i].id))
	}
}
