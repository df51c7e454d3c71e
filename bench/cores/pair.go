package main

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"example.com/iprof/platform"
)

// entries is the number of entries in a burst. A burst takes some ten microseconds, so most are not interrupted.
const entries = 300

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
	for range entries {
		p.once()
	}
	return burst{begin, platform.Now()}
}

// result is the minimum time of a burst in ticks, alone and beside the other goroutine, and how many bursts counted.
type result struct {
	alone, beside      float64
	overlapped, bursts int
}

// enough is the needed number of overlapping bursts. patience is the greatest number of repetitions of the rounds.
const (
	enough   = 500
	patience = 12
)

func measure(b body, rounds int) result {
	r := result{alone: math.Inf(1), beside: math.Inf(1)}
	for range patience {
		p := &pair{once: b.once}
		for i := range 2 { // allocated here, so that nothing grows during a burst
			p.alone[i], p.beside[i] = make([]burst, 0, rounds), make([]burst, 0, rounds)
		}
		var both sync.WaitGroup
		for me := range 2 {
			both.Go(func() { p.run(me, rounds) })
		}
		both.Wait()
		if r.add(p); r.overlapped >= enough {
			break
		}
	}
	return r
}

// add adds the measurements of a pair to the result.
func (r *result) add(p *pair) {
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

func (r result) print(name string) {
	if r.overlapped == 0 {
		fmt.Printf("%-32s no two bursts overlapped: the cores are busy\n", name)
		return
	}
	ns := 1e9 / platform.TicksPerSecond() / entries
	fmt.Printf("%-32s %8.1f %8.1f %8.3f  %d of %d\n",
		name, r.alone*ns, r.beside*ns, r.beside/r.alone, r.overlapped, r.bursts)
}
