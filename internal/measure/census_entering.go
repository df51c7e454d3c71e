//go:build !iprof_off

package measure

import "example.com/iprof/internal/quiet"

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

// governing is true while enter and within are the governor's functions. The registry's mutex guards it.
var governing bool

// setState sets state after a change of off or governing. The registry's mutex is held.
func setState() {
	now := Timing
	switch {
	case !Recording():
		now = Off
	case governing:
		now = Governed
	}
	state.Store(now)
}

// seal says whether all lanes are in use. The registry's mutex is held.
func seal(full bool) {
	if finding.sealed.Swap(full) != full {
		choose(governing)
	}
}

// choose is switchTo for seal: what enter calls may call seal.
var choose func(governor bool)

func init() { choose = switchTo }

// switchTo chooses the governor's functions for entering zones, or the usual ones. While all lanes are in use, or
// OnNextEntry awaits an entry, a function for that comes first. The registry's mutex is held.
//
//go:norace
func switchTo(governor bool) {
	if governing = governor; governor {
		enter, within = beginGoverned, inGoverned
	} else {
		enter, within = begin, in
	}
	if finding.sealed.Load() {
		enter = beginCrowded
	}
	if awaited != nil {
		enter = beginAwaited
	}
	setState()
}
