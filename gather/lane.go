//go:build !iprof_off

package gather

import (
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"

	"example.com/iprof/platform"
)

// Lane is one goroutine's stack of zones. Register returns the calling goroutine's; its methods may be called by any.
type Lane struct {
	slot *platform.Slot

	// Guarded by mu, which the lane's goroutine takes only to create nodes and to repair.
	mu      sync.Mutex
	id      uint64
	name    string // as registered, else made when first reported
	chunks  []*chunk
	seen    []seen
	far     map[childKey]*node
	late    []lateEnd
	touched map[uint32]bool   // nodes to visit although nothing happened to themselves
	large   map[uint32]uint64 // entries reported of nodes that have very many: see addMore
	counted platform.Ticks    // when addMore last looked
	read    platform.Ticks    // up to when its time has been reported
	idleAt  platform.Ticks    // when it was last active
	idle    int32             // frames since
	busy    int               // nodes last reported
	holds   bool              // there are nodes that the reader does not visit
	named   bool
	ended   bool // its goroutine is gone, or has closed it: to be read once more
	fresh   bool // never reported
	frozen  bool // recording is off: see freeze
	retired bool // idle for so long that its goroutine would have to get another

	// The goroutine's own.
	governed   *governed // nil if the governor never had to do with it; guarded by mu
	log        *log
	generation uint32         // of what is wanted
	counting   int            // nodes whose calls are counted
	counters   *cells         // what was counted by name, nil for nothing; made with the mutex held
	metered    bool           // every Begin and End asks what was allocated: see zoneMeter
	watching   int32          // open nodes to watch
	nest       uint32         // entries open in the folded node
	slow       atomic.Bool    // the slot's Last is raised so that every Begin and End takes the slow path
	hidden     bool           // the slot must not find nodes: the clock is not one that the hot path can read
	last       platform.Ticks // latest reading, when slow
	root       *node
	cur        *node // innermost open node, when hidden
}

// lateEnd is an End that another goroutine called, for the lane's goroutine to carry out.
type lateEnd struct {
	n *node
	t platform.Ticks
}

// newLane makes a lane whose root is open from now on. The registry's mutex is held.
//
//go:norace
func newLane(slot *platform.Slot, key, goroutine uint64, hidden bool) *Lane {
	registry.lastLane++
	l := &Lane{slot: slot, id: registry.lastLane, hidden: hidden, fresh: true, frozen: off != 0}
	now := platform.Now()
	l.root = l.add(nil, keyRoot, 0)
	l.root.acc = -now
	l.read = now
	l.cur = l.root
	slot.Lane = unsafe.Pointer(l)
	slot.Cur = unsafe.Pointer(l.root)
	if hidden {
		slot.Cur = unsafe.Pointer(&nowhere)
	}
	slot.Log = nil
	l.hear()
	l.rest(now)
	atomic.StoreUint64(&slot.Key, key)
	slot.Serve(goroutine)
	return l
}

// at returns the innermost open node.
//
//go:norace
func (l *Lane) at() *node {
	if l.hidden {
		return l.cur
	}
	return (*node)(l.slot.Cur)
}

//go:norace
func (l *Lane) moveTo(n *node) {
	l.cur = n
	if !l.hidden {
		l.slot.Cur = unsafe.Pointer(n)
	}
}

// ID returns the lane's number, which no other lane of the process ever has.
func (l *Lane) ID() uint64 {
	if l == nil {
		return 0
	}
	return l.id
}

// Name returns the name it was registered by, else "goroutine lane" and its number.
func (l *Lane) Name() string {
	if l == nil {
		return ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.label()
}

func (l *Lane) label() string {
	if !l.named && l.name == "" {
		l.name = "goroutine lane " + strconv.FormatUint(l.id, 10)
	}
	return l.name
}

// Register names the calling goroutine's lane and returns it. Names need not be unique. Close the lane before the goroutine
// ends; if it does not, a later goroutine still inherits neither name nor open zones. It returns nil beyond the limit of
// lanes.
func Register(name string) *Lane {
	l := laneFor(true)
	if l == nil {
		return nil
	}
	if l.anonymousPast() { // what other goroutines did on it does not get the name
		l.detach()
		return Register(name)
	}
	if !l.rename(name) {
		return Register(name)
	}
	return l
}

// rename names the lane, unless it has been given up meanwhile.
func (l *Lane) rename(name string) bool {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || l.retired {
		return false
	}
	l.name, l.named, l.fresh, l.idle = name, true, true, 0
	return true
}

// anonymousPast reports whether the calling goroutine's lane has measured something before it got a name.
//
//go:norace
func (l *Lane) anonymousPast() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.seen) > 1 && !l.named && l.at() == l.root
}

// Close ends the lane: it closes what is open and gives the name up. What the lane measured since the last frame is still
// reported. The goroutine's next zone gives it another lane.
func (l *Lane) Close() {
	if l == nil {
		return
	}
	l.closeOwn()
	l.detach()
}

// closeOwn closes what is open, if the caller is the lane's goroutine.
//
//go:norace
func (l *Lane) closeOwn() {
	id := platform.Goroutine()
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ended && l.slot.ID == id {
		l.closeAll(l.settle(platform.Now()))
	}
}
