//go:build !iprof_off

//lint:file-ignore SA2001 Empty critical sections: the locks themselves are tested.

package wait_test

import (
	"maps"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
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
			measure.Peek(&f)
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

// blocking are waits that a program does not choose. Each waits until the function that it gives to another goroutine
// has been called.
var blocking = map[string]func(spend func()){
	"lock": func(spend func()) {
		m := wait.Mutex{Name: "scene"}
		held(&m, &m, "lock scene", spend)
	},
	"channel": func(spend func()) {
		asked, results := make(chan bool), make(chan int)
		go func() { <-asked; spend(); results <- 1 }()
		defer wait.Begin("for a result").End()
		asked <- true
		<-results
	},
	"late worker": func(spend func()) {
		var workers sync.WaitGroup
		entered := make(chan bool)
		workers.Go(func() { <-entered; spend() })
		defer wait.Begin("for workers").End()
		close(entered)
		workers.Wait()
	},
	"system call": func(spend func()) {
		in, out, _ := os.Pipe()
		entered := make(chan bool)
		go func() { <-entered; spend(); out.Close() }()
		defer wait.Begin("for the disk").End()
		close(entered)
		in.Read(make([]byte, 1))
		in.Close()
	},
}

// judged is a sink that keeps the time that was judged in the newest frame.
type judged struct{ time.Duration }

func (*judged) WriteFrame(*gather.Frame) error { return nil }

func (j *judged) WriteJudged(_ *gather.Frame, by *process.Judged) error {
	j.Duration = by.Time
	return nil
}

// A frame that was blocked for long is late, wherever that is said. A frame that chose to wait is not.
func TestFramesThatAreBlockedAreLate(t *testing.T) {
	chosen := gather.Zone{Name: "vsync", Idle: true}
	waits := maps.Clone(blocking)
	waits["display"] = func(spend func()) {
		defer chosen.Begin().End()
		spend()
	}
	waits["events"] = func(spend func()) {
		process.Default().SetEventDriven(true)
		blocking["channel"](spend)
	}
	for name, block := range waits {
		t.Run(name, func(t *testing.T) {
			var now atomic.Int64
			platform.SetClock(now.Load, 1000)
			s, sink := process.Default(), new(judged)
			s.Reset()
			lane := gather.Register("main")
			remove := s.AddSink(sink)
			defer func() {
				remove()
				lane.Close()
				platform.SetClock(nil, 0)
				s.SetEventDriven(false)
				s.Update()
				s.Reset()
			}()
			work := gather.Zone{Name: "work"}
			frame := func(do func()) {
				scope := work.Begin()
				now.Add(10)
				scope.End()
				do()
				s.Update()
			}
			for range 60 {
				frame(func() {})
			}
			frame(func() { block(func() { now.Add(80) }) })
			want, late := blocking[name] != nil, report.FrameSummary{}
			var v report.Verdict
			s.VerdictOf(&v, 0)
			late = s.AppendFrames(nil, 1)[0]
			slowest, info := s.AppendSlowest(nil)[0], s.View().Info()
			s.View().Set(report.View{Average: report.AverageInstant})
			shown := s.View().Info()
			s.View().Set(report.View{})
			if late.Over != want || v.Over != want || shown.Over != want || (slowest.Index == info.Index) != want ||
				(sink.Duration > 80*time.Millisecond) != want || late.Judged() != late.Busy+late.Blocked {
				t.Errorf("late in the history %t, the verdict %t, the headline %t, slowest %t, judged by sinks as %v; "+
					"want %t of all", late.Over, v.Over, shown.Over, slowest.Index == info.Index, sink.Duration, want)
			}
			if want && (!strings.Contains(v.String(), "Waiting in ") || shown.Blocked != 80) {
				t.Errorf("got %q and %v ms; want the wait of 80 ms named", v.String(), shown.Blocked)
			}
		})
	}
}

// The verdict on a frame that waited for a lock says who held it. There is no execution trace.
func TestVerdictNamesWhoHeldTheLock(t *testing.T) {
	var now atomic.Int64
	platform.SetClock(now.Load, 1e6)
	const ms = 1000 // ticks
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
		now.Add(10 * ms)
		do()
		scope.End()
		s.Update()
	}
	for range 60 {
		frame(func() {})
	}
	frame(func() { held(&m, &m, "lock world", func() { now.Add(100 * ms) }) })
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
