//go:build !iprof_off

package gather

import (
	"sync"
	"sync/atomic"

	"example.com/iprof/platform"
)

const (
	kidSlots  = 8
	kidShift  = 5 // zones are 32 bytes apart
	chainLong = 4 // nodes in one kid slot; more are found by the lane's map, in the slow path
	chunkSize = 4 // 512 bytes: the largest allocation with pointers that Go puts on a multiple of its size
)

// The keys that are no zone's and no site's.
const (
	keyRoot    = 0
	keyLimit   = 1            // "(other)": beyond the node limits
	keyNames   = 2            // "(other)": beyond the names at one place
	keyPending = 3            // "(pending)": holds that are open
	keyNotKept = 4            // "(not kept)": holds that were discarded
	keyUntimed = 1<<61 | 1<<7 // flipped in the key of a zone or site: an untimed node, in another kid slot
	keyHeld    = 1 << 62      // added to the key of a zone, whose address is lower: a hold's node
)

// What a node's flag says.
const (
	flagFolded  uint32 = 1 << iota // takes all entries below it: see Lane.fold
	flagToken                      // not a node: what scopes below a folded node hold
	flagWatch                      // opened on top of itself in one frame of the stack: see Lane.watch
	flagHeld                       // decided about when it closes: see Zone.Hold
	flagDrop                       // not to be kept
	flagCalls                      // its calls are counted: see Zone.SetPerCall
	flagPending                    // may owe time: see Lane.decide
	flagDemoted                    // need not be timed every time: see governor
	flagWithin                     // below a demoted node, and timed as it is
	flagTop                        // demoted, and below none that is, or its twin: at each entry it is decided whether to time it
	flagTiming                     // a top whose entries are timed for now: see startTiming
	flagUntimed                    // counts entries that are not timed: see twin
)

// node is one distinct stack of zones. Its first half is all that entering and leaving it touch; only the lane's goroutine
// writes it. The second half is read when something is entered below it.
type node struct {
	acc    platform.Ticks // time spent; while open, less the time of opening, hence negative
	count  uint64         // entries begun
	key    uint64
	parent *node
	slot   *platform.Slot
	sib    *node // next in the same kid slot of parent
	extra  atomic.Pointer[extra]
	idx    uint32 // in the lane's seen
	flag   uint32
	kids   [kidSlots]*node
}

// extra is what few nodes need. Sums belong to the lane's goroutine, was to the reader.
type extra struct {
	sums  [extras]atomic.Uint64
	was   [extras]uint64
	token *node  // of a folded node
	twin  *node  // of a demoted node's timed and untimed forms, the other
	draw  *draw  // of a top and, while it is demoted, its twin. Only the twin has
	skip  uint32 // entries to count before the draw is asked again
	stop  uint64 // number of entries of the timed form up to which these are timed
	calls *calls
}

// What extra sums up.
const (
	sumAllocs = iota
	sumAllocBytes
	sumFrees
	sumFreeBytes
	sumErrors
	sumUnits
	sumHeapObjects
	sumHeapBytes
	extras
)

// seen is what the reader knows of a node; guarded by the lane's mutex. Its indices are into the lane's seen, where 0, the
// root, stands for none.
type seen struct {
	hier   platform.Ticks // time already reported
	count  uint32         // entries already reported
	parent uint32
	kid    uint32 // the youngest
	next   uint32 // the next older child of the same parent
	level  uint32 // distance from the root: zones open
	zone   int32
	depth  int32 // same-zone ancestors
	id     uint32
	stack  uint32 // depth of the goroutine's stack when the node was made, 0 if not known; and wasOpen
	out    int32  // place in the frame being written
}

// wasOpen says that a node was open when it was last reported: what was entered below it since then is told, even if no tick
// has passed on itself. No stack is deep enough to need the bit.
const wasOpen = 1 << 31

// setOpen notes whether the node is open.
func (s *seen) setOpen(open bool) {
	s.stack &^= wasOpen
	if open {
		s.stack |= wasOpen
	}
}

