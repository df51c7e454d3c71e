//go:build !iprof_off

package measure

import (
	"sync/atomic"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/measure/internal/eventlog"
	"example.com/iprof/internal/measure/internal/heap"
	"example.com/iprof/platform"
)

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

// MemoryUsed returns the memory that the profiler holds. Any goroutine may call it.
func MemoryUsed() MemoryUse {
	return MemoryUse{Nodes: budget.Held(budget.Nodes), Lanes: budget.Held(budget.Lanes),
		Names: budget.Held(budget.Names), Events: budget.Held(budget.Events), Calls: budget.Held(budget.Calls),
		Copies: budget.Held(budget.Copies), Sets: budget.Held(budget.Sets),
		Limit: budget.Limit()}
}

// SetLimits sets the limits. A field not above 0 means its default. The limits apply to new lanes, nodes and names. Any
// goroutine may call it.
func SetLimits(l Limits) {
	l = l.withDefaults()
	registry.mu.Lock()
	defer registry.mu.Unlock()
	limitsSet.Store(&l)
	budget.SetLimit(int64(l.Bytes))
	seal(isFull())
}

// SetAutoRegister chooses whether a goroutine gets a lane at its first zone. The default is true. With false, only
// goroutines that call Register have lanes; existing lanes stay. Any goroutine may call it.
func SetAutoRegister(on bool) { finding.manual.Store(!on) }

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
	finding.leftOut.Store(id)
}

// LeaveOutHeap begins work of the profiler. Frames and zones leave out the growth of the heap until the call of end,
// except for the program's share, which is estimated from its rate before. Growth beyond most bytes is counted as the
// program's: it took a large buffer. Calls may nest and overlap. Any goroutine may call it. It takes some microseconds.
func LeaveOutHeap(most int) (end func()) { return heap.BeginOwn(most) }

// TookHeap declares a heap allocation of the profiler with its bytes and objects. They are in no frame and in no zone.
// LeaveOutHeap estimates how much of the growth is the program's; known sizes need no estimate. Any goroutine may call
// it.
func TookHeap(bytes, objects int) { heap.Took(uint64(max(bytes, 0)), uint64(max(objects, 0))) }

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

// Live reports whether Begin would measure: recording is on. It is inlined, so a function that skips a zone while
// recording is off pays one branch:
//
//	if z.Live() {
//		defer z.Begin().End()
//	}
//
//go:norace
func (z *Zone) Live() bool { return off == 0 }
