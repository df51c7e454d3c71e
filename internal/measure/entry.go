//go:build !iprof_off

package measure

import (
	"sync/atomic"
	"unsafe"

	"example.com/iprof/internal/quiet"
	"example.com/iprof/platform"
)

// The functions here are exported for package iprof only, and so is CountSite in governor_enter.go. Programs use
// iprof.Begin and iprof.Func. These read their caller's return address, so the first step of entering a private zone is
// in iprof, and the rest is here. A call through a variable or an interface would cost more than this call
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

// awaited is the function that the next entry of a zone calls, or nil. The registry's mutex guards it.
var awaited func(*Zone) bool

// OnNextEntry calls f before each measured entry of a zone, on the entering goroutine, until f returns true. A second
// call replaces f; nil means none. f must not wait, and must not call this package. It makes no other operation on
// zones slower, neither before nor after f returns true. Any goroutine may call it.
//
//go:norace
func OnNextEntry(f func(entered *Zone) (done bool)) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	awaited = f
	switchTo(governing)
}

// beginAwaited is begin for an entry that OnNextEntry awaits.
//
//go:norace
//go:noinline
func beginAwaited(z *Zone) Scope {
	if askAwaited(z) {
		return beginGoverned(z)
	}
	return begin(z)
}

// askAwaited calls the function of OnNextEntry. It reports whether zones are governed.
//
//go:norace
func askAwaited(z *Zone) (governed bool) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	done := false
	if awaited != nil {
		quiet.Call(func() { done = awaited(z) })
	}
	if done {
		awaited = nil
		switchTo(governing)
	}
	return governing
}
