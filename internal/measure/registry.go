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
	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/internal/quiet"
	"example.com/iprof/platform"
)

// registry holds the lanes and the state of Collect. Its mutex comes before any lane's in the lock order.
var registry struct {
	mu       registryMutex
	lanes    laneList
	awake    laneList // lanes that Collect visits: see park
	lastLane LaneID
	epoch    uint32             // of the platform's clock
	slots    platform.SlotTable // of the lanes
	start    platform.Ticks     // beginning of the first frame
	sealed   atomic.Bool        // the limit of lanes is reached
	endings  int                // lanes that ended since the last Collect
	reapAt   int                // number of lanes at which reap searches for ended ones
	records  []*Lane            // at most mostRecords: see endedlanes.go
	manual   atomic.Bool        // SetAutoRegister(false)
	watched  atomic.Bool        // SetWatched
	leftOut  atomic.Uint64      // LeaveOut
	limits   atomic.Pointer[Limits]
	updates  updates
	peek     peeking
	copied   copiedSize // by the last EventCopy
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

// locate returns the calling goroutine's lane, which it makes if needed. It returns nil if the goroutine may not have a
// lane. The lane may be given up at any moment; then its slot's Lane is nil.
//
//go:norace
func locate() *Lane { return locateAt(0) }

// locateAt is locate for a caller that has just read the clock. now is 0 if it has not.
//
//go:norace
func locateAt(now platform.Ticks) *Lane { return laneAt(!registry.manual.Load(), now) }

// isLeftOut reports whether settings keep the calling goroutine without a lane.
//
//go:norace
func isLeftOut() bool {
	return registry.manual.Load() || platform.Goroutine() == registry.leftOut.Load()
}

// laneFor returns the calling goroutine's lane, as locate does. It makes a lane only if may is true.
//
//go:norace
func laneFor(may bool) *Lane { return laneAt(may, 0) }

// laneAt is laneFor. now is as for locateAt.
//
//go:norace
func laneAt(may bool, now platform.Ticks) *Lane {
	key, id := platform.Identity()
	may = may && id != registry.leftOut.Load()
	if platform.Epoch() == atomic.LoadUint32(&registry.epoch) {
		if l := laneOf(key); l != nil {
			slot := l.slot
			if atomic.LoadUint64(&slot.ID) == id {
				return l
			}
			if may { // the lane's goroutine has ended, and the calling one has its place
				if l.handTo(id, now) {
					unmeasured.crowd.leave(key, id)
					return l
				}
				l.detach(true)
			}
		} else if registry.sealed.Load() {
			return nil
		}
	}
	if !may {
		return nil
	}
	return claim(key, id)
}

// sealedLane is a short locate for the time while all lanes are in use. It returns the calling goroutine's lane, or the
// key and id of a goroutine that may have a lane but finds none, or neither if locate must look.
//
//go:norace
func sealedLane() (l *Lane, record, crowded uint64) {
	if registry.manual.Load() || platform.Epoch() != atomic.LoadUint32(&registry.epoch) {
		return nil, 0, 0
	}
	key, id := platform.Identity()
	l = laneOf(key)
	switch {
	case l == nil && id != registry.leftOut.Load():
		return nil, key, id
	case l != nil && atomic.LoadUint64(&l.slot.ID) == id:
		return l, 0, 0
	}
	return nil, 0, 0
}

// laneOf returns the lane in the slot of a goroutine's key, or nil. Collect may clear the slot's Lane meanwhile, so it
// is read once. A home slot's lane has the key, too. Reading it there saves a look at the owner of the slot.
//
//go:norace
func laneOf(key uint64) *Lane {
	if l := (*Lane)(platform.Home(key).Lane); l != nil && l.key == key {
		return l
	}
	if slot := registry.slots.Find(key); slot != nil {
		return (*Lane)(slot.Lane)
	}
	return nil
}

// handTo closes the scopes that an ended goroutine left open. It gives a lane without a name to goroutine id. now is as
// for locateAt: it saves a clock reading, a third of the time of a goroutine's start.
//
//go:norace
func (l *Lane) handTo(id uint64, now platform.Ticks) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return false
	}
	if now == 0 {
		now = platform.Now()
	}
	l.skipVacancy(now)
	l.closeAll(l.catchUp(now))
	if l.named || l.spawn != spawnOf(l.key, id) || budget.IsScarce() && len(l.seen) > chunkSize {
		return false // memory is scarce, and a new lane takes less
	}
	l.slot.Serve(id)
	l.owner, l.thread, l.brief = id, lockedThread{}, true
	return true
}

// claim makes a lane for a goroutine, in its home slot if that is free, else in a new slot.
func claim(key, id uint64) *Lane {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	newEpoch()
	if registry.lastLane > fewLanes { // addSlow needs it, and a program without Update calibrates nowhere else
		registry.updates.calibrate(platform.Now(), usualRate)
	}
	if len(registry.lanes) >= max(registry.reapAt, leastReap) {
		reap()
	}
	if isFull() {
		if makeRoom(); isFull() {
			budget.Fits(laneBytes + chunkBytes) // counts it in Dropped, if memory is the reason
			registry.sealed.Store(true)
			return nil
		}
	}
	slot := registry.slots.Find(key)
	if slot == nil {
		slot = freeSlot(key, platform.Direct())
	}
	l := newLane(slot, key, id)
	unmeasured.crowd.leave(key, id)
	registry.lanes, registry.awake = append(registry.lanes, l), append(registry.awake, l)
	registry.updates.begin(l.read)
	return l
}

// freeSlot returns the goroutine's home slot if that is free, else a new slot. The registry's mutex is held.
func freeSlot(key uint64, direct bool) *platform.Slot {
	home := platform.Home(key)
	if owner := platform.HomeKey(key).Load(); direct && (owner == 0 || owner == key|platform.Reserved) {
		return home
	}
	slot := new(platform.Slot)
	registry.slots.Add(key, slot)
	return slot
}

// newEpoch forgets all lanes if the clock was replaced, because their readings have lost their meaning.
func newEpoch() {
	now := platform.Epoch()
	if atomic.LoadUint32(&registry.epoch) == now {
		return
	}
	for _, l := range registry.lanes {
		l.drop()
	}
	registry.peek.active = false
	registry.lanes, registry.awake, registry.start, registry.endings, registry.records = nil, nil, 0, 0, nil
	woken.Store(nil)
	reportedTo.Store(0)
	registry.sealed.Store(false)
	registry.slots.Clear()
	registry.updates = updates{paused: registry.updates.paused, away: registry.updates.away.anew()}
	zoneHeap.Forget()
	counterTable.Forget()
	if spoken.forget != nil {
		spoken.forget()
	}
	forgetSampled()
	lastCalibration.Store(governor.Calibration{})
	atomic.StoreUint32(&registry.epoch, now)
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
		registry.sealed.Store(false)
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
	for i := range l.seen {
		if x := l.node(uint32(i)).extra.Load(); x != nil {
			x.calls.Free()
			bytes += extraBytes
		}
	}
	budget.Add(budget.Nodes, -bytes)
	budget.Add(budget.Lanes, -laneBytes)
	l.giveIDsBack()
	l.seen = l.seen[:0]
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
