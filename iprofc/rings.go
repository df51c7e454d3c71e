//go:build cgo && unix && !iprof_off

package iprofc

/*
#include <string.h>
#include "iprof.h"

static iprof_thread *iprof_first(void) { return __atomic_load_n(&iprof_threads, __ATOMIC_ACQUIRE); }
*/
import "C"

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

func init() { C.iprof_on = 1 }

// rings are the threads' rings that Go has seen.
var rings struct {
	sync.Mutex
	byNumber [C.IPROF_THREADS + 1]*ring
	zones    names // of calls
}

// ring is the Go side of a thread's ring. Collect may read it on another thread.
type ring struct {
	sync.Mutex
	c     *C.iprof_thread
	calls int    // Calls that the thread is in
	lost  uint64 // of c.lost: those counted
	list  []measure.Replayed

	open []measure.Scope // of C code in a Call

	lane   *gather.ForeignLane // of C code outside
	zones  names
	scopes []gather.ForeignScope
}

// names are zones by their C address, and by name.
type names struct {
	byAddress map[*C.iprof_zone]*measure.Zone
	byName    map[string]*measure.Zone
}

// longest is the greatest length of a name, in bytes.
const longest = 256

// of returns a zone. A name without an end in its first bytes is cut.
func (n *names) of(z *C.iprof_zone) *measure.Zone {
	if zone := n.byAddress[z]; zone != nil {
		return zone
	}
	if n.byAddress == nil {
		n.byAddress, n.byName = map[*C.iprof_zone]*measure.Zone{}, map[string]*measure.Zone{}
	}
	name := "(no name)"
	if z.name != nil {
		name = C.GoStringN(z.name, C.int(C.strnlen(z.name, longest)))
	}
	if n.byName[name] == nil {
		n.byName[name] = &measure.Zone{Name: name}
	}
	n.byAddress[z] = n.byName[name]
	return n.byName[name]
}

// Call calls f. The zones that C code enters in it, on the calling goroutine's thread, are measured below the innermost
// open zone of the calling goroutine. Entries that f leaves open end with it. The goroutine keeps its thread meanwhile.
// Calls may be nested through a Callback. Any goroutine may call it.
func Call(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r := mine()
	if r == nil || !r.enter() {
		f()
		return
	}
	defer r.leave(len(r.open))
	f()
}

// Callback calls f, the Go side of a call from C inside a Call. The zones of f are below those of C. Outside a Call it
// only calls f.
func Callback(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r := mine()
	if r == nil || r.calls == 0 {
		f()
		return
	}
	r.replay()
	f()
}

// mine returns the ring of the calling goroutine's thread, nil beyond the limit.
func mine() *ring {
	c := C.iprof_this()
	if c == nil {
		return nil
	}
	rings.Lock()
	defer rings.Unlock()
	return of(c)
}

// of returns the Go side of a ring. The mutex of rings is held.
func of(c *C.iprof_thread) *ring {
	r := rings.byNumber[c.number]
	if r == nil {
		r = &ring{c: c}
		rings.byNumber[c.number] = r
	}
	return r
}

// enter begins a Call, unless C code around it is in a lane of its own: then it returns false. That is so for calls
// back from a thread of C, and without a Call around.
func (r *ring) enter() (ok bool) {
	r.Lock()
	defer r.Unlock()
	if r.calls == 0 {
		r.collect()
		if load(&r.c.head) != uint64(r.c.tail) {
			return false
		}
	}
	r.calls++
	return true
}

// leave ends a Call, and the entries that it left open.
func (r *ring) leave(open int) {
	r.replay()
	r.Lock()
	defer r.Unlock()
	if r.calls--; len(r.open) > open {
		r.list = r.list[:0]
		now := platform.Now()
		for range len(r.open) - open {
			r.list = append(r.list, measure.Replayed{At: now})
			if r.c.depth > 0 {
				r.c.depth--
			}
		}
		r.open = measure.Replay(r.open, r.list)
	}
}

// replay adds the events in the ring to the calling goroutine's lane.
func (r *ring) replay() {
	r.Lock()
	defer r.Unlock()
	r.read()
	r.open = measure.Replay(r.open, r.list)
}

