package exectrace_test

import (
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/exectrace"
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// game is a program whose frames are short, but for one.
type game struct {
	t       *testing.T
	session *process.Session
	watch   *exectrace.Watcher
	longest time.Duration // of the ordinary frames
	over    chan bool     // closed at the end of the test
}

var work, pathfind = gather.Zone{Name: "work"}, gather.Zone{Name: "pathfind"}

// needZones skips a test of what the lanes of frames say.
func needZones(t *testing.T) {
	t.Helper()
	if !gather.Enabled {
		t.Skip("compiled out")
	}
}

// newGame runs so many ordinary frames that the next one can be compared with them.
func newGame(t *testing.T) *game {
	needZones(t)
	g := &game{t: t, session: process.Default(), over: make(chan bool)}
	g.session.Reset()
	watch := must.Get(exectrace.Watch(g.session))(t)
	g.watch = watch
	lane := gather.Register("main")
	t.Cleanup(func() {
		close(g.over)
		watch.Stop()
		lane.Close()
		g.session.Resume()
		g.session.Reset()
	})
	g.session.Update()
	for range 64 {
		begin := time.Now()
		g.frame(func() {})
		g.longest = max(g.longest, time.Since(begin))
	}
	return g
}

func (g *game) frame(do func()) {
	scope := work.Begin()
	do()
	scope.End()
	g.session.Update()
}

// long is a time that no ordinary frame took, however loaded the machine is.
func (g *game) long() time.Duration { return 100*time.Millisecond + 30*g.longest }

// verdict pauses the session, takes the states, and returns the verdict on the frame of an age and its longest state
// of a kind.
func (g *game) verdict(age int, kind gather.StateKind) (string, gather.LaneState) {
	g.t.Helper()
	g.session.Pause()
	must.Do(g.t, g.watch.Take())
	longest := gather.LaneState{}
	for _, q := range g.session.AppendStates(nil, age) {
		if q.Kind == kind && q.End-q.Begin > longest.End-longest.Begin && (q.Lane == 0 || q.Lane == measure.OwnLane()) {
			longest = q
		}
	}
	var v report.Verdict
	g.session.VerdictOf(&v, age)
	return v.String(), longest
}

// slow ends a long frame, and returns the verdict on it and its longest state of a kind. It does so again if the
// machine stopped meanwhile, which is then the cause.
func (g *game) slow(kind gather.StateKind, do func()) (verdict string, longest gather.LaneState) {
	g.t.Helper()
	for {
		g.frame(do)
		verdict, longest = g.verdict(0, kind)
		if !strings.Contains(verdict, "; the process was stopped for ") {
			return verdict, longest
		}
		g.t.Log(verdict)
		g.session.Resume()
		g.frame(func() {}) // the pause
	}
}

// worker registers the calling goroutine. The result waits for the end of the test.
func (g *game) worker(name string) (wait func()) {
	lane := gather.Register(name)
	work.Begin().End()
	return func() {
		<-g.over
		lane.Close()
	}
}

// expect fails unless the verdict has the words.
func (g *game) expect(verdict string, words ...string) {
	g.t.Helper()
	g.t.Log(verdict)
	for _, w := range words {
		if !strings.Contains(verdict, w) {
			g.t.Errorf("got %q; want %q in it", verdict, w)
		}
	}
}

// These causes need the execution trace. Package wait and the frames alone name late workers and contended locks of
// their own: see the tests of packages wait and process.

func TestALockOfSync(t *testing.T) {
	g := newGame(t)
	var m sync.Mutex
	m.Lock()
	verdict, q := g.slow(gather.StateWaiting, func() {
		go func() {
			defer g.worker("loader")()
			time.Sleep(g.long())
			m.Unlock()
		}()
		m.Lock()
	})
	g.expect(verdict, "it waited for mutex for ", "released by loader at cause_test.go:")
	if !strings.HasPrefix(q.Place, "cause_test.go:") {
		t.Errorf("got %+v; want the line of this test", q)
	}
}

// A wait for a group of goroutines is no wait for a lock: it has no holder.
func TestAWaitForAGroup(t *testing.T) {
	g := newGame(t)
	var group sync.WaitGroup
	verdict, _ := g.slow(gather.StateWaiting, func() {
		group.Add(1)
		go func() {
			defer g.worker("loader")()
			time.Sleep(g.long())
			group.Done()
		}()
		group.Wait()
	})
	g.expect(verdict, "it waited for wait group for ", "ended by loader at cause_test.go:")
}

func TestALateWorker(t *testing.T) {
	g := newGame(t)
	result := make(chan int)
	verdict, _ := g.slow(gather.StateWaiting, func() {
		go func() {
			defer g.worker("worker 3")()
			scope := pathfind.Begin()
			for begin := time.Now(); time.Since(begin) < g.long(); {
				coolLoop()
			}
			scope.End()
			result <- 1
		}()
		<-result
	})
	g.expect(verdict, "work ", "it waited for chan receive for ", "; worker 3 was in pathfind for ",
		", then ended it at cause_test.go:")
}

func TestASleep(t *testing.T) {
	g := newGame(t)
	verdict, _ := g.slow(gather.StateWaiting, func() { time.Sleep(g.long()) })
	g.expect(verdict, ". The program slept for ", " in work at cause_test.go:")
}

// A tick is what the program chose, too, also beside a channel that nobody sends to.
func TestATick(t *testing.T) {
	never := make(chan int)
	for name, wait := range map[string]func(time.Duration){
		"receive": func(d time.Duration) { <-time.Tick(d) },
		"select": func(d time.Duration) {
			select {
			case <-time.NewTimer(d).C:
			case <-never:
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t)
			verdict, _ := g.slow(gather.StateWaiting, func() { wait(g.long()) })
			g.expect(verdict, ". The program waited for the timer for ", " in work at cause_test.go:")
		})
	}
}

