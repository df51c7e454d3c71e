//go:build !iprof_off

package gather

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"example.com/iprof/platform"
)

// registry is everything there is one of. Its mutex is taken before any lane's.
var registry struct {
	mu       sync.Mutex
	lanes    []*Lane // by id, ascending
	lastLane uint64
	epoch    uint32 // of the platform's clock
	table    atomic.Pointer[table]
	start    platform.Ticks // of the first frame
	sealed   atomic.Bool    // the limit of lanes is reached
	endings  int            // lanes that ended since the last Collect
	manual   atomic.Bool    // SetAutoRegister(false)
	limits   atomic.Pointer[Limits]
	updates  updates
}

// table finds the slots of goroutines whose home slot is another's: open addressed, with room to spare. Goroutines look up
// their own keys only, so one that still reads an outgrown table is not misled.
type table struct {
	entries []tableEntry // a power of two
	used    int          // guarded by registry.mu
}

type tableEntry struct {
	key  atomic.Uint64
	slot atomic.Pointer[platform.Slot]
}

const firstTable = 64

func (t *table) place(key uint64) uint64 {
	return key * 0x9E3779B97F4A7C15 >> 32 % uint64(len(t.entries))
}

func (t *table) find(key uint64) *platform.Slot {
	if t == nil {
		return nil
	}
	for i := t.place(key); ; i = (i + 1) % uint64(len(t.entries)) {
		switch t.entries[i].key.Load() {
		case key:
			return t.entries[i].slot.Load()
		case 0:
			return nil
		}
	}
}

// put enters a slot, which must not be there.
func (t *table) put(slot *platform.Slot) {
	i := t.place(slot.Key)
	for t.entries[i].key.Load() != 0 {
		i = (i + 1) % uint64(len(t.entries))
	}
	t.entries[i].slot.Store(slot)
	t.entries[i].key.Store(slot.Key)
	t.used++
}

// enroll puts a slot into the table; registry.mu is held.
func enroll(slot *platform.Slot) {
	t := registry.table.Load()
	if t == nil || 2*(t.used+1) > len(t.entries) {
		rebuild(t)
		t = registry.table.Load()
	}
	t.put(slot)
}

// rebuild replaces the table by one with room to spare and without the slots that have no lane.
func rebuild(old *table) {
	var keep []*platform.Slot
	if old != nil {
		for i := range old.entries {
			if slot := old.entries[i].slot.Load(); slot != nil && slot.Lane != nil {
				keep = append(keep, slot)
			}
		}
	}
	size := firstTable
	for size < 4*(len(keep)+1) {
		size *= 2
	}
	t := &table{entries: make([]tableEntry, size)}
	for _, slot := range keep {
		t.put(slot)
	}
	registry.table.Store(t)
}

// lookup finds the slot that a goroutine's key leads to, nil if none.
func lookup(key uint64) *platform.Slot {
	if home := platform.Home(key); atomic.LoadUint64(&home.Key) == key {
		return home
	}
	return registry.table.Load().find(key)
}

// locate returns the calling goroutine's lane, which it gets now if it has none; nil if it may not have one. The lane may be given
// up at any moment: its slot then has none any more.
//
//go:norace
func locate() *Lane { return laneFor(!registry.manual.Load()) }

