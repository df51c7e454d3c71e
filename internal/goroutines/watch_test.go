package goroutines_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/internal/goroutines"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// pool starts goroutines of three kinds, each at a go statement of its own.
type pool struct {
	full  chan int      // nobody receives
	empty chan int      // nobody sends
	end   chan struct{} // ends those that wait in select
	mu    sync.Mutex    // held
	all   sync.WaitGroup
}

func (p *pool) send(n int) {
	for range n {
		p.all.Add(1)
		go func() { defer p.all.Done(); p.full <- 1 }()
	}
}

func (p *pool) choose(n int) {
	for range n {
		p.all.Add(1)
		go func() {
			defer p.all.Done()
			select {
			case <-p.empty:
			case <-p.end:
			}
		}()
	}
}

func (p *pool) lock(n int) {
	for range n {
		p.all.Add(1)
		go func() { defer p.all.Done(); p.mu.Lock(); defer p.mu.Unlock() }()
	}
}

// newPool returns a pool, and simulates time: a step of the clock is a second.
func newPool(t *testing.T) (p *pool, clock *atomic.Int64) {
	clock = new(atomic.Int64)
	clock.Store(1000)
	platform.SetClock(clock.Load, 1)
	p = &pool{full: make(chan int), empty: make(chan int), end: make(chan struct{})}
	p.mu.Lock()
	t.Cleanup(func() {
		for range p.full { // the last one closes it
			continue
		}
		platform.SetClock(nil, 0)
	})
	t.Cleanup(func() {
		close(p.end)
		p.mu.Unlock()
		go func() { p.all.Wait(); close(p.full) }()
	})
	return p, clock
}

// of surveys until a condition of the statement in a function holds, each time an hour later.
func of(t *testing.T, w *goroutines.Watch, clock *atomic.Int64, function string,
	is func(s *report.GoStatement) bool) (s report.GoStatement) {
	t.Helper()
	must.Until(t, "the goroutines of "+function+" wait", func() bool {
		clock.Add(3600)
		g := must.Get(w.Survey(false))(t)
		for i := range g.Statements {
			if strings.Contains(g.Statements[i].Crowd, function+" watch_test.go:") {
				s = g.Statements[i]
				return is(&s)
			}
		}
		return false
	})
	return s
}

// waits is the condition that all goroutines wait in one place.
func waits(n int, reason string) func(s *report.GoStatement) bool {
	return func(s *report.GoStatement) bool {
		return s.Alive == n && len(s.Waits) == 1 && s.Waits[0].Count == n && s.Waits[0].Reason == reason
	}
}

// A survey has each go statement with its goroutines, and what they wait for, where.
func TestSurveyByGoStatement(t *testing.T) {
	p, clock := newPool(t)
	r, w := rand.New(rand.NewPCG(1, 2)), new(goroutines.Watch)
	for _, c := range []struct {
		function, reason string
		start            func(n int)
	}{{"(*pool).send", "chan send", p.send}, {"(*pool).choose", "select", p.choose},
		{"(*pool).lock", "sync.Mutex.Lock", p.lock}} {
		n := 2 + r.IntN(40)
		c.start(n)
		s := of(t, w, clock, c.function, waits(n, c.reason))
		text, place := string(s.AppendText(nil, strings.ToUpper)), strings.ToUpper(s.Waits[0].Place)
		want := fmt.Sprintf("%s: %d alive, all wait in %s at %s", strings.ToUpper(s.Crowd), n,
			strings.ToUpper(c.reason), place)
		if text != want || !strings.HasPrefix(place, "WATCH_TEST.GO:") {
			t.Errorf("got %q; want %q", text, want)
		}
		if s.Made != uint64(n) || s.Ended != 0 {
			t.Errorf("%s: got %d made, %d ended; want %d and 0", c.function, s.Made, s.Ended, n)
		}
	}
}

