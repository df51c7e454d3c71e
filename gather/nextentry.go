//go:build !iprof_off

package gather

// awaited is the function that the next entry of a zone calls, or nil. The registry's mutex guards it.
var awaited func()

// OnNextEntry calls f once, on the goroutine that next enters a zone that is measured, before the zone begins. A second
// call replaces f; nil means none. f must not wait. Nothing else about a zone costs more meanwhile, or afterwards. Any
// goroutine may call it.
//
//go:norace
func OnNextEntry(f func()) {
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
	registry.mu.Lock()
	f := awaited
	awaited = nil
	switchTo(governing)
	registry.mu.Unlock()
	if f != nil {
		f()
	}
	return enter(z)
}
