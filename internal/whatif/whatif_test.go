package whatif_test

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/whatif"
	"example.com/iprof/platform"
)

// The paths of the programs.
const (
	mainWork int32 = iota + 1
	workerWork
	lastWork
	paths
)

// run is a run of a program whose work takes simulated time. It is recorded as an execution trace would.
type run struct {
	mu         sync.Mutex
	began      time.Time
	lanes      []*lane
	borders    []platform.Ticks
	factors    []float64 // nil: 1
	processors chan bool
}

// lane is a goroutine of a run.
type lane struct {
	*run
	whatif.Lane
	since platform.Ticks
}

func (r *run) now() platform.Ticks { return platform.Ticks(time.Since(r.began)) }

// lane makes a lane that another one starts.
func (r *run) lane(by *lane) *lane {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := &lane{run: r, Lane: whatif.Lane{ID: gather.LaneID(len(r.lanes) + 1)}, since: r.now()}
	r.lanes = append(r.lanes, l)
	if by != nil {
		l.States = append(l.States, gather.LaneState{Kind: gather.StateRunnable, Begin: r.now(), End: r.now(),
			Waker: by.ID})
	}
	return l
}

// work works in a path, in turns of a processor.
func (l *lane) work(path int32, length time.Duration) {
	if l.factors != nil {
		length = time.Duration(float64(length) * l.factors[path])
	}
	for length > 0 {
		ready := l.now()
		l.processors <- true
		if now := l.now(); now > ready {
			l.States = append(l.States, gather.LaneState{Kind: gather.StateRunnable, Begin: ready, End: now})
		}
		begin, turn := l.now(), min(length, 10*time.Millisecond)
		time.Sleep(turn)
		l.Stretches = append(l.Stretches, whatif.Stretch{Path: path, Begin: begin, End: l.now()})
		l.States = append(l.States, gather.LaneState{Lane: l.ID, Kind: gather.StateRunning, Begin: begin, End: l.now()})
		<-l.processors
		length -= turn
	}
}

// receive receives the number of a lane, which ends the wait.
func (l *lane) receive(from chan gather.LaneID) (open bool) {
	return l.wait(func() (gather.LaneID, bool) { by, open := <-from; return by, open })
}

// wait records a wait.
func (l *lane) wait(do func() (by gather.LaneID, open bool)) bool {
	begin := l.now()
	by, open := do()
	if end := l.now(); end > begin {
		l.States = append(l.States, gather.LaneState{Lane: l.ID, Kind: gather.StateWaiting, Begin: begin, End: end,
			Waker: by, Reason: "chan receive"})
	}
	return open
}

// update ends a frame.
func (l *lane) update() { l.borders = append(l.borders, l.now()) }

// play runs a program with factors for its paths. It returns the recording.
func play(t *testing.T, processors int, factors []float64, program func(main *lane)) (in whatif.Recording) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &run{began: time.Now(), factors: factors, processors: make(chan bool, processors)}
		main := r.lane(nil)
		main.update()
		program(main)
		in = whatif.Recording{Processors: processors, PerMS: 1e6, Borders: r.borders, Updater: main.ID}
		for _, l := range r.lanes {
			in.Lanes = append(in.Lanes, l.Lane)
		}
	})
	return in
}

// mean returns the mean length of a frame.
func mean(in *whatif.Recording) float64 {
	last := len(in.Borders) - 1
	return float64(in.Borders[last]-in.Borders[0]) / float64(last)
}

// shape is a program. Its lengths of work are random, and equal in each run.
type shape struct {
	name       string
	processors int
	exact      bool // the recording has everything
	program    func(rng *rand.Rand, main *lane)
}

const ms = time.Millisecond

// some returns a random length of about so many ms.
func some(rng *rand.Rand, about int) time.Duration {
	return time.Duration(about)*ms/2 + time.Duration(rng.Int64N(int64(about)*int64(ms)))
}

