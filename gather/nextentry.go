//go:build !iprof_off

package gather

// awaited is the function that the next entry of a zone calls, or nil. The registry's mutex guards it.
var awaited func(*Zone) bool

// OnNextEntry calls f at each entry of a zone that is measured until f returns true, on the goroutine that enters it,
// before the zone begins. A second call replaces f; nil means none. f must not wait, and must not call this package.
// Nothing else about a zone costs more meanwhile, or afterwards. Any goroutine may call it.
//
//go:norace
func OnNextEntry(f func(entered *Zone) (done bool)) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	awaited = f
	switchTo(governing)
}

// beginAwaited is begin for the entry that somebody waits for.
//
//go:norace
//go:noinline
func beginAwaited(z *Zone) Scope {
	if askAwaited(z) {
		return beginGoverned(z)
	}
	return begin(z)
}

// askAwaited calls the function that awaits an entry. It reports whether zones are governed.
//
//go:norace
func askAwaited(z *Zone) (governed bool) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if awaited != nil && awaited(z) {
		awaited = nil
		switchTo(governing)
	}
	return governing
}