// read reads the events of the ring into list.
func (r *ring) read() {
	c, clock := r.c, newClock()
	head, tail := load(&c.head), uint64(c.tail)
	events := unsafe.Slice(c.events, c.capacity)
	r.list = r.list[:0]
	rings.Lock()
	defer rings.Unlock()
	for ; tail != head; tail++ {
		e := &events[tail&uint64(c.capacity-1)]
		next := measure.Replayed{At: clock.ticks(uint64(e.at))}
		if e.zone != nil {
			next.Zone = rings.zones.of(e.zone)
		}
		r.list = append(r.list, next)
	}
	store(&c.tail, tail)
	r.countLost()
}

// lost counts the entries that C code has left out.
var lost gather.ForeignLane

// Collect adds the entries of C code outside Calls to the lanes "C thread 1" and so on, when their outermost entry has
// ended. They count in the current frame. Call it once a frame, before Update. Any goroutine may call it.
func Collect() {
	for c := C.iprof_first(); c != nil; c = c.next {
		rings.Lock()
		r := of(c)
		rings.Unlock()
		r.Lock()
		if r.calls == 0 {
			r.collect()
		}
		r.Unlock()
	}
}

// collect is Collect for one ring. A lane whose thread has ended is closed when its last entries have been in a frame.
func (r *ring) collect() {
	ended := atomic.LoadUint32((*uint32)(&r.c.ended)) != 0 // before the events are read
	if ended && r.lane != nil && load(&r.c.head) == uint64(r.c.tail) {
		r.lane.Close()
		r.lane, r.zones = nil, names{}
	}
	r.collectEntries()
}

func (r *ring) collectEntries() {
	c, clock := r.c, newClock()
	head, tail := load(&c.head), uint64(c.tail)
	r.countLost()
	if head == tail {
		return
	}
	events := unsafe.Slice(c.events, c.capacity)
	r.scopes = r.scopes[:0]
	var open []int
	whole, read := 0, tail
	for at := tail; at != head; at++ {
		e := &events[at&uint64(c.capacity-1)]
		t := int64(clock.ticks(uint64(e.at)))
		if e.zone != nil {
			open = append(open, len(r.scopes))
			r.scopes = append(r.scopes, gather.ForeignScope{Zone: r.zones.of(e.zone), Begin: t, Level: len(open) - 1,
				Issued: clock.now})
			continue
		}
		if last := len(open) - 1; last >= 0 {
			r.scopes[open[last]].End, open = t, open[:last]
		}
		if len(open) == 0 {
			whole, read = len(r.scopes), at+1
		}
	}
	store(&c.tail, read)
	if r.lane == nil && whole > 0 {
		r.lane = gather.NewForeignLane(fmt.Sprint("C thread ", c.number), platform.TicksPerSecond())
	}
	r.lane.Calibrate(int64(clock.now), clock.now)
	r.lane.Add(r.scopes[:whole])
}

func (r *ring) countLost() {
	if n := load(&r.c.lost); n > r.lost {
		lost.Drop(int(n - r.lost))
		r.lost = n
	}
}

func load(p *C.uint64_t) uint64         { return atomic.LoadUint64((*uint64)(p)) }
func store(p *C.uint64_t, value uint64) { atomic.StoreUint64((*uint64)(p), value) }

// clock converts readings of C code.
type clock struct {
	now   platform.Ticks
	there uint64  // C's reading at now, if the clock is not the counter
	scale float64 // ticks of a nanosecond, 0 for the counter
}

// newClock reads the clocks, and lets C code follow the choice of the clock.
func newClock() clock {
	if use := platform.Chosen().Source == platform.SourceCounter; use != (C.iprof_counter != 0) {
		C.iprof_counter = C.uint32_t(0)
		if use {
			C.iprof_counter = 1
		}
	}
	c := clock{now: platform.Now()}
	if C.iprof_counter == 0 {
		c.there, c.scale = uint64(C.iprof_now()), platform.TicksPerSecond()/1e9
	}
	return c
}

// ticks converts a reading. A reading after now is now.
func (c *clock) ticks(reading uint64) platform.Ticks {
	if c.scale == 0 {
		return min(platform.Ticks(reading), c.now)
	}
	return c.now - platform.Ticks(float64(max(int64(c.there-reading), 0))*c.scale)
}
