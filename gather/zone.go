//go:build !iprof_off

package gather

import (
	"unsafe"

	"example.com/iprof/platform"
)

// Enabled is false in programs built with the tag iprof_off.
const Enabled = true

// Zone is a public zone: one variable, used in as many functions, files and packages as serve the same purpose. Its identity
// is its address. The zero value is ready; Name and Idle are read when it is first entered. Any goroutine may use it.
type Zone struct {
	_        noCopy
	Name     string // any UTF-8
	Idle     bool   // waiting, not work
	perCall  bool
	governed uint8    // zoneDemoted or zoneMuted: see governor
	_        [13]byte // makes 32 bytes, so that the zones of one var block fall into different kid slots
}

// noCopy makes go vet object to copies, which would be zones of their own.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

// special is not 0 while recording is switched off or any zone is muted. The hot path reads it plainly.
var special uint32

// off is not 0 while recording is switched off.
var off uint32

// Begin enters the zone on the calling goroutine's lane. End the scope on the same goroutine, best by the same line:
//
//	defer physics.Begin().End()
//
//go:norace
func (z *Zone) Begin() Scope {
	if special != 0 && (off != 0 || z != nil && z.governed == zoneMuted) {
		return Scope{}
	}
	return enter(z)
}

// In enters the zone on a lane held in hand, which saves looking it up. On another goroutine than the lane's it is Begin, and
// counted as misuse.
//
//go:norace
func (z *Zone) In(lane *Lane) Scope {
	if off != 0 {
		return Scope{}
	}
	return within(z, lane)
}

// Span measures a block: return, break and panic inside are fine.
//
//	for range physics.Span {
//		…
//	}
func (z *Zone) Span(yield func() bool) {
	defer z.Begin().End()
	yield()
}

// The three functions below repeat the same dozen lines: a call between them would cost more than any step of them.

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
		s.Last = t
		n.count++
		storeTicks(&n.acc, n.acc-t)
		return Scope{n}
	}
	if !logs(s, t) {
		return beginSlow(s, t, entry{key: key, zone: z})
	}
	logBegin(s, n, t)
	s.Cur = unsafe.Pointer(n)
	n.count++
	storeTicks(&n.acc, n.acc-t)
	return Scope{n}
}

//go:norace
//go:noinline
func in(z *Zone, lane *Lane) Scope {
	if lane == nil {
		return begin(z)
	}
	s, t := lane.slot, platform.Ticks(0)
	if platform.Assembly { // to look the goroutine's slot up is quicker than to ask whose this one is
		if s, t = platform.Enter(); s != lane.slot {
			s = lane.slot
			t = platform.Leave(s)
		}
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
		s.Last = t
		n.count++
		storeTicks(&n.acc, n.acc-t)
		return Scope{n}
	}
	if !logs(s, t) {
		return inSlow(lane, t, z)
	}
	logBegin(s, n, t)
	s.Cur = unsafe.Pointer(n)
	n.count++
	storeTicks(&n.acc, n.acc-t)
	return Scope{n}
}

// OpenSite enters a private zone: the place that a call returns to (pc), and a name, which is kept; "" stands for the name of
// the function there. The slot and time are platform.EnterCaller's. Package iprof's Begin and Func are the callers.
//
//go:norace
//go:noinline
func OpenSite(s *platform.Slot, t platform.Ticks, pc uintptr, name string) Scope {
	if off != 0 {
		return Scope{}
	}
	key := siteKey(pc, name)
	if s == nil {
		return siteAway(pc, name, key)
	}
	n := (*node)(s.Cur).kids[key>>kidShift%kidSlots]
	for n != nil && n.key != key {
		n = n.sib
	}
	if n == nil || n.acc < 0 {
		return siteSlow(s, t, pc, name, key)
	}
	if t >= s.Last {
		s.Cur = unsafe.Pointer(n)
		s.Last = t
		n.count++
		storeTicks(&n.acc, n.acc-t)
		return Scope{n}
	}
	if !logs(s, t) {
		return siteSlow(s, t, pc, name, key)
	}
	logBegin(s, n, t)
	s.Cur = unsafe.Pointer(n)
	n.count++
	storeTicks(&n.acc, n.acc-t)
	return Scope{n}
}
