//go:build !iprof_off

//lint:file-ignore SA2001 Empty critical sections: the locks themselves are what is tested.

package wait_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/wait"
)

// held makes the calling goroutine wait for a lock that another lane holds, until that is seen to wait.
func held(hold, waited sync.Locker, zone string, seen func()) (holder gather.LaneID) {
	holds, release, id := make(chan bool), make(chan bool), gather.LaneID(0)
	go func() {
		lane := gather.Register("loader")
		id = lane.ID()
		hold.Lock()
		close(holds)
		<-release
		hold.Unlock()
		lane.Close()
	}()
	<-holds
	go func() {
		var f gather.Frame
		for waits := false; !waits; {
			gather.Peek(&f)
			for _, l := range f.Lanes {
				for _, n := range l.Nodes {
					waits = waits || n.Open && f.Zones[n.Zone].Name == zone
				}
			}
		}
		seen()
		close(release)
	}()
	waited.Lock()
	waited.Unlock()
	return id
}

// A wait for a lock is a state of the lane that waited, with the lane that held the lock and the line that released it.
func TestWaitsSayWhoReleasedTheLock(t *testing.T) {
	for name, l := range locks() {
		if l.wait == nil {
			l.wait = l.hold
		}
		t.Run(name, func(t *testing.T) {
			lane := gather.Register("waiter")
			defer lane.Close()
			var f gather.Frame
			gather.Collect(&f)
			holder := held(l.hold, l.wait, name, func() {})
			gather.Collect(&f)
			if len(f.States) != 1 {
				t.Fatalf("got %+v; want one state", f.States)
			}
			q := f.States[0]
			// A RLocker releases in the method that it calls.
			place := strings.HasPrefix(q.At, "state_test.go:") || strings.HasPrefix(q.At, "mutex.go:")
			if q.Lane != lane.ID() || q.Waker != holder || q.Kind != gather.StateWaiting || q.Reason != name || !place {
				t.Errorf("got %+v; want lane %d, freed by lane %d in state_test.go", q, lane.ID(), holder)
			}
			if q.Begin < f.Begin || q.End > f.End || q.End <= q.Begin {
				t.Errorf("got %d to %d; want it in the frame from %d to %d", q.Begin, q.End, f.Begin, f.End)
			}
			if gather.Collect(&f); len(f.States) != 0 {
				t.Errorf("got %+v in the next frame; want none", f.States)
			}
		})
	}
}

// The verdict on a frame that waited for a lock says who held it. There is no execution trace.
func TestVerdictNamesWhoHeldTheLock(t *testing.T) {
	var now atomic.Int64
	platform.SetClock(now.Load, 1000)
	s := process.Default()
	s.Reset()
	lane := gather.Register("main")
	defer func() {
		lane.Close()
		platform.SetClock(nil, 0)
		s.Update()
		s.Reset()
	}()
	work, m := gather.Zone{Name: "work"}, wait.Mutex{Name: "world"}
	frame := func(do func()) {
		scope := work.Begin()
		now.Add(10)
		do()
		scope.End()
		s.Update()
	}
	for range 60 {
		frame(func() {})
	}
	frame(func() { held(&m, &m, "lock world", func() { now.Add(100) }) })
	var v report.Verdict
	s.VerdictOf(&v, 0)
	got := v.String()
	for _, want := range []string{"+100 ms", "Waiting in lock world 100.0", "; it waited for lock world for 100.0",
		", released by loader at state_test.go:"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %q; want %q in it", got, want)
		}
	}
}