type chunk [chunkSize]node

// nowhere has no children, so nothing is found below it: a slot that points here sends every Begin and End to the slow path.
var nowhere node

// node returns a node of the lane by index.
func (l *Lane) node(i uint32) *node { return &l.chunks[i/chunkSize][i%chunkSize] }

// add makes a node below parent (nil for the root), and links it. The lane's mutex is held.
//
//go:norace
func (l *Lane) add(parent *node, key uint64, zone int32) *node {
	n := l.make(parent, key, zone)
	if parent != nil {
		l.link(parent, n)
	}
	if zones.countsCalls(zone) {
		l.setCalls(n, true)
		l.setLog()
	}
	return n
}

// make makes a node that is not linked: nobody finds it.
//
//go:norace
func (l *Lane) make(parent *node, key uint64, zone int32) *node {
	i := uint32(len(l.seen))
	if i%chunkSize == 0 {
		l.chunks = append(l.chunks, new(chunk))
	}
	n := l.node(i)
	n.key, n.parent, n.slot, n.idx = key, parent, l.slot, i
	s := seen{zone: zone, id: nodeIDs.take(), stack: uint32(platform.StackDepth())}
	if parent != nil {
		p := &l.seen[parent.idx]
		s.parent, s.next, s.level = parent.idx, p.kid, p.level+1
		s.depth = l.depthOf(parent.idx, zone)
		p.kid = i
	}
	l.seen = append(l.seen, s)
	return n
}

// depthOf counts the nodes of a zone from node i up to the root.
func (l *Lane) depthOf(i uint32, zone int32) int32 {
	for ; ; i = l.seen[i].parent {
		if l.seen[i].zone == zone {
			return l.seen[i].depth + 1
		}
		if i == 0 {
			return 0
		}
	}
}

// childKey finds a node where the chain of its kid slot is long.
type childKey struct {
	parent *node
	key    uint64
}

// link makes n known to its parent: at the end of a short chain, else in the lane's map.
//
//go:norace
func (l *Lane) link(parent, n *node) {
	at := &parent.kids[n.key>>kidShift%kidSlots]
	for range chainLong {
		if *at == nil {
			*at = n
			return
		}
		at = &(*at).sib
	}
	if l.far == nil {
		l.far = make(map[childKey]*node)
	}
	l.far[childKey{parent, n.key}] = n
}

// linkFirst makes n known before all others, however many: what only counts looks nowhere else.
//
//go:norace
func (l *Lane) linkFirst(parent, n *node) {
	at := &parent.kids[n.key>>kidShift%kidSlots]
	n.sib, *at = *at, n
}

// find looks a child up.
//
//go:norace
func (l *Lane) find(parent *node, key uint64) *node {
	length := 0
	for n := parent.kids[key>>kidShift%kidSlots]; n != nil; n = n.sib {
		if n.key == key {
			return n
		}
		length++
	}
	if length < chainLong {
		return nil
	}
	return l.far[childKey{parent, key}]
}

// more returns the node's extra, which it makes on first use. Only the lane's goroutine calls it. A reader that does not see
// it yet sees it in the next frame.
//
//go:norace
func (n *node) more() *extra {
	x := n.extra.Load()
	if x == nil {
		x = new(extra)
		n.extra.Store(x)
	}
	return x
}

// idPool hands out small dense numbers.
type idPool struct {
	mu   sync.Mutex
	next uint32
	free []uint32
}

var nodeIDs idPool

func (p *idPool) take() uint32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := len(p.free) - 1; last >= 0 {
		id := p.free[last]
		p.free = p.free[:last]
		return id
	}
	p.next++
	return p.next - 1
}

func (p *idPool) giveBack(lane []seen) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range lane {
		p.free = append(p.free, lane[i].id)
	}
}

// inUse returns how many are handed out.
func (p *idPool) inUse() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return int(p.next) - len(p.free)
}
