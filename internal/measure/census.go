//go:build !iprof_off

package measure

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sort"
	"sync/atomic"
	"unsafe"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/quiet"
	"example.com/iprof/platform"
)

// registry holds the lanes. Its mutex comes before any lane's in the lock order.
var registry struct {
	mu       registryMutex
	lanes    laneList
	awake    laneList // lanes that Collect visits: see park
	lastLane LaneID
	start    platform.Ticks // beginning of the first frame
	endings  int            // lanes that ended since the last Collect
	reapAt   int            // number of lanes at which reap searches for ended ones
	records  []*Lane        // at most mostRecords: see census_ended.go
	watched  atomic.Bool    // SetWatched
	updates  updates
}

// updates is what the census keeps from frame to frame. registry.mu guards it.
type updates struct {
	frames    atomic.Uint64
	end       platform.Ticks
	ends      [parkedAfter + 1]platform.Ticks // of recent frames: see quietSince
	reportEnd platform.Ticks                  // the end of the frame that is being reported
	paused    bool                            // frames are discarded

	lanes      []*Lane // memory for a list
	lastParked LaneID  // the last parked lane looked at; an index would skip lanes as others are dropped

	inactive int     // lanes so far that neither entered nor left a zone
	proxies  []*Lane // see proxyOf
	briefs   briefs
}

// hooks are the reader's steps in what the census does. The reader sets them before main.
var hooks struct {
	begin     func()                                 // the first frame begins
	calibrate func(now platform.Ticks, rate float64) // there is a new lane
	merge     func(l *Lane)                          // a lane is about to give or to get measurements
	forget    func()                                 // the clock was replaced
}

// program identifies this run of the program: see Origin.
var program = rand.Uint64() | 1

// registryMutex is a mutex whose holder can let the waiting goroutines go first.
type registryMutex struct {
	quiet.Mutex
	waiting atomic.Int32
}

// Lock locks it.
func (m *registryMutex) Lock() {
	if !m.TryLock() {
		m.waiting.Add(1)
		m.Mutex.Lock()
		m.waiting.Add(-1)
	}
}

// mostYields limits how often letOthers looks for waiting goroutines.
const mostYields = 1000

// letOthers waits until all waiting goroutines have had the mutex. Without it the running caller would lock the mutex
// again before they wake up.
func (m *registryMutex) letOthers() {
	for i := 0; i < mostYields && m.waiting.Load() > 0; i++ {
		runtime.Gosched()
	}
}

// claim makes a lane for a goroutine, in its home slot if that is free, else in a new slot.
func claim(key, id uint64) *Lane {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	newEpoch()
	if registry.lastLane > fewLanes { // addSlow needs it, and a program without Update calibrates nowhere else
		hooks.calibrate(platform.Now(), usualRate)
	}
	if len(registry.lanes) >= max(registry.reapAt, leastReap) {
		reap()
	}
	if isFull() {
		if makeRoom(); isFull() {
			budget.Fits(laneBytes + chunkBytes) // counts it in Dropped, if memory is the reason
			seal(true)
			return nil
		}
	}
	slot := finding.slots.Find(key)
	if slot == nil {
		slot = freeSlot(key, platform.Direct())
	}
	l := newLane(slot, key, id)
	unmeasured.crowd.leave(key, id)
	registry.lanes, registry.awake = append(registry.lanes, l), append(registry.awake, l)
	beginFrames(l.reportedAt)
	return l
}

// beginFrames notes the beginning of the first frame. Later calls do nothing.
func beginFrames(now platform.Ticks) {
	if registry.start == 0 {
		registry.start = now
		hooks.begin()
	}
}

// freeSlot returns the goroutine's home slot if that is free, else a new slot. The registry's mutex is held.
func freeSlot(key uint64, direct bool) *platform.Slot {
	home := platform.Home(key)
	if owner := platform.HomeKey(key).Load(); direct && (owner == 0 || owner == key|platform.Reserved) {
		return home
	}
	slot := new(platform.Slot)
	finding.slots.Add(key, slot)
	return slot
}

// newEpoch forgets all lanes if the clock was replaced, because their readings have lost their meaning.
func newEpoch() {
	now := platform.Epoch()
	if atomic.LoadUint32(&finding.epoch) == now {
		return
	}
	for _, l := range registry.lanes {
		l.drop()
	}
	registry.lanes = nil
	registry.awake = nil
	registry.start = 0
	registry.endings = 0
	registry.records = nil
	woken.Store(nil)
	reportedTo.Store(0)
	seal(false)
	finding.slots.Clear()
	registry.updates = updates{paused: registry.updates.paused}
	hooks.forget()
	atomic.StoreUint32(&finding.epoch, now)
}

// detach ends the lane: it leaves its slot, is read once more, and is dropped. silent means that no goroutine writes
// the lane. Then it may be merged into another lane at once.
func (l *Lane) detach(silent bool) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if !l.markEnded(false) {
		return
	}
	if registry.endings++; registry.endings >= leastEndings() {
		seal(false)
	}
	if silent {
		l.merge()
	}
}

// markEnded marks the lane as ended, and reports whether it was unmarked before. With vacant it does not mark a lane
// that a goroutine still uses, or that keeps events.
//
//go:norace
func (l *Lane) markEnded(vacant bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || vacant && (!l.isVacant() || l.log.Keeps()) {
		return false
	}
	l.finish()
	return true
}

