package exectrace_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/exectrace"
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
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

var work = gather.Zone{Name: "work"}

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

// A wait for a group of goroutines is no wait for a lock: nobody releases it.
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
			for begin := time.Now(); time.Since(begin) < g.long(); {
				coolLoop()
			}
			result <- 1
		}()
		<-result
	})
	g.expect(verdict, "it waited for chan receive for ", "ended by worker 3 at cause_test.go:")
}

func TestASleep(t *testing.T) {
	g := newGame(t)
	verdict, _ := g.slow(gather.StateWaiting, func() { time.Sleep(g.long()) })
	g.expect(verdict, "it waited for sleep for ")
}

// A slow frame gets its states by itself, without a pause.
func TestSlowFramesAreTakenByThemselves(t *testing.T) {
	g := newGame(t)
	g.session.SetFrameBudget(time.Millisecond)
	defer g.session.SetFrameBudget(time.Second / 60)
	g.frame(func() { time.Sleep(50 * time.Millisecond) })
	for found := false; !found; time.Sleep(time.Millisecond) { // the test's own limit ends it
		for age := range 4 {
			for _, q := range g.session.AppendStates(nil, age) {
				found = found || q.Lane == measure.OwnLane() && q.Reason == "sleep"
			}
		}
	}
}
