//go:build !iprof_off

package gather_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// The recorder is a second, independent profiler. Every goroutine counts its own entries and reads the clock before and
// after each Begin and each End. So the time of each distinct stack is known within bounds, whatever the scheduler
// does, and the frames of a reader that runs freely must add up to something between them.

// recordFor is how long each setting runs: a moment, or what IPROF_RECORD says ("make check": 10s, "make soak": 10m).
func recordFor(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("IPROF_RECORD")
	if text == "" {
		return 300 * time.Millisecond
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

var recorded = [7]gather.Zone{{Name: "1"}, {Name: "2"}, {Name: "3"}, {Name: "4"}, {Name: "5"}, {Name: "6"}, {Name: "7"}}

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

// recorder is one goroutine.
type recorder struct {
	rng    *rand.Rand
	lane   string
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

// within enters a random zone below at, and leaves it after inside.
func (r *recorder) within(at stack, inside func(at stack)) {
	i := r.rng.IntN(r.zones)
	s := scope{at: at<<3 | stack(i+1), count: 1, before: platform.Now()}
	opened := recorded[i].Begin()
	s.in = platform.Now()
	inside(s.at)
	s.out = platform.Now()
	opened.End()
	s.after = platform.Now()
	r.scopes = append(r.scopes, s)
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

// program runs one random program.
func (r *recorder) program(governed bool) {
	r.scopes = r.scopes[:0]
	steps := func(at stack) {
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

func newCrew(seed uint64, r *reader, governed bool) *crew {
	c := new(crew)
	for i := range c.all {
		p := &c.all[i]
		p.rng, p.lane = rand.New(rand.NewPCG(seed, uint64(i))), fmt.Sprintf("recorder %d", i)
		p.zones, p.depth = len(recorded), 5
		if governed { // few stacks, which are entered often
			p.zones, p.depth = 3, 3
		}
		c.begin[i] = make(chan bool)
		c.over.Go(func() {
			defer gather.Register(p.lane).Close()
			for range c.begin[i] {
				p.program(governed)
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

// round has each of the crew run a program, and somebody reset in the middle of it.
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
		r.check(&c.all[i], sinceMiddle, middle)
	}
}

func TestSoakRecorder(t *testing.T) {
	for _, procs := range []int{2, 8, 16} {
		t.Run(fmt.Sprint("procs=", procs), func(t *testing.T) { record(t, procs, 0) })
	}
}

// TestSoakRecorderGoverned is the same while the governor counts many entries without timing them. Counts are exact,
// and so is the time of each entry that no untimed entry is around.
func TestSoakRecorderGoverned(t *testing.T) {
	for _, procs := range []int{2, 8, 16} {
		t.Run(fmt.Sprint("procs=", procs), func(t *testing.T) { record(t, procs, 0.2) })
	}
}

func record(t *testing.T, procs int, limit float64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	gather.SetOverheadLimit(limit)
	defer gather.SetOverheadLimit(0)
	long, seed := recordFor(t), uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 1<<32))
	r := &reader{t: t, total: map[string]*[cuts]map[stack]sum{}}
	gather.SetLimits(gather.Limits{Lanes: 1 << 17, Bytes: 1 << 30}) // other tests leave many lanes
	gather.Collect(&r.frame)
	defer gather.SetLimits(gather.Limits{})
	before := r.frame.Misuse
	stop, programs := make(chan bool), 0
	var running sync.WaitGroup
	running.Go(func() { r.run(stop, rand.New(rand.NewPCG(seed, 1<<33))) })
	for end := time.Now().Add(long); time.Now().Before(end) && !t.Failed(); {
		crew := newCrew(rng.Uint64(), r, limit > 0)
		for i := 0; i < crewRounds && time.Now().Before(end) && !t.Failed(); i++ {
			crew.round(r, rng)
			programs += recorders
		}
		crew.end()
	}
	close(stop)
	running.Wait()
	gather.Collect(&r.frame)
	after := r.frame.Misuse
	if before.Notes = after.Notes; fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("misuse: got %+v; want %+v", after, before)
	}
	t.Logf("seed %d: %d programs, %d frames, times compared %d, untimed entries %d", seed, programs, r.frames, r.timed,
		r.untimed)
}
