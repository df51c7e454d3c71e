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
	blocks   map[string][][]float64 // self time in seconds, less what measuring adds, by block and run
	variance map[string]float64
	cost     float64 // of measuring, in seconds
	length   float64
}

// governedTimes is the second round.
type governedTimes struct {
	times          times // of the program without zones, and with zones, governed
	limit          float64
	governed, full account // the latter with every entry timed
}

// govern measures the program with zones, governed, beside the one without; and in turn with that every entry timed.
func govern(flake *workload.Flake, runs int, limit float64) *governedTimes {
	runtime.LockOSThread()
	g := &governedTimes{times: make(times, 2), limit: limit}
	for run := range runs {
		iprof.SetOverheadLimit(limit)
		warm(flake)
		var took [2][]float64
		for y := 0; y < flake.Lines(); y += block {
			for turn := range 2 {
				p := (turn + run) % 2
				took[p] = append(took[p], trace(flake, y, [2]workload.Hooks{workload.NoHooks, workload.Zones}[p], &g.governed)...)
			}
		}
		for p := range took {
			g.times[p] = append(g.times[p], took[p])
		}
		iprof.SetOverheadLimit(0)
		warm(flake)
		for y := 0; y < flake.Lines(); y += block {
			trace(flake, y, workload.Zones, &g.full)
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
		a.entries, a.blocks, a.variance = map[string]uint64{}, map[string][][]float64{}, map[string]float64{}
	}
	seconds := 1 / f.TicksPerSecond
	inside, pair, counted := float64(f.InsideCost)/fraction, float64(f.ScopeCost)/fraction, float64(f.CountCost)/fraction
	for _, lane := range f.Lanes {
		self, entries := make([]float64, len(lane.Nodes)), 0.0
		for i, n := range lane.Nodes {
			entries += float64(n.Count)
			self[i] += float64(n.Self)
			if lane.Untimed == 0 && n.Parent >= 0 {
				self[i] -= float64(n.Count) * inside
				self[n.Parent] -= float64(n.Count) * (pair - inside)
			}
		}
		for i, n := range lane.Nodes {
			name := f.Zones[n.Zone].Name
			a.entries[name] += uint64(n.Count)
			a.variance[name] += lane.Extra(i).Variance * seconds * seconds
			for len(a.blocks[name]) <= at {
				a.blocks[name] = append(a.blocks[name], nil)
			}
			a.blocks[name][at] = append(a.blocks[name][at], self[i]*seconds)
		}
		untimed := float64(lane.Untimed)
		a.cost += ((entries-untimed)*pair + untimed*counted) * seconds
		a.length += float64(lane.End-lane.Begin) * seconds
	}
}

// self is a zone's time in one run: the sum over blocks of the mean of the middle half of the runs, so that what else the
// machine did meanwhile does not count.
func (a *account) self(zone string) (sum float64) {
	for _, runs := range a.blocks[zone] {
		slices.Sort(runs)
		middle := runs[len(runs)/4 : len(runs)-len(runs)/4]
		part := 0.0
		for _, v := range middle {
			part += v
		}
		sum += part / float64(len(middle))
	}
	return sum
}

func (g *governedTimes) print() {
	plain, zones := g.times.quickest(0, 0, 1), g.times.quickest(1, 0, 1)
	least, greatest := g.times.spread(1, 0)
	fmt.Printf("overhead limit %g: %.3f s, %.3f x nothing measured (%.3f..%.3f); the profiler itself says %.3f\n", g.limit, zones/1e9, zones/plain,
		least, greatest, 1/(1-g.governed.cost/g.governed.length))
	fmt.Printf("%-22s %12s %10s %16s %14s %8s %12s\n", "", "entries", "other", "governed, s/run", "timed, s/run", "differ", "should by")
	for _, name := range g.names() {
		got, want := g.governed.self(name), g.full.self(name)
		entries, all := g.governed.entries[name], g.full.entries[name]
		runs := float64(len(g.times[0]))
		fmt.Printf("%-22s %12d %10d %16.4f %14.4f %+7.1f%% %11.1f%%\n", name, entries, int64(entries-all), got, want, 100*(got/want-1),
			100*math.Sqrt(g.governed.variance[name])/runs/got)
	}
}

// names lists the zones, most time first.
func (g *governedTimes) names() (names []string) {
	for name := range g.full.blocks {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(g.full.self(b), g.full.self(a)) })
	return names
}
