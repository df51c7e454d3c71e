//go:build !iprof_off

package measure

import (
	"sync/atomic"
	"unsafe"

	"example.com/iprof/internal/measure/internal/counters"
	"example.com/iprof/internal/measure/internal/eventlog"
	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/internal/quiet"
	"example.com/iprof/platform"
)

// Lane is one goroutine's stack of zones. Register returns the lane of the calling goroutine. Any goroutine may call
// its methods. A nil Lane is valid and does nothing.
type Lane struct {
	// The fields that a new goroutine needs from its inherited lane come first, in five cache lines.
	laneStack // first of all, for its alignment
	mu        quiet.Mutex
	laneOwner
	laneOptions
	laneParking
	laneHolds
	laneReport
	laneTree
	laneProxy
}

// laneStack is the lane's stack of open nodes. The lane's goroutine writes it, and the reader raises last.
type laneStack struct {
	_ incomparable
	// The latest reading, while slow is set. It is the first field, so that its address is a multiple of 8 bytes on
	// 32-bit machines, too.
	last     platform.Ticks
	slowTime governor.Slow // time of slow paths: see addSlow
	slot     *platform.Slot
	root     *node
	cur      *node       // innermost open node, when hidden
	hidden   bool        // no goroutine enters zones on it, so the slot points to nowhere
	slow     atomic.Bool // Last is above any time, so that every Begin and End takes the slow path
	watching int32       // open nodes with flagWatch
	nest     uint32      // open entries of the folded node
}

// laneOwner identifies the lane's goroutine. The lane's mutex guards it. The lane's goroutine locks the mutex only to
// create and repair nodes.
type laneOwner struct {
	_       incomparable
	id      LaneID
	key     uint64  // identifies the goroutine: its record's address, or its id if the address is unknown
	owner   uint64  // the runtime's number of its goroutine
	spawn   uintptr // the go statement that made the goroutine, 0 if unknown
	name    string  // registered; else made at the lane's first report
	named   bool
	main    bool         // belongs to the main goroutine
	foreign bool         // belongs to a ForeignLane
	record  bool         // collects all ended lanes of its name: see census_ended.go
	ended   bool         // its goroutine has ended or closed it; it is read once more
	retired bool         // idle for so long that its goroutine gets a new lane
	brief   bool         // its goroutine was never in a report: see takeBrief
	thread  lockedThread // of its goroutine
}

// laneTree holds the lane's nodes, and the reader's data on them. The lane's mutex guards it.
type laneTree struct {
	chunks    []*chunk
	base      []baseline
	evictions *evictions // nil until the lane is full
	settled   settled    // the children that the reader skips
	wide      wide       // the children of nodes with many
	folded    int        // nodes "(other)"
}

// laneReport is the reader's progress on the lane. The lane's mutex guards it.
type laneReport struct {
	reportedAt platform.Ticks // the time up to which the lane has been reported
	raised     raised         // see raise
	lateEnds   []lateEnd      // Ends that the lane's goroutine has yet to carry out
	touched    nodeSet        // nodes to visit even if nothing happened to them
	idleAt     platform.Ticks // when it was last active
	rest       stretch        // outside zones, since its last report: see sum.addLane
	idle       int32          // frames without activity
	frozen     bool           // recording is off: see freeze
	mutes      bool           // the lane has or had nodes of muted zones
	fresh      bool           // never reported
	busyNodes  int            // nodes in the last report
	enclosers  enclosers      // of nodes that enclose muted ones
}

// laneHolds is the lane's data on holds. The lane's mutex guards it.
type laneHolds struct {
	holds   bool     // the lane has nodes of holds, which the reader skips
	paused  bool     // frames are discarded: see turnHolds
	turned  bool     // the baselines of holds' nodes have been moved
	credits []credit // from holds decided while paused
}

// laneOptions holds the lane's measurements besides time. The lane's goroutine writes it.
type laneOptions struct {
	generation uint32          // of the lane's settings
	metered    bool            // every Begin and End reads the heap's counts: see zoneHeap
	parking    atomic.Bool     // the lane is parking or parked: see park; written with the mutex held
	log        *eventlog.Log   // or nil
	governed   *governed       // nil until the governor acts on the lane; guarded by the lane's mutex
	counters   *counters.Cells // counts and levels by name, or nil; made with the mutex held
	counting   int             // number of nodes with counted calls
	callSums   []callSums      // of the nodes, by index in base, while calls are judged: see judgeCall
}

// lateEnd is an End that another goroutine called. The lane's goroutine carries it out.
type lateEnd struct {
	n *node
	t platform.Ticks
}

// plant makes the root the innermost node, and enters the lane in its slot.
//
//go:norace
func (l *Lane) plant(acc platform.Ticks) {
	l.root = l.add(nil, keyRoot, 0)
	l.root.acc, l.cur = acc, l.root
	l.slot.Lane, l.slot.Cur = unsafe.Pointer(l), unsafe.Pointer(&nowhere)
	l.moveTo(l.root)
}

// at returns the innermost open node.
//
//go:norace
func (l *laneStack) at() *node {
	if l.hidden {
		return l.cur
	}
	return (*node)(l.slot.Cur)
}

//go:norace
func (l *laneStack) moveTo(n *node) {
	l.cur = n
	if !l.hidden {
		l.slot.Cur = unsafe.Pointer(n)
	}
}

// ID returns the lane's number, which is unique in the process. It is 0 for a nil lane.
func (l *Lane) ID() LaneID {
	if l == nil {
		return 0
	}
	return l.id
}

// goroutine returns the number of the lane's goroutine, 0 for a lane of several goroutines. The mutex is held.
func (l *laneOwner) goroutine() uint64 {
	if l.isNobodys() {
		return 0
	}
	return l.owner
}

// Name returns the registered name. Without one it names the go statement that made the goroutine, and the lane's
// number: "main.serve server.go:42 #7". The main goroutine is "main goroutine", a goroutine with an unknown go
// statement "unnamed goroutine 7", and a nil lane "".
func (l *Lane) Name() string {
	if l == nil {
		return ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.label()
}

func (l *laneOwner) label() string {
	if !l.named && l.name == "" {
		l.name = l.ownName()
	}
	return l.name
}
