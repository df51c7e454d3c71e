// Package quiet contains the locks for the profiler's code inside the functions of a measured program. For -race the
// command iprof replaces it with a package whose locks the race detector does not see: visible locks would create a
// happens-before order between the program's goroutines, and hide races between them. The packages with these locks are
// then built without the race detector. So other packages must not change the data guarded by such a lock. The data
// must not be a map, which the runtime itself reports to the race detector.
//
//	var table struct {
//		quiet.Mutex
//		zones quiet.Index
//	}
package quiet

import "sync"

// Mutex is a sync.Mutex. Its methods are not inlined, because programs with zones have hundreds of their calls.
type Mutex struct{ mu sync.Mutex }

// Lock locks it.
//
//go:noinline
func (m *Mutex) Lock() { m.mu.Lock() }

// TryLock locks it if it is free, and reports whether it did.
func (m *Mutex) TryLock() bool { return m.mu.TryLock() }

// Unlock unlocks it.
//
//go:noinline
func (m *Mutex) Unlock() { m.mu.Unlock() }

// RWMutex is a sync.RWMutex.
type RWMutex = sync.RWMutex

// Call calls f. What f sends to a channel orders nothing, as locks do.
func Call(f func()) { f() }
