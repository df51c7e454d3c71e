//go:build !iprof_off

package measure

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"example.com/iprof/platform"
)

// Enabled is true: the program measures. With the build tag iprof_off it is false.
const Enabled = true

// Zone is a public zone: one variable that any number of functions may enter. Its address is its identity, so it must
// not be copied. The zero value is ready to use. The first entry reads Name, Idle, Blocked, Computes and Loose; later
// changes have no effect. Any goroutine may use it.
//
// The scopes of a loose zone may stay open until one around them ends, and may be ended after that: neither is a
// mistake. An End while scopes of other zones are open inside does nothing. So one is for code that is left in ways
// that no statement sees, such as the body of a loop over an iterator.
type Zone struct {
	_        [0]sync.Mutex // makes go vet report copies
	Name     string        // any UTF-8
	Idle     bool          // waiting, not work
	Blocked  bool          // with Idle: see ZoneInfo.Blocked
	perCall  bool
	governed uint8    // zoneDemoted, zoneMuted: see lane_governed.go
	Computes bool     // it never waits: see ZoneInfo.Computes
	Loose    bool     // see the paragraph on loose zones
	_        [10]byte // makes 32 bytes, so that the zones of one var block fall into different kid slots
}

// off is not 0 while recording is off. The hot path reads it without atomics.
var off uint32

// Begin enters the zone on the calling goroutine's lane. End the scope on the same goroutine, preferably in the same
// line:
//
//	defer physics.Begin().End()
//
//go:norace
func (z *Zone) Begin() Scope {
	if off != 0 {
		return Scope{}
	}
	return enter(z)
}

// In is Begin on a lane that the caller has from Register, which saves the lookup. A nil lane stands for the calling
// goroutine's. With another goroutine's lane In is Begin, and Misuse.OtherLane counts it.
//
//go:norace
func (z *Zone) In(lane *Lane) Scope {
	if off != 0 {
		return Scope{}
	}
	return within(z, lane)
}

// Span measures a block. It is an iterator that yields once. Return, break and panic inside close the zone, too.
//
//	for range physics.Span {
//		…
//	}
func (z *Zone) Span(yield func() bool) {
	defer z.Begin().End()
	yield()
}

// begin, in and OpenSite repeat the same steps. A shared function would cost more than any one of the steps. All of
// them, and end, write the time to Last or Real as their last store: see upTo.

//go:norace
//go:noinline
func begin(z *Zone) Scope {
	s, t := platform.Enter()
	if s == nil {
		return beginAway(z)
	}
	key := uint64(uintptr(unsafe.Pointer(z)))
	n := (*node)(s.Cur).kids[key>>kidShift%kidSlots]
	for n != nil && n.key != key {
		n = n.sib
	}
	if n == nil || n.acc < 0 {
		return beginSlow(s, t, entry{key: key, zone: z})
	}
	if t >= s.Last {
		s.Cur = unsafe.Pointer(n)
		storeTicks(&n.acc, n.acc-t)
		n.count++
		used(s, &s.Last, t)
		return scopeOf(n)
	}
	if !logs(s, t) {
		return beginSlow(s, t, entry{key: key, zone: z})
	}
	logBegin(s, n, t)
	s.Cur = unsafe.Pointer(n)
	storeTicks(&n.acc, n.acc-t)
	n.count++
	used(s, &s.Real, t)
	return scopeOf(n)
}

