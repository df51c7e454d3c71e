package main

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/internal/workload"
)

// block is how many scan lines make a frame. A program traces one, then it is another's turn.
const block = 32

// The frames that the governor is given to act before anything counts.
const warmUp = 6

// account is what the frames of a program say, by zone.
type account struct {
	entries  map[string]uint64
	blocks   map[string][][]float64 // self time in seconds, by block and run
	within   map[string]float64     // what measuring adds to it by the profiler's reckoning, all runs
	variance map[string]float64
	cost     float64 // of measuring, in seconds
	length   float64
}

// governedTimes is the second round.
type governedTimes struct {
	times          times // of the program without zones, with zones, governed, and with all timed
	limit          float64
	governed, full account // the latter with every entry timed
}

// govern measures the program with zones, governed, beside the one without; and in turn with that every entry timed.
func govern(flake *workload.Flake, runs int, limit float64) *governedTimes {
	runtime.LockOSThread()
	g := &governedTimes{times: make(times, 3), limit: limit}
	for run := range runs {
		iprof.SetOverheadLimit(limit)
		warm(flake)
		var took [3][]float64
		for y := 0; y < flake.Lines(); y += block {
			for turn := range 2 {
				p := (turn + run) % 2
				took[p] = append(took[p], trace(flake, y, [2]workload.Hooks{workload.NoHooks, workload.Zones}[p], &g.governed)...)
			}
		}
		iprof.SetOverheadLimit(0)
		warm(flake)
		for y := 0; y < flake.Lines(); y += block {
			took[2] = append(took[2], trace(flake, y, workload.Zones, &g.full)...)
		}
		for p := range took {
			g.times[p] = append(g.times[p], took[p])
		}
	}
	return g
}

// warm lets the governor act.
func warm(flake *workload.Flake) {
	for range warmUp {
		trace(flake, flake.Lines()/2, workload.Zones, nil)
	}
}

// trace traces a block, and returns what each line took, in nanoseconds.
func trace(flake *workload.Flake, y int, hooks workload.Hooks, to *account) (took []float64) {
	var frame gather.Frame
	gather.Collect(&frame)
	for line := y; line < min(y+block, flake.Lines()); line++ {
		begin := time.Now()
		flake.Line(line, hooks)
		took = append(took, float64(time.Since(begin).Nanoseconds()))
	}
	gather.Collect(&frame)
	if to != nil && hooks == workload.Zones {
		to.add(&frame, y/block)
	}
	return took
}

// add adds a frame.
func (a *account) add(f *gather.Frame, at int) {
	const fraction = 1024 // of a tick, that costs are in
	if a.entries == nil {
		a.entries, a.blocks = map[string]uint64{}, map[string][][]float64{}
		a.within, a.variance = map[string]float64{}, map[string]float64{}
	}
	seconds := 1 / f.TicksPerSecond
	inside, pair, counted := float64(f.InsideCost)/fraction, float64(f.ScopeCost)/fraction, float64(f.CountCost)/fraction
	for _, lane := range f.Lanes {
		entries := 0.0
		for _, n := range lane.Nodes {
			entries += float64(n.Count)
		}
		timed := 1 - float64(lane.Untimed)/max(entries, 1)
		for i, n := range lane.Nodes {
			name := f.Zones[n.Zone].Name
			a.entries[name] += uint64(n.Count)
			a.variance[name] += lane.Extra(i).Variance * seconds * seconds
			for len(a.blocks[name]) <= at {
				a.blocks[name] = append(a.blocks[name], nil)
			}
			a.blocks[name][at] = append(a.blocks[name][at], float64(n.Self)*seconds)
			if n.Parent >= 0 {
				count := float64(n.Count) * seconds
				a.within[name] += count * (timed*inside + (1-timed)*counted/2)
				a.within[f.Zones[lane.Nodes[n.Parent].Zone].Name] += count * (timed*(pair-inside) + (1-timed)*counted/2)
			}
		}
		a.cost += entries * (timed*pair + (1-timed)*counted) * seconds
		a.length += float64(lane.End-lane.Begin) * seconds
	}
}

// self is a zone's time in one run without what measuring takes, of which the profiler reckons with a part: the sum over blocks of
// the mean of the middle half of the runs, so that what else the machine did meanwhile does not count.
func (a *account) self(zone string, runs, part float64) float64 {
	sum := -a.within[zone] / runs / part
	for _, runs := range a.blocks[zone] {
		slices.Sort(runs)
		middle := runs[len(runs)/4 : len(runs)-len(runs)/4]
		all := 0.0
		for _, v := range middle {
			all += v
		}
		sum += all / float64(len(middle))
	}
	return sum
}

// part is how much of what measuring costs a program the profiler reckons with.
func (g *governedTimes) part(program int, a *account) float64 {
	cost := g.times.quickest(program, 0, 1) - g.times.quickest(0, 0, 1)
	return a.cost / float64(len(g.times[0])) / max(cost/1e9, 1e-9)
}

func (g *governedTimes) print() {
	plain, zones := g.times.quickest(0, 0, 1), g.times.quickest(1, 0, 1)
	least, greatest := g.times.spread(1, 0)
	some, all := g.part(1, &g.governed), g.part(2, &g.full)
	fmt.Printf("overhead limit %g: %.3f s, %.3f x nothing measured (%.3f..%.3f); the profiler itself says %.3f\n", g.limit, zones/1e9, zones/plain,
		least, greatest, 1/(1-g.governed.cost/g.governed.length))
	fmt.Printf("Times are without what measuring takes: the profiler knows of %.2f of that, and of %.2f when all is timed.\n", some, all)
	fmt.Printf("%-22s %12s %10s %16s %14s %8s %12s\n", "", "entries", "other", "governed, s/run", "timed, s/run", "differ", "should by")
	runs := float64(len(g.times[0]))
	for _, name := range g.names() {
		got, want := g.governed.self(name, runs, some), g.full.self(name, runs, all)
		entries := g.governed.entries[name]
		fmt.Printf("%-22s %12d %10d %16.4f %14.4f %+7.1f%% %11.1f%%\n", name, entries, int64(entries-g.full.entries[name]), got, want,
			100*(got/want-1), 100*math.Sqrt(g.governed.variance[name])/runs/got)
	}
}

// names lists the zones, most time first.
func (g *governedTimes) names() (names []string) {
	for name := range g.full.blocks {
		names = append(names, name)
	}
	runs := float64(len(g.times[0]))
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(g.full.self(b, runs, 1), g.full.self(a, runs, 1)) })
	return names
}
