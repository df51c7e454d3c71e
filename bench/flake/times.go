package main

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"example.com/iprof"
	"example.com/iprof/internal/workload"
)

// times holds nanoseconds by program, run and scan line.
type times [][][]float64

// measure runs the programs side by side.
func measure(flake *workload.Flake, runs int) times {
	runtime.LockOSThread()
	t := make(times, len(programs))
	for run := range runs + 1 {
		took := make([][]float64, len(programs))
		for y := range flake.Lines() {
			for turn := range programs {
				p := (turn + run + y) % len(programs)
				begin := time.Now()
				flake.Line(y, programs[p].hooks)
				took[p] = append(took[p], float64(time.Since(begin).Nanoseconds()))
			}
		}
		iprof.Update()
		for p := range programs {
			if run > 0 { // the first warms up
				t[p] = append(t[p], took[p])
			}
		}
	}
	return t
}

// quickest is the sum over scan lines of the quickest of every runs step, counted from first.
func (t times) quickest(program, first, step int) (sum float64) {
	for y := range t[program][0] {
		least := math.Inf(1)
		for run := first; run < len(t[program]); run += step {
			least = min(least, t[program][run][y])
		}
		sum += least
	}
	return sum
}

// median is the middle one of the whole runs.
func (t times) median(program int) float64 {
	var whole []float64
	for _, lines := range t[program] {
		sum := 0.0
		for _, line := range lines {
			sum += line
		}
		whole = append(whole, sum)
	}
	return median(whole)
}

func median(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

// spread is the least and the greatest ratio of two programs, seen in every fifth run only.
func (t times) spread(program, to int) (least, greatest float64) {
	const parts = 5
	least = math.Inf(1)
	for first := range min(parts, len(t[program])) {
		ratio := t.quickest(program, first, parts) / t.quickest(to, first, parts)
		least, greatest = min(least, ratio), max(greatest, ratio)
	}
	return least, greatest
}

func (t times) print(zones int) {
	fmt.Printf("%-22s %10s %10s %8s  %s\n", "", "minima, s", "median, s", "ns/zone", "ratio (spread)")
	for p := range programs {
		sum := t.quickest(p, 0, 1)
		each := (sum - t.quickest(0, 0, 1)) / float64(zones)
		fmt.Printf("%-22s %10.3f %10.3f %8.1f", programs[p].name, sum/1e9, t.median(p)/1e9, each)
		for to := range p {
			least, greatest := t.spread(p, to)
			fmt.Printf("  %.3f x %s (%.3f..%.3f)", sum/t.quickest(to, 0, 1), programs[to].name, least, greatest)
		}
		fmt.Println()
	}
}
