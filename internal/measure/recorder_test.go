//go:build !iprof_off

package measure_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// The recorder is a second, independent profiler. Every goroutine counts its own entries and reads the clock before and
// after each Begin and each End. So the time of each distinct stack is known within bounds, whatever the scheduler
// does, and the frames of a reader that runs freely must add up to something between them.

// recordFor is how long each setting runs: a moment, or what IPROF_RECORD says ("make long": 3s, "make soak": 1m).
func recordFor(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("IPROF_RECORD")
	if text == "" {
		return time.Duration(longtest.Pick(300, 150)) * time.Millisecond
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("IPROF_RECORD: %v", err)
	}
	return d
}

const (
	recorders = 8
	// then other goroutines take over, whose lanes are new: a lane has room for 65,536 stacks
	crewRounds   = 500
	clockSlack   = platform.Ticks(64)   // readings that processors reorder, for each scope
	readingSlack = platform.Ticks(4000) // counters of two cores that differ, and words that arrive late, for each stack
)

var recorded = [7]measure.Zone{{Name: "1"}, {Name: "2"}, {Name: "3"}, {Name: "4"}, {Name: "5"}, {Name: "6"},
	{Name: "7"}}

// stack is a distinct stack of the zones above: one octal digit for each.
type stack uint64

// scope is a closed entry, or count of them in a row.
type scope struct {
	at                stack
	count             uint64
	before, in, after platform.Ticks // Begin was called between before and in
	out               platform.Ticks // End was called between out and after
}

// sum is what is known of a stack: entries, and the bounds of their time.
type sum struct {
	count     uint64
	low, high platform.Ticks
	estimated bool // the time may be an estimate of the governor's
}

// recorder is one goroutine, or one after another: some programs have a goroutine of their own.
type recorder struct {
	rng    *rand.Rand
	lane   string
	own    *measure.Lane
	enders *enders // nil: no End is called elsewhere
	zones  int     // it enters
	depth  int     // of nested zones
	scopes []scope // of the present program
	sink   uint64
}

// work passes time.
func (r *recorder) work() {
	for range r.rng.IntN(300) {
		r.sink = r.sink*6364136223846793005 + 1
	}
}

// nest enters a random zone below at, does anything inside, and leaves it.
func (r *recorder) nest(at stack) {
	r.within(at, func(at stack) {
		for r.rng.IntN(4) > 0 {
			r.step(at)
		}
	})
}

// within enters a random zone below at, and leaves it after inside, also if the goroutine ends there.
func (r *recorder) within(at stack, inside func(at stack)) {
	i := r.rng.IntN(r.zones)
	s := scope{at: at<<3 | stack(i+1), count: 1, before: platform.Now()}
	if r.rng.IntN(9) == 0 {
		defer func() {
			s.after = platform.Now()
			r.scopes = append(r.scopes, s)
		}()
		for range recorded[i].Span {
			s.in = platform.Now()
			s.out = s.in // if the goroutine ends inside
			inside(s.at)
			s.out = platform.Now()
		}
		return
	}
	end := r.enter(&recorded[i])
	s.in = platform.Now()
	defer func() {
		s.out = platform.Now()
		end()
		s.after = platform.Now()
		r.scopes = append(r.scopes, s)
	}()
	inside(s.at)
}

// enter enters a zone in one of the ways that there are, and returns what leaves it.
func (r *recorder) enter(z *measure.Zone) (end func()) {
	switch n := r.rng.IntN(9); {
	case n == 8:
		return measure.Sited(z.Name).End // a private zone of that name
	case n < 3:
		return z.Begin().End
	case n < 6:
		return z.In(r.own).End
	case n < 7 && r.enders != nil:
		return func(s measure.Scope) func() { return func() { r.enders.end(s) } }(z.Begin())
	}
	held := z.Hold()
	return func() { held.Keep(true) }
}

// enders ends scopes on other goroutines than those that began them.
type enders struct {
	scopes chan measure.Scope
	ended  chan bool
	count  atomic.Uint64
}

func newEnders() *enders {
	e := &enders{make(chan measure.Scope), make(chan bool), atomic.Uint64{}}
	go func() {
		for s := range e.scopes {
			s.End()
			e.ended <- true
		}
	}()
	return e
}

