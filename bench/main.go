// Command bench compares iprof with the alternatives of a Go programmer in one run, and prints one table.
//
//	cd bench && go run .            # all, some seconds
//	cd bench && go run . -rounds 1000 # less noise
//
// Each alternative is a function that does nothing but measure, is never inlined, and is called in batches of 2,000.
// The batches take turns, so that disturbances of the machine hit all alike. Quote the minima and the ratios of one
// run.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"
)

// rival is one way to measure a stretch of code.
type rival struct {
	name  string
	note  string
	batch func(n int)              // measures n empty stretches
	setUp func() (tearDown func()) // may be nil
}

const size = 2000

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

// measure returns the times of each rival's batches in nanoseconds a call, sorted.
func measure(rivals []rival, rounds int) [][]float64 {
	runtime.LockOSThread()
	times := make([][]float64, len(rivals))
	for round := range rounds + 1 {
		for i, r := range rivals {
			tearDown := func() {}
			if r.setUp != nil {
				tearDown = r.setUp()
			}
			begin := time.Now()
			r.batch(size)
			took := time.Since(begin)
			tearDown()
			if round > 0 { // the first round warms up
				times[i] = append(times[i], float64(took.Nanoseconds())/size)
			}
		}
	}
	for i := range times {
		slices.Sort(times[i])
	}
	return times
}

func print(rivals []rival, times [][]float64) {
	fmt.Printf("%s %s/%s, %d processors; ns a measured call\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Printf("%-34s %9s %9s %8s  %s\n", "", "minimum", "median", "x floor", "")
	floor := 0.0
	for i, r := range rivals {
		minimum, median := times[i][0], times[i][len(times[i])/2]
		if r.name == "two raw timestamps" {
			floor = minimum
		}
		ratio := "-"
		if floor > 0 {
			ratio = fmt.Sprintf("%.2f", minimum/floor)
		}
		fmt.Printf("%-34s %9.1f %9.1f %8s  %s\n", r.name, minimum, median, ratio, r.note)
	}
}