// Surveys count what was made and what has ended, and know since when the oldest lives.
func TestSurveysCountMadeAndEnded(t *testing.T) {
	p, clock := newPool(t)
	w := new(goroutines.Watch)
	p.send(10)
	first := of(t, w, clock, "(*pool).send", waits(10, "chan send"))
	for range 4 {
		<-p.full
	}
	of(t, w, clock, "(*pool).send", waits(6, "chan send"))
	p.send(5)
	s := of(t, w, clock, "(*pool).send", waits(11, "chan send"))
	if s.Made != 15 || s.Ended != 4 || s.Oldest < first.Oldest+2*time.Hour || s.Growing() {
		t.Errorf("got %d made, %d ended, the oldest for %v, growing %v; want 15, 4, at least %v, and no growth",
			s.Made, s.Ended, s.Oldest, s.Growing(), first.Oldest+2*time.Hour)
	}
	for range 11 {
		<-p.full
	}
	s = of(t, w, clock, "(*pool).send", func(s *report.GoStatement) bool { return s.Alive == 0 })
	if s.Made != 15 || s.Ended != 15 || s.Oldest != 0 {
		t.Errorf("got %d made, %d ended, the oldest for %v; want 15, 15 and none", s.Made, s.Ended, s.Oldest)
	}
}

// Goroutines that only become more are named, with their number at first.
func TestGrowthIsNamed(t *testing.T) {
	p, clock := newPool(t)
	w := new(goroutines.Watch)
	p.choose(3)
	of(t, w, clock, "(*pool).choose", waits(3, "select"))
	grown := func(n int) *report.GoStatement {
		p.send(n)
		clock.Add(3600)
		g := must.Get(w.Survey(false))(t)
		return g.Growing()
	}
	if s := grown(5); s != nil {
		t.Errorf("got %+v after one survey with more; want none", s)
	}
	grown(5)
	s := grown(20)
	if s == nil || s.Alive != 30 || !strings.Contains(s.Crowd, "send") {
		t.Fatalf("got %+v; want 30 goroutines of send", s)
	}
	text := string(s.AppendGrowth(nil, func(s string) string { return s }))
	if want := s.Crowd + ": 30 alive, 0 at first, more in each of "; !strings.HasPrefix(text, want) {
		t.Errorf("got %q; want %q", text, want)
	}
	<-p.full
	if s := grown(0); s != nil {
		t.Errorf("got %+v after one has ended; want none", s)
	}
}

// A survey soon after another is the same.
func TestSurveysAreNotMadeInARow(t *testing.T) {
	_, clock := newPool(t)
	w := new(goroutines.Watch)
	first, _ := w.Survey(false)
	if again, _ := w.Survey(false); again != first || w.Last() != first {
		t.Error("got another survey in the same second; want the same")
	}
	clock.Add(3600)
	if again, _ := w.Survey(false); again == first || again.Surveys != 2 {
		t.Errorf("got the survey of an hour ago; want a second one")
	}
}

// A program with too many goroutines for all details is surveyed by function.
func TestManyGoroutinesAreSurveyedByFunction(t *testing.T) {
	p, clock := newPool(t)
	w := new(goroutines.Watch)
	const n = 10_001
	p.send(n)
	must.Until(t, "all are counted", func() bool {
		clock.Add(3600)
		g := must.Get(w.Survey(false))(t)
		s := g.Statements[0]
		return g.ByFunction && s.Crowd == "goroutines_test.(*pool).send.func1" && s.Alive == n &&
			s.Made == 0 && s.Waits[0].Reason == "chan send" && strings.HasPrefix(s.Waits[0].Place, "watch_test.go:")
	})
	for range n - 10 {
		<-p.full
	}
	s := of(t, w, clock, "(*pool).send", waits(10, "chan send"))
	if s.First >= n || s.Made > uint64(s.First) {
		t.Errorf("got %d at first, %d made; want counts since the first survey with details", s.First, s.Made)
	}
}

// BenchmarkSurvey measures how long a program stands still for a survey, by goroutine: with go statements and ages up
// to 10,000 of them, by function beyond.
func BenchmarkSurvey(b *testing.B) {
	for _, n := range []int{100, 10_000 - 100, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := &pool{full: make(chan int)}
			p.send(n)
			runtime.Gosched()
			w, took := new(goroutines.Watch), time.Duration(0)
			for b.Loop() {
				g, err := w.Survey(false)
				if err != nil {
					b.Fatal(err)
				}
				took += g.Took
				w = new(goroutines.Watch)
			}
			b.ReportMetric(float64(took.Nanoseconds())/float64(b.N)/float64(n), "ns/goroutine")
			for range n {
				<-p.full
			}
			p.all.Wait()
		})
	}
}