//go:norace
//go:noinline
func in(z *Zone, lane *Lane) Scope {
	if lane == nil {
		return begin(z)
	}
	s, t := lane.slot, platform.Ticks(0)
	if platform.Assembly { // finding the goroutine's slot is faster than comparing goroutine ids
		if s, t = platform.Enter(); s != lane.slot {
			if s = lane.slot; s == nil {
				return inElsewhere(z)
			}
			if lane.hidden { // Leave would store the counter, which is not the clock in use
				return inSlow(lane, 0, z)
			}
			t = platform.Leave(s)
		} else if s == nil {
			return inElsewhere(z)
		}
	} else if s == nil {
		return inElsewhere(z)
	} else {
		t = platform.Leave(s)
	}
	key := uint64(uintptr(unsafe.Pointer(z)))
	n := (*node)(s.Cur).kids[key>>kidShift%kidSlots]
	for n != nil && n.key != key {
		n = n.sib
	}
	if n == nil || n.acc < 0 {
		return inSlow(lane, t, z)
	}
	if t >= s.Last {
		s.Cur = unsafe.Pointer(n)
		storeTicks(&n.acc, n.acc-t)
		n.count++
		used(s, &s.Last, t)
		return scopeOf(n)
	}
	if !logs(s, t) {
		return inSlow(lane, t, z)
	}
	logBegin(s, n, t)
	s.Cur = unsafe.Pointer(n)
	storeTicks(&n.acc, n.acc-t)
	n.count++
	used(s, &s.Real, t)
	return scopeOf(n)
}

// Scope is one open entry of a zone. It is one word and may be copied. The End of a zero Scope does nothing.
//
// On 64-bit machines the word contains seven bits of the entry's number, so that an old Scope closes no later entry of
// the same stack. The check fails if the two entries are a multiple of 128 entries apart. On 32-bit machines there are
// no such bits: an old Scope closes the open entry of its stack.
type Scope struct {
	p unsafe.Pointer // into the node, at an offset that is the lowest bits of the node's count
}

// Nodes lie at multiples of their size, 128 bytes, where words have 64 bits. Elsewhere scopes carry no count.
const (
	offsetMask = 127 * (^uintptr(0) >> 63)
	countMask  = uint64(offsetMask)
)

//go:norace
func scopeOf(n *node) Scope { return Scope{unsafe.Add(unsafe.Pointer(n), n.count&countMask)} }

// node returns the scope's node, nil for the zero Scope.
//
//go:norace
func (s Scope) node() *node { return (*node)(unsafe.Pointer(uintptr(s.p) &^ offsetMask)) }

// End closes the scope. Scopes still open inside it are closed too, and counted in Misuse.MissingEnd. A second End
// closes nothing, and Misuse.ExtraEnd counts it; see Scope for its limits. An End on another goroutine takes effect
// when the lane's goroutine next enters or leaves a zone; Misuse.OtherLane counts it.
//
//go:norace
func (s Scope) End() {
	if s.p != nil {
		end(s.p)
	}
}

//go:norace
//go:noinline
func end(p unsafe.Pointer) {
	n := (*node)(unsafe.Pointer(uintptr(p) &^ offsetMask))
	s := n.slot
	if s.Cur != unsafe.Pointer(n) || (n.count^uint64(uintptr(p)))&countMask != 0 {
		current := (n.count^uint64(uintptr(p)))&countMask == 0
		if current && n.flag&flagUntimed != 0 { // a form's slot belongs to no goroutine
			if s = platform.Find(); s != nil && s.Cur == unsafe.Pointer(n) {
				s.Cur = unsafe.Pointer(n.parent)
				return
			}
		}
		if n.flag&flagToken != 0 && endFolded(n) || endMuted(n) {
			return
		}
		if !current {
			endStale(n)
			return
		}
		endSlow(n)
		return
	}
	t := platform.Leave(s)
	if t >= s.Last {
		storeTicks(&n.acc, n.acc+t)
		s.Cur = unsafe.Pointer(n.parent)
		used(s, &s.Last, t)
		return
	}
	if !logs(s, t) {
		endSlow(n)
		return
	}
	logEnd(s, n, t)
	if n.flag&flagCalls != 0 {
		called(n, n.acc+t, t)
	}
	storeTicks(&n.acc, n.acc+t)
	s.Cur = unsafe.Pointer(n.parent)
	used(s, &s.Real, t)
}

// used writes the reading t to the slot's Last or Real, when a Begin or End has used it.
//
//go:norace
func used(s *platform.Slot, word *platform.Ticks, t platform.Ticks) {
	platform.StoreTicks(word, t) // not storeTicks: each level of inlining may leave a NOP
	platform.StoreTicks(&s.Read, 0)
}

// Recording reports whether zones are measured.
func Recording() bool { return atomic.LoadUint32(&off) == 0 }