func (e *enders) end(s measure.Scope) {
	e.count.Add(1)
	e.scopes <- s
	<-e.ended
}

// burst enters a random zone below at many times, with nothing in between.
func (r *recorder) burst(at stack) {
	i := r.rng.IntN(r.zones)
	s := scope{at: at<<3 | stack(i+1), count: 1 + r.rng.Uint64N(1<<r.rng.IntN(11)), before: platform.Now()}
	for range s.count {
		recorded[i].Begin().End()
	}
	s.after = platform.Now()
	s.in = s.after
	r.scopes = append(r.scopes, s)
}

// step does one thing below at.
func (r *recorder) step(at stack) {
	switch n := r.rng.IntN(20); {
	case n == 0:
		runtime.Gosched()
	case n < 8 || at >= 1<<(3*r.depth):
		r.work()
	case n < 11:
		r.burst(at)
	default:
		r.nest(at)
	}
}

// elsewhere runs one random program on a goroutine of its own, which ends inside a zone.
func (r *recorder) elsewhere(governed bool) {
	ended, own := make(chan bool), r.own
	go func() {
		defer close(ended)
		r.own = measure.Register(r.lane)
		defer r.own.Close()
		r.program(governed, func(at stack) {
			r.within(at, func(stack) { runtime.Goexit() })
		})
	}()
	<-ended
	r.own = own
}

// program runs one random program. The function is called at its end.
func (r *recorder) program(governed bool, last func(at stack)) {
	r.scopes = r.scopes[:0]
	steps := func(at stack) {
		defer last(at)
		for range 5 {
			r.step(at)
		}
	}
	if !governed {
		steps(0)
		return
	}
	r.within(0, func(at stack) { // long enough not to be demoted, so that its time is exact
		for range 10 {
			r.work()
		}
		steps(at)
	})
}

// sums adds up the program, as far as it began after a moment.
func (r *recorder) sums(since platform.Ticks) map[stack]sum {
	all := map[stack]sum{}
	for _, s := range r.scopes {
		if s.before <= since {
			continue
		}
		k := all[s.at]
		k.count += s.count
		k.high += s.after - s.before + clockSlack
		k.low += max(s.out-s.in-clockSlack, 0)
		all[s.at] = k
	}
	return all
}

// The reader adds up its frames since two cuts: the start of the round, and somewhere in the middle.
const (
	sinceStart = iota
	sinceMiddle
	cuts
)

// crew is the goroutines that record.
type crew struct {
	all   [recorders]recorder
	begin [recorders]chan bool
	done  sync.WaitGroup
	over  sync.WaitGroup
}

func newCrew(seed uint64, r *reader, governed bool, enders *enders) *crew {
	c := new(crew)
	for i := range c.all {
		p := &c.all[i]
		p.rng, p.lane = rand.New(rand.NewPCG(seed, uint64(i))), fmt.Sprintf("recorder %d", i)
		p.zones, p.depth, p.enders = len(recorded), 5, enders
		if governed { // few stacks, which are entered often
			p.zones, p.depth = 3, 3
		}
		c.begin[i] = make(chan bool)
		c.over.Go(func() {
			p.own = measure.Register(p.lane)
			defer p.own.Close()
			for range c.begin[i] {
				if p.rng.IntN(8) == 0 {
					p.elsewhere(governed)
				} else {
					p.program(governed, func(stack) {})
				}
				c.done.Done()
			}
		})
	}
	r.forget(c)
	return c
}

// end ends the crew's goroutines.
func (c *crew) end() {
	for i := range c.begin {
		close(c.begin[i])
	}
	c.over.Wait()
}

// round has each of the crew run a program, and one goroutine reset in the middle of it.
func (c *crew) round(r *reader, rng *rand.Rand) {
	r.cut(sinceStart)
	c.done.Add(recorders)
	for i := range c.begin {
		c.begin[i] <- true
	}
	time.Sleep(time.Duration(rng.IntN(200)) * time.Microsecond)
	middle := r.cut(sinceMiddle)
	c.done.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.collect()
	for i := range c.all {
		r.check(&c.all[i], sinceStart, 0)
		if !r.with.jumps { // else times do not say what came after the middle
			r.check(&c.all[i], sinceMiddle, middle)
		}
	}
}

