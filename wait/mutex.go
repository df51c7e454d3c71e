package wait

import (
	"sync"

	"example.com/iprof/gather"
)

// Mutex is a sync.Mutex whose waits are zones. Lock takes a free lock at once, and enters the zone "lock NAME" only if
// it has to wait. The zero value is ready, and its zone is "lock". Set Name before the first use. Do not copy it. Cost
// without contention: BenchmarkMutex.
type Mutex struct {
	Name string // any text
	mu   sync.Mutex
	line line
}

// Lock locks m. Any goroutine may call it.
func (m *Mutex) Lock() {
	if !m.mu.TryLock() {
		m.wait()
	}
}

func (m *Mutex) wait() {
	if !gather.Enabled {
		m.mu.Lock()
		return
	}
	m.line.wait(lockZone("lock", m.Name), m.mu.Lock)
}

// TryLock locks m if it need not wait, and reports whether it did.
func (m *Mutex) TryLock() bool { return m.mu.TryLock() }

// Unlock unlocks m. It is a run-time error if m is not locked.
func (m *Mutex) Unlock() {
	if m.line.waiting.Load() != 0 {
		m.line.release()
	}
	m.mu.Unlock()
}

// RWMutex is a sync.RWMutex whose waits are zones: "lock NAME" and "read lock NAME". The zero value is ready. Set Name
// before the first use. Do not copy it.
type RWMutex struct {
	Name string // any text
	mu   sync.RWMutex
	line line
}

// Lock locks m for writing. Any goroutine may call it.
func (m *RWMutex) Lock() {
	if !m.mu.TryLock() {
		m.wait()
	}
}

func (m *RWMutex) wait() {
	if !gather.Enabled {
		m.mu.Lock()
		return
	}
	m.line.wait(lockZone("lock", m.Name), m.mu.Lock)
}

// RLock locks m for reading. Any goroutine may call it.
func (m *RWMutex) RLock() {
	if !m.mu.TryRLock() {
		m.waitToRead()
	}
}

func (m *RWMutex) waitToRead() {
	if !gather.Enabled {
		m.mu.RLock()
		return
	}
	m.line.wait(lockZone("read lock", m.Name), m.mu.RLock)
}

// TryLock locks m for writing if it need not wait, and reports whether it did.
func (m *RWMutex) TryLock() bool { return m.mu.TryLock() }

// TryRLock locks m for reading if it need not wait, and reports whether it did.
func (m *RWMutex) TryRLock() bool { return m.mu.TryRLock() }

// Unlock ends Lock. It is a run-time error if m is not locked for writing.
func (m *RWMutex) Unlock() {
	if m.line.waiting.Load() != 0 {
		m.line.release()
	}
	m.mu.Unlock()
}

// RUnlock ends RLock. It is a run-time error if m is not locked for reading.
func (m *RWMutex) RUnlock() {
	if m.line.waiting.Load() != 0 {
		m.line.release()
	}
	m.mu.RUnlock()
}

// RLocker returns a sync.Locker whose Lock and Unlock are RLock and RUnlock of m.
func (m *RWMutex) RLocker() sync.Locker { return (*reader)(m) }

type reader RWMutex

func (r *reader) Lock()   { (*RWMutex)(r).RLock() }
func (r *reader) Unlock() { (*RWMutex)(r).RUnlock() }

// lockZone returns the zone of a lock.
func lockZone(kind, name string) *gather.Zone {
	if name != "" {
		kind += " "
	}
	return named(kind, name)
}
