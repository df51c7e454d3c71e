//go:build !iprof_off

package measure

import (
	"sync/atomic"
	"unsafe"

	"example.com/iprof/platform"
)

// OpenSite is exported for package iprof only, and so is CountSite in lane_governed.go. Programs use iprof.Begin and
// iprof.Func. These read their caller's return address, so the first step of entering a private zone is in iprof, and
// the rest is here. A call through a variable or an interface would cost more than this call
// (BenchmarkBegin/form=named).

// The values of State.
const (
	Timing   uint32 = iota // every entry is timed: use OpenSite
	Off                    // no entry is measured: see SetRecording
	Governed               // some entries are only counted, or muted: use CountSite
)

var state atomic.Uint32

// State tells package iprof how to enter a private zone. Any goroutine may call it.
func State() uint32 { return state.Load() }

// OpenSite enters a private zone: the place with the return address pc, and a name. An empty name stands for the name
// of the function. The slot and the time come from platform.EnterCaller. It keeps the name's text. Any goroutine may
// call it, with its own slot.
//
//go:norace
//go:noinline
func OpenSite(s *platform.Slot, t platform.Ticks, pc uintptr, name string) Scope {
	if off != 0 {
		return unused(s)
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
		storeTicks(&n.acc, n.acc-t)
		n.count++
		used(s, &s.Last, t)
		return scopeOf(n)
	}
	if !logs(s, t) {
		return siteSlow(s, t, pc, name, key)
	}
	logBegin(s, n, t)
	s.Cur = unsafe.Pointer(n)
	storeTicks(&n.acc, n.acc-t)
	n.count++
	used(s, &s.Real, t)
	return scopeOf(n)
}