// clocks are clocks of the program's own, beside which the recorder reads the clock, too.
func clocks() map[string]func() int64 {
	start := time.Now()
	since := func() int64 { return int64(time.Since(start)) }
	var reading atomic.Int64
	return map[string]func() int64{
		"system": since,
		"coarse": func() int64 { return since() / 1e6 * 1e6 },
		"leaping": func() int64 { // now and then on by a minute, as after a laptop's sleep
			return reading.Add(1)/1000*6e10 + since()
		},
		"jumping": func() int64 { // now and then back by a second, or on by an hour
			return since() + []int64{0, -1e9, 36e11}[reading.Add(1)/1000%3]
		},
	}
}

// TestSoakRecorder compares the frames with the recorder in each setting, on few processors and on many.
func TestSoakRecorder(t *testing.T) {
	settings := map[string]setting{
		"plain":     {},
		"elsewhere": {elsewhere: true},
		"siblings":  {siblings: true}, "siblings and elsewhere": {siblings: true, elsewhere: true},
		"governed": {limit: 0.2},
		"limits":   {nodes: 40, elsewhere: true},
	}
	for name, clock := range clocks() {
		settings["clock "+name] = setting{clock: clock, jumps: name == "jumping", elsewhere: true}
	}
	for name, with := range settings {
		processors := []int{1, 2, 8}
		if !with.elsewhere && !with.siblings {
			processors = append(processors, 16)
		}
		for _, procs := range processors {
			t.Run(fmt.Sprint(name, "/procs=", procs), func(t *testing.T) {
				if with.siblings {
					defer measure.SettleEarly(1)()
				}
				if with.clock != nil {
					platform.SetClock(with.clock, 1e9)
					defer platform.SetClock(nil, 0)
				}
				with.procs = procs
				record(t, with)
			})
		}
	}
}

// setting is what a run of the recorder varies.
type setting struct {
	procs    int
	limit    float64      // of the governor: many entries are counted and not timed, and counts stay exact
	siblings bool         // all nodes are as those of very many siblings: in tables, and not visited while quiet
	clock    func() int64 // of the program's own
	// The clock goes back, too, and its mistakes are counted. Then a lane's time stands still until the clock is where
	// it was, and what a goroutine reads says nothing of it. So counts are compared, and that self times sum to the
	// lane's and none is below 0.
	jumps     bool
	nodes     int  // of a lane, so that only sums are compared; 0 is no limit
	elsewhere bool // other goroutines call some of the Ends
}

func record(t *testing.T, with setting) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(with.procs))
	measure.SetOverheadLimit(with.limit)
	defer measure.SetOverheadLimit(0)
	long, seed := recordFor(t), uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 1<<32))
	r := &reader{t: t, with: with, total: map[string]*[cuts]map[stack]sum{}}
	limits := measure.Limits{Lanes: 1 << 17, Bytes: 1 << 30, NodesPerLane: with.nodes} // other tests leave many lanes
	measure.SetLimits(limits)
	measure.Collect(&r.frame)
	defer measure.SetLimits(measure.Limits{})
	want := r.frame.Misuse
	stop, programs := make(chan bool), 0
	var others *enders
	if with.elsewhere {
		others = newEnders()
		defer close(others.scopes)
	}
	var running sync.WaitGroup
	running.Go(func() { r.run(stop, rand.New(rand.NewPCG(seed, 1<<33))) })
	for end := time.Now().Add(long); time.Now().Before(end) && !t.Failed(); {
		crew := newCrew(rng.Uint64(), r, with.limit > 0, others)
		for i := 0; i < crewRounds && time.Now().Before(end) && !t.Failed(); i++ {
			crew.round(r, rng)
			programs += recorders
		}
		crew.end()
	}
	close(stop)
	running.Wait()
	measure.Collect(&r.frame)
	got := r.frame.Misuse
	if others != nil {
		want.OtherLane += others.count.Load()
	}
	if !platform.Assembly { // then an End does not know whose goroutine it is on
		want.OtherLane = got.OtherLane
	}
	want.Notes = got.Notes
	if with.jumps {
		want.ClockBack, want.ClockJump = got.ClockBack, got.ClockJump
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("misuse: got %+v; want %+v", got, want)
	}
	t.Logf("seed %d: %d programs, %d frames, %d entries, times compared %d, untimed entries %d", seed, programs,
		r.frames, r.entries, r.timed, r.untimed)
}
