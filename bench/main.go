// Command bench compares iprof with the alternatives of a Go programmer in one run, and prints one table.
//
//	cd bench && go run .            # all, some seconds
//	cd bench && go run . -rounds 1000 # less noise
//
// Each alternative is a function that does nothing but measure, is never inlined, and is called in batches of 2,000.
// The batches take turns, so that disturbances of the machine hit all alike. Quote the minima and the ratios of one
// run. A column has the minima with Go's clock, which the profiler uses where the processor's counter cannot be
// trusted.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"example.com/iprof/platform"
)

// rival is one way to measure a stretch of code.
type rival struct {
	name  string
	note  string
	batch func(n int)              // measures n empty stretches
	setUp func() (tearDown func()) // may be nil
}

const size = 2000

// floorName is the rival that only reads the clock.
const floorName = "two raw timestamps"

func main() {
	rounds := flag.Int("rounds", 200, "batches of each")
	only := flag.String("only", "", "run this one alone")
	flag.Parse()
	if *rounds < 1 {
		fmt.Fprintln(os.Stderr, "bench: -rounds must be at least 1")
		os.Exit(2)
	}
	rivals := all()
	if *only != "" {
		rivals = slices.DeleteFunc(rivals, func(r rival) bool { return r.name != *only })
	}
	print(rivals, measure(rivals, *rounds))
}

// result is the times of a rival's batches in nanoseconds a call, sorted: with the clock of this machine, and with Go's
// if it reads the profiler's clock.
type result struct{ times, goClock []float64 }

func measure(rivals []rival, rounds int) []result {
	runtime.LockOSThread()
	results := make([]result, len(rivals))
	for round := range rounds + 1 {
		for i, r := range rivals {
			took, slow := r.time(), math.NaN()
			if r.readsClock() {
				platform.UseCounter(false)
				warmUp()
				slow = r.time()
				platform.SetClock(nil, 0)
				warmUp()
			}
			if round > 0 { // the first round warms up
				results[i].times = append(results[i].times, took)
				results[i].goClock = append(results[i].goClock, slow)
			}
		}
	}
	for i := range results {
		slices.Sort(results[i].times)
		slices.Sort(results[i].goClock)
	}
	return results
}

// warmUp enters zones after a change of the clock, which forgets all lanes and the cost of a zone.
func warmUp() { repeat(deferred)(size / 10) }

// readsClock reports whether the rival reads the clock of package platform.
func (r *rival) readsClock() bool {
	return r.name == floorName || strings.HasPrefix(r.name, "iprof:")
}

// time returns the nanoseconds of a call in one batch.
func (r *rival) time() float64 {
	if r.setUp != nil {
		defer r.setUp()()
	}
	begin := time.Now()
	r.batch(size)
	return float64(time.Since(begin).Nanoseconds()) / size
}

func print(rivals []rival, results []result) {
	fmt.Printf("%s %s/%s, %d processors; ns a measured call\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if c := platform.Chosen(); c.Source != platform.SourceProgram {
		fmt.Printf("clock: %s, %d ns a reading, as %s\n", c.Source, c.Reading.Nanoseconds(), c.Why)
	}
	fmt.Printf("%-34s %9s %9s %8s %10s  %s\n", "", "minimum", "median", "x floor", "Go's clock", "")
	floor := 0.0
	for i, r := range rivals {
		minimum, median := results[i].times[0], results[i].times[len(results[i].times)/2]
		if r.name == floorName {
			floor = minimum
		}
		ratio, slow := "-", ""
		if floor > 0 {
			ratio = fmt.Sprintf("%.2f", minimum/floor)
		}
		if least := results[i].goClock[0]; least == least {
			slow = fmt.Sprintf("%.1f", least)
		}
		fmt.Printf("%-34s %9.1f %9.1f %8s %10s  %s\n", r.name, minimum, median, ratio, slow, r.note)
	}
}
