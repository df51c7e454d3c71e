package api_test

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"example.com/iprof"
	"example.com/iprof/platform"
)

var crossings = []struct {
	name string
	once func() // what a burst repeats
}{{"timestamps", timestamps}, {"counters", counters}, {"pair", crossPair},
	{"named", crossNamed}, {"nested", crossNested}}

// BenchmarkCores measures how much two goroutines on two processors slow each other down when they enter the same
// zones. Both run a burst of entries at the same time, again and again. Between these bursts each runs one alone. A
// burst counts only if the other goroutine ran during nine tenths of it: on a busy machine many bursts run one after
// the other and prove nothing. Two are controls: raw timestamps share nothing, and two atomic counters show the cost of
// sharing. The figures are the least times of an entry, their ratio, and the share of bursts that counted:
//
//	go test -run '^$' -bench Cores -benchtime 40x ./internal/integration/api
func BenchmarkCores(b *testing.B) {
	if runtime.GOMAXPROCS(0) < 2 {
		b.Skip("two processors are needed")
	}
	for _, c := range crossings {
		b.Run("form="+c.name, func(b *testing.B) {
			r := crossed{alone: math.Inf(1), beside: math.Inf(1)}
			for b.Loop() {
				r.add(crossTogether(c.once, 100))
			}
			r.report(b)
		})
	}
}

// inCross is the number of entries in a burst. A burst takes some ten microseconds, so most are not interrupted.
const inCross = 300

// burst is the time from the begin to the end of one burst.
type burst struct{ begin, end platform.Ticks }

func (b burst) length() float64 { return float64(b.end - b.begin) }

// pair is two goroutines that run the rounds in step.
type pair struct {
	once    func()
	arrived [2]struct {
		round atomic.Int64
		_     [120]byte // keeps the counters on cache lines of their own; processors fetch lines in pairs
	}
	alone, beside [2][]burst
}

// run runs the rounds of one of the two goroutines.
func (p *pair) run(me, rounds int) {
	runtime.LockOSThread()
	for step := range 3 * int64(rounds) {
		p.meet(me, step+1)
		switch {
		case step%3 == 2:
			p.beside[me] = append(p.beside[me], p.burst())
		case int(step%3) == me:
			p.alone[me] = append(p.alone[me], p.burst())
		}
	}
}

// meet waits until the other goroutine has reached the same step.
func (p *pair) meet(me int, step int64) {
	p.arrived[me].round.Store(step)
	for spin := 0; p.arrived[1-me].round.Load() < step; spin++ {
		if spin > 20_000 { // the other goroutine has no core now
			runtime.Gosched()
		}
	}
}

func (p *pair) burst() burst {
	begin := platform.Now()
	for range inCross {
		p.once()
	}
	return burst{begin, platform.Now()}
}

// crossed is the minimum time of a burst in ticks, alone and beside the other goroutine, and how many bursts counted.
type crossed struct {
	alone, beside      float64
	overlapped, bursts int
}

// crossTogether lets two goroutines run so many rounds.
func crossTogether(once func(), rounds int) *pair {
	p := &pair{once: once}
	for i := range 2 { // allocated here, so that nothing grows during a burst
		p.alone[i], p.beside[i] = make([]burst, 0, rounds), make([]burst, 0, rounds)
	}
	var both sync.WaitGroup
	for me := range 2 {
		both.Go(func() { p.run(me, rounds) })
	}
	both.Wait()
	return p
}

// add adds the measurements of a pair to the result.
func (r *crossed) add(p *pair) {
	for me := range 2 {
		for _, b := range p.alone[me] {
			r.alone = min(r.alone, b.length())
		}
	}
	r.bursts += 2 * len(p.beside[0])
	for i := range p.beside[0] {
		for me := range 2 {
			b := p.beside[me][i]
			if b.overlapped(p.beside[1-me][i]) {
				r.overlapped++
				r.beside = min(r.beside, b.length())
			}
		}
	}
}

// overlapped reports whether the other burst covered nine tenths of this one. If the other took much longer, it was
// interrupted, perhaps during this burst, and does not count.
func (b burst) overlapped(other burst) bool {
	common := float64(min(b.end, other.end) - max(b.begin, other.begin))
	return common >= 0.9*b.length() && other.length() < 1.5*b.length()
}

func (r *crossed) report(b *testing.B) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(r.overlapped)/float64(max(r.bursts, 1)), "overlapped")
	if r.overlapped > 0 {
		ns := 1e9 / platform.TicksPerSecond() / inCross
		b.ReportMetric(r.alone*ns, "alone-ns")
		b.ReportMetric(r.beside*ns, "beside-ns")
		b.ReportMetric(r.beside/r.alone, "beside/alone")
	}
}

var shared struct{ time, count atomic.Int64 }

//go:noinline
func timestamps() {
	begin := platform.Now()
	heed(platform.Now() - begin)
}

//go:noinline
func heed(platform.Ticks) {}

//go:noinline
func counters() {
	begin := platform.Now()
	shared.count.Add(1)
	shared.time.Add(int64(platform.Now() - begin))
}

// The zones below share no variable of their own, as deferred and nested do.

//go:noinline
func crossPair() { defer inner.Begin().End() }

//go:noinline
func crossNamed() { defer iprof.Begin("crossed").End() }

//go:noinline
func crossNested() {
	defer outer.Begin().End()
	crossPair()
}

func TestOnlyOverlappingBurstsCount(t *testing.T) {
	p := &pair{}
	p.alone = [2][]burst{{{0, 120}, {0, 100}}, {{0, 110}}}
	p.beside = [2][]burst{
		{{0, 90}, {0, 300}, {500, 650}, {900, 1100}, {2000, 2110}},
		{{90, 180}, {150, 250}, {505, 640}, {900, 1105}, {2050, 2150}},
	} // one after the other; beside a burst put aside; two good pairs; half beside
	r := crossed{alone: math.Inf(1), beside: math.Inf(1)}
	r.add(p)
	if want := (crossed{100, 135, 4, 10}); r != want {
		t.Errorf("got %+v; want %+v", r, want)
	}
}

func TestBothGoroutinesDoEveryRound(t *testing.T) {
	for _, c := range crossings {
		p := crossTogether(c.once, 20)
		for me := range 2 {
			if len(p.alone[me]) != 20 || len(p.beside[me]) != 20 {
				t.Errorf("%s: got %d bursts alone, %d beside; want 20 of each",
					c.name, len(p.alone[me]), len(p.beside[me]))
			}
		}
	}
}
