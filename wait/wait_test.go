//lint:file-ignore SA2001 Empty critical sections: the locks themselves are tested.

package wait_test

import (
	"strconv"
	"sync"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/measure"
	"example.com/iprof/wait"
)

// entered returns the entries of idle zones in the frame that it ends, by name.
func entered() map[string]uint32 {
	var f gather.Frame
	gather.Collect(&f)
	entries := map[string]uint32{}
	for _, l := range f.Lanes {
		for _, n := range l.Nodes {
			if z := f.Zones[n.Zone]; z.Idle && n.Count > 0 {
				entries[z.Name] += n.Count
			}
		}
	}
	return entries
}

// locks are the ways to wait for a lock that another goroutine holds.
func locks() map[string]struct{ hold, wait sync.Locker } {
	m, rw := &wait.Mutex{Name: "world"}, &wait.RWMutex{Name: "tree"}
	return map[string]struct{ hold, wait sync.Locker }{
		"lock world":     {m, m},
		"lock tree":      {rw.RLocker(), rw},
		"read lock tree": {rw, rw.RLocker()},
		"lock":           {new(wait.Mutex), nil},
	}
}

func TestLocksHaveAZoneOnlyWhileTheyWait(t *testing.T) {
	for name, l := range locks() {
		t.Run(name, func(t *testing.T) {
			waiter := l.wait
			if waiter == nil {
				waiter = l.hold
			}
			entered()
			l.hold.Lock()
			l.hold.Unlock()
			waiter.Lock()
			waiter.Unlock()
			if got := entered(); len(got) != 0 {
				t.Fatalf("without contention: got %v; want no zone", got)
			}
			l.hold.Lock()
			done := make(chan bool)
			go func() {
				waiter.Lock()
				waiter.Unlock()
				done <- true
			}()
			for gather.Enabled && entered()[name] == 0 { // until it waits
			}
			l.hold.Unlock()
			<-done
		})
	}
}

func TestTryingDoesNotWait(t *testing.T) {
	var m wait.Mutex
	var rw wait.RWMutex
	if !m.TryLock() || m.TryLock() {
		t.Error("Mutex: got a second lock; want one")
	}
	m.Unlock()
	first, second := rw.TryRLock(), rw.TryRLock()
	if !first || !second || rw.TryLock() {
		t.Error("RWMutex: want two readers, and no writer beside them")
	}
	rw.RUnlock()
	rw.RUnlock()
	if !rw.TryLock() || rw.TryRLock() {
		t.Error("RWMutex: want one writer, and no reader beside it")
	}
	rw.Unlock()
}

func TestMutexExcludes(t *testing.T) {
	m, sum := wait.Mutex{Name: "sum"}, 0
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				m.Lock()
				sum++
				m.Unlock()
			}
		})
	}
	all.Wait()
	if sum != 8000 {
		t.Errorf("got %d; want 8000", sum)
	}
}

func TestWaitsAreIdleAndTheirNamesBounded(t *testing.T) {
	if !gather.Enabled {
		t.Skip("compiled out")
	}
	entered()
	wait.Begin("for a job").End()
	wait.Begin("for a job").End()
	if got := entered(); got["for a job"] != 2 {
		t.Errorf("got %v; want two waits", got)
	}
	var f gather.Frame
	measure.Peek(&f)
	for _, z := range f.Zones {
		if z.Name == "for a job" && z.Function != "example.com/iprof/wait_test.TestWaitsAreIdleAndTheirNamesBounded" {
			t.Errorf("got %s as the place; want this test", z.Function)
		}
	}
	var plain gather.Zone // where lanes are found by the stack, a zone allocates once
	want := allocstest.PerRun(10, func() { plain.Begin().End() })
	if got := allocstest.PerRun(10, func() { wait.Begin("for a job").End() }); got > want {
		t.Errorf("got %g allocations; want no more than the %g of a zone", got, want)
	}
	for i := range 1100 {
		wait.Begin(strconv.Itoa(i)).End()
	}
	if got := entered(); got["(other)"] < 76 || got["5"] != 1 {
		t.Errorf("got %d of other names and %d of one; want at least 76 and 1", got["(other)"], got["5"])
	}
}

func BenchmarkMutex(b *testing.B) {
	b.Run("sync", func(b *testing.B) {
		var m sync.Mutex
		for b.Loop() {
			m.Lock()
			m.Unlock()
		}
	})
	b.Run("wait", func(b *testing.B) {
		var m wait.Mutex
		for b.Loop() {
			m.Lock()
			m.Unlock()
		}
	})
	b.Run("sync RLock", func(b *testing.B) {
		var m sync.RWMutex
		for b.Loop() {
			m.RLock()
			m.RUnlock()
		}
	})
	b.Run("wait RLock", func(b *testing.B) {
		var m wait.RWMutex
		for b.Loop() {
			m.RLock()
			m.RUnlock()
		}
	})
}