// A slow frame gets its states by itself, without a pause.
func TestSlowFramesAreTakenByThemselves(t *testing.T) {
	g := newGame(t)
	g.session.SetFrameBudget(time.Millisecond)
	defer g.session.SetFrameBudget(time.Second / 60)
	g.frame(func() { time.Sleep(50 * time.Millisecond) })
	for found := false; !found; time.Sleep(time.Millisecond) { // the test has a limit
		for age := range 4 {
			for _, q := range g.session.AppendStates(nil, age) {
				found = found || q.Lane == measure.OwnLane() && q.Reason == "sleep"
			}
		}
	}
}

var (
	kept    [][]*int
	garbage []*int
)

// A frame that allocates faster than the collector marks has to mark, too.
func TestACollectorAssist(t *testing.T) {
	needZones(t)
	defer debug.SetGCPercent(debug.SetGCPercent(2))
	for range 40 { // pointers that every collection has to follow
		list := make([]*int, 1<<17)
		for i := range list {
			list[i] = new(int)
		}
		kept = append(kept, list)
	}
	defer func() { kept, garbage = nil, nil }()
	g := newGame(t)
	for range 20 { // until it worked for the collector for a third of the frame
		verdict, _ := g.slow(gather.StateAssist, func() {
			for begin := time.Now(); time.Since(begin) < g.long(); {
				garbage = make([]*int, 1<<14)
				for i := range garbage {
					garbage[i] = new(int)
				}
			}
		})
		if f := g.session.AppendFrames(nil, 1)[0]; g.assisted() > 0.3*float64(f.Length) {
			g.expect(verdict, "; it worked for the garbage collector for ")
			return
		}
		g.session.Resume()
	}
	t.Error("the collector never took help for a third of a frame")
}

// assisted returns for how many ms the newest frame worked for the collector.
func (g *game) assisted() (ms float64) {
	for _, q := range g.session.AppendStates(nil, 0) {
		if q.Lane == measure.OwnLane() && q.Kind == gather.StateAssist {
			ms += float64(q.End-q.Begin) / platform.TicksPerSecond() * 1000
		}
	}
	return ms
}