var shapes = []shape{
	{"alone", 8, true, func(rng *rand.Rand, main *lane) {
		for range 50 {
			main.work(mainWork, some(rng, 4))
			main.work(lastWork, some(rng, 4))
			main.update()
		}
	}},
	{"fork and join", 8, true, forkAndJoin},
	{"processors short", 2, false, forkAndJoin},
	{"worker", 8, false, func(rng *rand.Rand, main *lane) {
		jobs, done := make(chan gather.LaneID, 1), make(chan gather.LaneID, 1)
		lengths := some(rng, 1)
		worker := main.lane(main)
		go func() {
			defer close(done)
			for worker.receive(jobs) {
				worker.work(workerWork, 6*ms+lengths)
				done <- worker.ID
			}
		}()
		for range 50 {
			jobs <- main.ID
			main.work(mainWork, some(rng, 6))
			main.receive(done)
			main.work(lastWork, some(rng, 2))
			main.update()
		}
		close(jobs)
		<-done
	}},
	{"pipeline", 8, false, func(rng *rand.Rand, main *lane) {
		between := [3]chan gather.LaneID{}
		for i := range between {
			between[i] = make(chan gather.LaneID, 2)
		}
		for i, length := range []time.Duration{3 * ms, 5 * ms} {
			stage := main.lane(main)
			go func() {
				defer close(between[i+1])
				for stage.receive(between[i]) {
					stage.work(workerWork+int32(i), length)
					between[i+1] <- stage.ID
				}
			}()
		}
		feeder := main.lane(main)
		go func() {
			defer close(between[0])
			for range 50 {
				feeder.work(mainWork, ms)
				feeder.wait(func() (gather.LaneID, bool) { between[0] <- feeder.ID; return 2, true })
			}
		}()
		for range 50 {
			main.receive(between[2])
			main.update()
		}
	}},
	{"timer", 8, false, func(rng *rand.Rand, main *lane) {
		tick := time.NewTicker(10 * ms)
		defer tick.Stop()
		for range 50 {
			main.work(mainWork, some(rng, 5))
			main.wait(func() (gather.LaneID, bool) { <-tick.C; return 0, true })
			main.update()
		}
	}},
}

// forkAndJoin starts three goroutines in each frame.
func forkAndJoin(rng *rand.Rand, main *lane) {
	for range 50 {
		done := make(chan gather.LaneID, 3)
		main.work(mainWork, some(rng, 2))
		for i := range 3 {
			worker := main.lane(main)
			length := some(rng, 3+2*i)
			go func() {
				worker.work(workerWork, length)
				done <- worker.ID
			}()
		}
		for range 3 {
			main.receive(done)
		}
		main.work(lastWork, some(rng, 2))
		main.update()
	}
}

// The true gain, of a run with less work, is within the bounds. Only random lengths of time are rounded.
func TestGainsHoldTheTruth(t *testing.T) {
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			for seed := range uint64(8) {
				s.check(t, seed)
			}
		})
	}
}

// check compares the gains of each path with the truth.
func (s *shape) check(t *testing.T, seed uint64) {
	program := func(main *lane) { s.program(rand.New(rand.NewPCG(seed, 1)), main) }
	whole := play(t, s.processors, nil, program)
	length := mean(&whole)
	p, err := whatif.Compile(&whole)
	if err != nil || !(math.Abs(p.Fit-1) < 0.02) {
		t.Fatalf("seed %d: got %v and a replay of %v times the length; want 1", seed, err, p.Fit)
	}
	for path := mainWork; path < paths; path++ {
		for _, share := range []float64{0.2, 0.5, 1} {
			chosen := make([]bool, paths)
			chosen[path] = true
			factors := whatif.Faster(chosen, share)
			cut := play(t, s.processors, factors, program)
			truth, g := length-mean(&cut), p.Gain(factors)
			if near := length / 100; truth < g.Least-near || truth > g.Most+near {
				t.Errorf("seed %d: path %d without %v of its work: got %.0f to %.0f us less; want %.0f of %.0f", seed,
					path, share, g.Least/1000, g.Most/1000, truth/1000, length/1000)
			}
			if s.exact && g.Most-g.Least > truth/10+1 {
				t.Errorf("seed %d: path %d: got %.0f to %.0f us; want bounds within a tenth of %.0f", seed, path,
					g.Least/1000, g.Most/1000, truth/1000)
			}
		}
	}
}