// laneFor returns the calling goroutine's lane; may says whether one may be made.
//
//go:norace
func laneFor(may bool) *Lane {
	key, id := platform.Identity()
	if platform.Epoch() == atomic.LoadUint32(&registry.epoch) {
		if l := laneIn(lookup(key)); l != nil {
			slot := l.slot
			if atomic.LoadUint64(&slot.ID) == id {
				return l
			}
			if may && l.inherit(id) {
				return l
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

// laneIn returns a slot's lane, nil if it has none. Collect may give it up meanwhile, so it must be read once.
//
//go:norace
func laneIn(slot *platform.Slot) *Lane {
	if slot == nil {
		return nil
	}
	return (*Lane)(slot.Lane)
}

// inherit hands the lane of an ended goroutine to the goroutine that has its place now, unless it has a name. Its open zones
// are closed first.
//
//go:norace
func (l *Lane) inherit(id uint64) bool {
	if !l.healFor(id) {
		l.detach()
		return false
	}
	return true
}

// healFor closes what an ended goroutine left open, and gives the lane to goroutine id unless it has a name.
//
//go:norace
func (l *Lane) healFor(id uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return false
	}
	l.closeAll(l.settle(platform.Now()))
	if l.named {
		return false
	}
	l.slot.Serve(id)
	return true
}

// claim makes a lane for the goroutine: in its home slot if that is free, else in a slot of its own.
func claim(key, id uint64) *Lane {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	newEpoch()
	if len(registry.lanes) >= limits().Lanes {
		if makeRoom(); len(registry.lanes) >= limits().Lanes {
			registry.sealed.Store(true)
			return nil
		}
	}
	direct := platform.Direct()
	slot := lookup(key)
	if slot == nil {
		slot = freeSlot(key, direct)
	}
	l := newLane(slot, key, id, platform.Assembly && !direct)
	registry.lanes = append(registry.lanes, l)
	if registry.start == 0 {
		registry.start = l.read
	}
	return l
}

// freeSlot returns the goroutine's home slot if nobody has it, else a slot of its own; registry.mu is held.
func freeSlot(key uint64, direct bool) *platform.Slot {
	home := platform.Home(key)
	if direct && atomic.LoadUint64(&home.Key) == 0 {
		return home
	}
	slot := &platform.Slot{Key: key}
	enroll(slot)
	return slot
}

// newEpoch forgets all lanes when the clock was replaced: their readings mean nothing any more.
func newEpoch() {
	now := platform.Epoch()
	if atomic.LoadUint32(&registry.epoch) == now {
		return
	}
	for _, l := range registry.lanes {
		l.drop()
	}
	registry.lanes, registry.start, registry.endings = nil, 0, 0
	registry.sealed.Store(false)
	registry.table.Store(nil)
	registry.updates.muting.apply(false)
	registry.updates = updates{}
	calibrated.Store(0)
	calibratedInside.Store(0)
	calibratedCount.Store(0)
	calibratedMute.Store(0)
	atomic.StoreUint32(&registry.epoch, now)
}

// detach parts the lane from its slot, to be read once more and dropped.
//
//go:norace
func (l *Lane) detach() {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return
	}
	l.ended = true
	l.leaveSlot()
	if registry.endings++; registry.endings >= leastEndings() {
		registry.sealed.Store(false)
	}
}

// leaveSlot makes the slot strange to its goroutine. The slot stays that goroutine's, for its next lane, unless its key is
// an id that no later goroutine will have. Both mutexes are held.
//
//go:norace
func (l *Lane) leaveSlot() {
	s := l.slot
	s.Serve(0)
	s.Cur = unsafe.Pointer(&nowhere)
	s.Lane = nil
	s.Log = nil
	if !platform.Assembly && platform.Home(s.Key) == s {
		atomic.StoreUint64(&s.Key, 0)
	}
}

// drop gives the numbers of a lane's nodes back.
func (l *Lane) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	for i := range l.seen {
		if x := l.node(uint32(i)).extra.Load(); x != nil {
			x.calls.free()
		}
	}
	l.log = nil
	nodeIDs.giveBack(l.seen)
	l.seen = l.seen[:0]
}

// limits returns the limits in force.
func limits() *Limits {
	if l := registry.limits.Load(); l != nil {
		return l
	}
	defaults := Limits{}.withDefaults()
	registry.limits.CompareAndSwap(nil, &defaults)
	return registry.limits.Load()
}

// SetLimits bounds the memory that measuring takes; fields not above 0 mean the defaults. It holds for what is created from
// now on. Any goroutine may call it.
func SetLimits(l Limits) {
	l = l.withDefaults()
	registry.mu.Lock()
	defer registry.mu.Unlock()
	registry.limits.Store(&l)
	registry.sealed.Store(len(registry.lanes) >= l.Lanes)
}