// A wait keeps its reason and its length while the trace goes on: the trace repeats all states about once a second, and
// whenever it is taken.
func TestALongWaitIsOneState(t *testing.T) {
	g := newGame(t)
	lane, done := make(chan gather.LaneID), make(chan bool)
	go func() {
		defer g.worker("sleeper")()
		lane <- measure.OwnLane()
		<-done
	}()
	id := <-lane
	defer close(done)
	begin := time.Now()
	for range 4 {
		g.frame(func() { time.Sleep(50 * time.Millisecond) })
		must.Do(t, g.watch.Take())
	}
	least := time.Since(begin).Seconds() / 2
	for age := range 4 {
		longest := gather.LaneState{}
		for _, q := range g.session.AppendStates(nil, age) {
			if q.Lane == id && q.End-q.Begin > longest.End-longest.Begin {
				longest = q
			}
		}
		seconds := float64(longest.End-longest.Begin) / platform.TicksPerSecond()
		if longest.Reason != "chan receive" || seconds < least {
			t.Errorf("age %d: got %+v of %.3f s; want a wait for the channel of %.3f", age, longest, seconds, least)
		}
	}
}

// What tracing costs is measured in the running program, and the program's user starts and stops it.
func TestTracingIsASwitchThatSaysWhatItCosts(t *testing.T) {
	s := process.Default()
	s.Reset()
	exectrace.Offer(s)
	defer s.SetSources(func(c *process.Sources) { c.Tracer = nil })
	if state, can := s.Sources().Tracing(); !can || state.On || state.String() != "execution trace off" {
		t.Fatalf("got %+v, %v; want it off", state, can)
	}
	for range 2 { // it starts again
		must.Do(t, s.Sources().SetTracing(true))
		must.Do(t, s.Sources().SetTracing(true))
		there, back := make(chan int), make(chan int)
		go func() {
			for v := range there {
				back <- v
			}
		}()
		for state, _ := s.Sources().Tracing(); !state.Measured; state, _ = s.Sources().Tracing() {
			for range 100 {
				there <- 1
				<-back
			}
			time.Sleep(time.Millisecond)
		}
		close(there)
		state, _ := s.Sources().Tracing()
		t.Log(state, state.PerEvent, "ns an event,", state.Reading, "of a processor for reading")
		if !state.On || state.Events < 1000 || state.PerEvent < 1 || state.PerEvent > 1e6 || state.Share() <= 0 {
			t.Errorf("got %+v; want numbers of a program that sends messages all the time", state)
		}
		must.Do(t, s.Sources().SetTracing(false))
		if state, _ := s.Sources().Tracing(); state.On {
			t.Errorf("got %+v; want it off", state)
		}
	}
}

// A Watcher is in the same switch.
func TestAWatcherIsInTheSwitch(t *testing.T) {
	s := process.Default()
	defer s.SetSources(func(c *process.Sources) { c.Tracer = nil })
	w, err := exectrace.Watch(s)
	if err != nil {
		t.Fatal(err)
	}
	if state, can := s.Sources().Tracing(); !can || !state.On {
		t.Errorf("got %+v; want it on", state)
	}
	must.Do(t, s.Sources().SetTracing(false))
	w.Stop() // is stopped already
	if w, err = exectrace.Watch(s); err != nil {
		t.Fatal(err)
	}
	w.Stop()
	if state, _ := s.Sources().Tracing(); state.On {
		t.Errorf("got %+v; want it off", state)
	}
}

// BenchmarkWatch is a message to another goroutine and its answer, six events, with and without a Watcher. cost/op is
// what Tracing says of writing them.
func BenchmarkWatch(b *testing.B) {
	for _, name := range []string{"off", "on"} {
		b.Run("trace="+name, func(b *testing.B) {
			s := process.Default()
			if name == "on" {
				w := must.Get(exectrace.Watch(s))(b)
				defer w.Stop()
				for state := w.Tracing(); !state.Measured; state = w.Tracing() {
					time.Sleep(10 * time.Millisecond)
				}
				defer func() { b.ReportMetric(6*w.Tracing().PerEvent, "cost/op") }()
			}
			there, back := make(chan int), make(chan int)
			defer close(there)
			go func() {
				for v := range there {
					back <- v
				}
			}()
			for b.Loop() {
				there <- 1
				<-back
			}
		})
	}
}