// finish marks the lane as ended. Its mutex is held.
//
//go:norace
func (l *Lane) finish() {
	l.wake(platform.Now())
	l.ended = true
	l.leaveSlot()
}

// leaveSlot hides the slot from its goroutine. The slot stays reserved for the goroutine's next lane, unless its key is
// a goroutine id, which the runtime never reuses. Both mutexes are held.
//
//go:norace
func (l *Lane) leaveSlot() {
	s := l.slot
	s.Serve(0)
	s.Cur = unsafe.Pointer(&nowhere)
	s.Lane = nil
	s.Log = nil
	if !platform.Assembly && platform.Home(l.key) == s {
		platform.HomeKey(l.key).Store(0)
	}
}

// drop gives back the numbers of a lane's nodes, and counts its memory as freed.
func (l *Lane) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	if (*Lane)(l.slot.Lane) == l { // the slot was claimed during the replacement of the clock
		l.slot.Serve(0)
	}
	l.freeLog()
	l.forgetKnown()
	l.counters.Free()
	bytes := int64(len(l.chunks)) * chunkBytes
	for i := range l.base {
		if x := l.node(uint32(i)).extra.Load(); x != nil {
			x.calls.Free()
			bytes += extraBytes
		}
	}
	budget.Add(budget.Nodes, -bytes)
	budget.Add(budget.Lanes, -laneBytes)
	l.giveIDsBack()
	l.base = l.base[:0]
}

// isFull reports whether there is no room for another lane.
func isFull() bool {
	return len(registry.lanes) >= limits().Lanes || !budget.HasRoom(laneBytes+chunkBytes)
}

// laneList is a list of lanes, ascending by id.
type laneList []*Lane

func (a laneList) Len() int           { return len(a) }
func (a laneList) Less(i, k int) bool { return a[i].id < a[k].id }
func (a laneList) Swap(i, k int)      { a[i], a[k] = a[k], a[i] }

// find returns the index of a lane, or where to insert it.
func (a laneList) find(id LaneID) (at int, found bool) {
	at = sort.Search(len(a), func(i int) bool { return a[i].id >= id })
	return at, at < len(a) && a[at].id == id
}

// add adds new lanes, in any order.
func (a *laneList) add(lanes []*Lane) {
	sort.Sort(laneList(lanes))
	i, all := len(*a)-1, append(*a, lanes...)
	for at := len(all) - 1; len(lanes) > 0; at-- {
		if last := len(lanes) - 1; i >= 0 && all[i].id > lanes[last].id {
			all[at] = all[i]
			i--
		} else {
			all[at], lanes = lanes[last], lanes[:last]
		}
	}
	*a = all
}

// remove removes lanes, in ascending order.
func (a *laneList) remove(lanes ...*Lane) {
	if len(lanes) == 0 {
		return
	}
	all := *a
	to, _ := a.find(lanes[0].id)
	for _, l := range all[to:] {
		if len(lanes) > 0 && l == lanes[0] {
			lanes = lanes[1:]
			continue
		}
		all[to] = l
		to++
	}
	a.cut(to)
}

// removeAll removes the lanes for which gone is true.
func (a *laneList) removeAll(gone func(*Lane) bool) {
	to := 0
	for _, l := range *a {
		if !gone(l) {
			(*a)[to] = l
			to++
		}
	}
	clear((*a)[to:])
	*a = (*a)[:to]
}

// cut shortens the list. It frees memory that is far too large.
func (a *laneList) cut(n int) {
	all := *a
	clear(all[n:])
	if *a = all[:n]; n < cap(all)/4 && cap(all) > 1024 {
		*a = slices.Clone(all[:n])
	}
}

// emptied returns an empty list with the memory of another.
func emptied(lanes []*Lane) []*Lane {
	clear(lanes)
	return lanes[:0]
}

// laneByID returns the lane with the number, or nil.
func laneByID(id LaneID) *Lane {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if at, found := registry.lanes.find(id); found {
		return registry.lanes[at]
	}
	return nil
}

// reap merges the lanes of ended goroutines. Without it they would pile up in a program without Update. The registry's
// mutex is held.
func reap() {
	registry.reapAt = max(leastReap, 2*len(registry.lanes)) // not sooner, because the crowd will grow as large again
	for _, l := range slices.Clone(registry.lanes) {
		if l.named || !l.markEnded(true) {
			continue
		}
		if to := l.successor(); to != nil && to != l {
			to.absorb(l)
			l.drop()
		} else {
			registry.endings++
		}
	}
	forgetDropped()
	seal(isFull())
}

// forgetDropped removes dropped lanes from the registry. Its mutex is held.
func forgetDropped() {
	dropped := func(l *Lane) bool { return l.ended && len(l.base) == 0 }
	registry.lanes.removeAll(dropped)
	registry.awake.removeAll(dropped)
}

// leastReap is the least number of lanes at which a new lane may start reap. The new lanes of a program that has had
// more than fewLanes calibrate now and then, by a clock of about usualRate ticks per second.
const leastReap, fewLanes, usualRate = 64, 16, 1e9
