//go:build !iprof_off

package measure

import (
	"sync/atomic"
	"unsafe"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/measure/internal/eventlog"
	"example.com/iprof/internal/measure/internal/heap"
	"example.com/iprof/platform"
)

// wanted holds the settings for all lanes. A lane on the slow path compares its generation with this one.
var wanted struct {
	generation atomic.Uint32
	events     atomic.Int64 // per lane
}

// SetEvents makes every lane keep its latest events, the beginnings and ends of scopes, in a ring buffer. It rounds
// perLane up to a power of two from 64 to 1,048,576. 0 or less, the default, keeps no events. An event takes 16 bytes,
// allocated as events come in. All lanes together use at most a quarter of Limits.Bytes: 16 MB by default. Beyond that
// a lane keeps fewer. New events overwrite the oldest, and Dropped.Events counts the overwritten ones. A lane starts at
// its next Begin or End. Any goroutine may call it.
func SetEvents(perLane int) {
	useSingly()
	wanted.events.Store(int64(eventlog.Round(perLane)))
	settingsChanged()
}

// settingsChanged makes every lane apply the settings: lanes without a goroutine at once, others at their next Begin or
// End.
func settingsChanged() {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	changeSettings()
}

// changeSettings is settingsChanged with the registry's mutex held.
func changeSettings() {
	wanted.generation.Add(1)
	if wanted.events.Load() == 0 {
		endedEvents.free()
	}
	eachLane(func(l *Lane) {
		if l.isNobodys() {
			l.applySettings()
		} else {
			l.pokeStale()
		}
	})
}

// pokeStale sends the lane's goroutine to the slow path if the lane does not follow the latest settings.
//
//go:norace
func (l *Lane) pokeStale() {
	if !l.ended && !l.retired && l.generation != wanted.generation.Load() {
		l.poke()
	}
}

// applySettings makes the lane follow the latest settings. The lane's goroutine calls it, with the mutex held.
//
//go:norace
func (l *Lane) applySettings() {
	now := wanted.generation.Load()
	if l.generation == now {
		return
	}
	l.generation = now
	l.metered = Memory() == MemoryHeapPerZone
	l.govern()
	for i := range l.seen {
		n := l.node(uint32(i))
		l.setCalls(n, n.flag&(flagUntimed|flagVacant) == 0 && zones.countsCalls(l.seen[i].zone))
		l.flagAsMuted(n)
	}
	l.setLog()
}

// The sizes of the most frequent values, in bytes.
const (
	chunkBytes = int64(unsafe.Sizeof(chunk{})) + chunkSize*int64(unsafe.Sizeof(seen{}))
	extraBytes = int64(unsafe.Sizeof(extra{}))
	laneBytes  = int64(unsafe.Sizeof(Lane{})) + 64 + 64 // with its slot and table entries
)

// MemoryUsed returns the memory that the profiler holds. Any goroutine may call it.
func MemoryUsed() MemoryUse {
	return MemoryUse{Nodes: budget.Held(budget.Nodes), Lanes: budget.Held(budget.Lanes),
		Names: budget.Held(budget.Names), Events: budget.Held(budget.Events), Calls: budget.Held(budget.Calls),
		Copies: budget.Held(budget.Copies),
		Limit:  budget.Limit()}
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

// SetLimits sets the limits. A field not above 0 means its default. The limits apply to new lanes, nodes and names. Any
// goroutine may call it.
func SetLimits(l Limits) {
	l = l.withDefaults()
	registry.mu.Lock()
	defer registry.mu.Unlock()
	registry.limits.Store(&l)
	budget.SetLimit(int64(l.Bytes))
	registry.sealed.Store(isFull())
}

// SetAutoRegister chooses whether a goroutine gets a lane at its first zone. The default is true. With false, only
// goroutines that call Register have lanes; existing lanes stay. Any goroutine may call it.
func SetAutoRegister(on bool) { registry.manual.Store(!on) }

// SetWatched declares that the goroutine which ends frames is no part of the program, such as a timer that ends a frame
// each tenth of a second. Then Collect makes no lane for its caller, and the Updater is the main goroutine's lane, if
// that has one. The default is off. Any goroutine may call it.
func SetWatched(on bool) { registry.watched.Store(on) }

// LeaveOut chooses whether to leave out the calling goroutine: it gets no lane, so its zones are not measured. Only one
// goroutine is left out at a time, the last one. An existing lane stays.
func LeaveOut(on bool) {
	id := uint64(0)
	if on {
		id = platform.Goroutine()
	}
	registry.leftOut.Store(id)
}

// LeaveOutHeap begins work of the profiler. Frames and zones leave out the growth of the heap until the call of end,
// except for the program's share, which is estimated from its rate before. Growth beyond most bytes is counted as the
// program's: it took a large buffer. Calls may nest and overlap. Any goroutine may call it. It takes some microseconds.
func LeaveOutHeap(most int) (end func()) { return heap.BeginOwn(most) }

// TookHeap declares a heap allocation of the profiler with its bytes and objects. They are in no frame and in no zone.
// LeaveOutHeap estimates how much of the growth is the program's; known sizes need no estimate. Any goroutine may call
// it.
func TookHeap(bytes, objects int) { heap.Took(uint64(max(bytes, 0)), uint64(max(objects, 0))) }

// Watched reports whether SetWatched is on. Any goroutine may call it.
func Watched() bool { return registry.watched.Load() }

// SetRecording switches all measuring on or off. An open zone gets the time until recording stops, and the time after
// it starts again. Any goroutine may call it.
func SetRecording(on bool) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	newEpoch()
	switch was := atomic.LoadUint32(&off) == 0; {
	case was && !on:
		registry.updates.wakeAll()
		atomic.StoreUint32(&off, 1)
		setState()
		eachLane((*Lane).freeze)
	case !was && on:
		eachLane((*Lane).freeze)
		atomic.StoreUint32(&off, 0)
		setState()
	}
}

// Recording reports whether zones are measured.
func Recording() bool { return atomic.LoadUint32(&off) == 0 }

// Live reports whether Begin would measure: recording is on. It is inlined, so a function that skips a zone while
// recording is off pays one branch:
//
//	if z.Live() {
//		defer z.Begin().End()
//	}
//
//go:norace
func (z *Zone) Live() bool { return off == 0 }

// eachLane calls do for every lane, with the lane's mutex held. The registry's mutex is held.
func eachLane(do func(*Lane)) {
	for _, l := range registry.lanes {
		l.mu.Lock()
		do(l)
		l.mu.Unlock()
	}
}

// freeze exchanges each node's baseline, which is the reported part, with the unreported rest. A second call exchanges
// them back. So the time between the two calls is never reported.
func (l *Lane) freeze() {
	l.frozen = !l.frozen
	l.read = l.upTo(platform.Now())
	for i := range l.seen {
		s, n := &l.seen[i], l.node(uint32(i))
		if l.paused && n.inHold() {
			continue // it stays exchanged until the pause ends
		}
		if l.exchange(uint32(i)); n.flag&flagPending == 0 && !l.touched.has(uint32(i)) {
			s.hier = max(s.hier, 0)
		}
	}
}
