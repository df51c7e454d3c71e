package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/internal/workload"
)

// block is how many scan lines make a frame.
const block = 32

// account is what the frames of a program say, by zone.
type account struct {
	Entries  map[string]uint64
	Blocks   map[string][][]float64 // self time in parts of all, by block and run
	Within   map[string]float64     // what measuring adds to it by the profiler's reckoning, all runs
	Variance map[string]float64
	Cost     float64 // of measuring, in seconds
	Length   float64
}

// governedTimes is the second round.
type governedTimes struct {
	times    times // by program
	accounts [3]account
	limit    float64
}

// governed are the programs of the second round: without zones, governed, and with every entry timed. Each is a process of its own,
// since a governor that is switched off and on begins anew each time.
var governed = []struct {
	hooks workload.Hooks
	limit bool
}{{workload.NoHooks, false}, {workload.Zones, true}, {workload.Zones, false}}

// govern has the programs trace block by block in turn: so whatever else the machine does hits all alike.
func govern(lines, runs int, limit float64) (*governedTimes, error) {
	g := &governedTimes{times: make(times, len(governed)), limit: limit}
	var parts []*part
	for p := range governed {
		it, err := start(p)
		if err != nil {
			return nil, err
		}
		defer it.stop()
		parts = append(parts, it)
	}
	for run := range runs {
		for y := 0; y < lines; y += block {
			for turn := range parts {
				p := (turn + run + y/block) % len(parts)
				took, err := parts[p].trace(y, min(y+block, lines))
				if err != nil {
					return nil, err
				}
				if y == 0 {
					g.times[p] = append(g.times[p], nil)
				}
				g.times[p][run] = append(g.times[p][run], took...)
			}
		}
	}
	for p, it := range parts {
		var err error
		if g.accounts[p], err = it.finish(); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// add adds a frame.
func (a *account) add(f *gather.Frame, at int) {
	const fraction = 1024 // of a tick, that costs are in
	if a.Entries == nil {
		a.Entries, a.Blocks = map[string]uint64{}, map[string][][]float64{}
		a.Within, a.Variance = map[string]float64{}, map[string]float64{}
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
			a.Entries[name] += uint64(n.Count)
			a.Variance[name] += lane.Extra(i).Variance * seconds * seconds
			for len(a.Blocks[name]) <= at {
				a.Blocks[name] = append(a.Blocks[name], nil)
			}
			a.Blocks[name][at] = append(a.Blocks[name][at], float64(n.Self)/float64(lane.End-lane.Begin))
			if n.Parent >= 0 {
				count := float64(n.Count) * seconds
				a.Within[name] += count * (timed*inside + (1-timed)*counted/2)
				a.Within[f.Zones[lane.Nodes[n.Parent].Zone].Name] += count * (timed*(pair-inside) + (1-timed)*counted/2)
			}
		}
		a.Cost += entries * (timed*pair + (1-timed)*counted) * seconds
		a.Length += float64(lane.End-lane.Begin) * seconds
	}
}

// self is a zone's time in one run of a program without what measuring takes. Of each block it has the share that it has in the middle
// of the runs, and a block lasts what it does at the quickest: so what else the machine did does not count.
func (g *governedTimes) self(zone string, program int) float64 {
	a := g.accounts[program]
	runs := len(g.times[0])
	sum := -a.Within[zone] / float64(runs) / g.part(program)
	for at, block := range a.Blocks[zone] {
		block = append(block, make([]float64, runs-len(block))...) // not all say something of the zone
		sum += middle(block) * g.times.block(program, at) / 1e9
	}
	return sum
}

// part is how much of what measuring costs a program the profiler reckons with.
func (g *governedTimes) part(program int) float64 {
	cost := g.times.quickest(program, 0, 1) - g.times.quickest(0, 0, 1)
	return g.accounts[program].Cost / float64(len(g.times[0])) / max(cost/1e9, 1e-9)
}

func (g *governedTimes) print() {
	plain, zones := g.times.quickest(0, 0, 1), g.times.quickest(1, 0, 1)
	least, greatest := g.times.spread(1, 0)
	a, full := &g.accounts[1], &g.accounts[2]
	fmt.Printf("overhead limit %g: %.3f s, %.3f x nothing measured (%.3f..%.3f); the profiler itself says %.3f\n", g.limit, zones/1e9, zones/plain,
		least, greatest, 1/(1-a.Cost/a.Length))
	fmt.Printf("Times are without what measuring takes: the profiler knows of %.2f of that, and of %.2f when all is timed.\n", g.part(1), g.part(2))
	fmt.Printf("%-22s %12s %10s %16s %14s %8s %12s\n", "", "entries", "other", "governed, s/run", "timed, s/run", "differ", "should by")
	for _, name := range g.names() {
		got, want := g.self(name, 1), g.self(name, 2)
		fmt.Printf("%-22s %12d %10d %16.4f %14.4f %+7.1f%% %11.1f%%\n", name, a.Entries[name], int64(a.Entries[name]-full.Entries[name]), got, want,
			100*(got/want-1), 100*math.Sqrt(a.Variance[name])/float64(len(g.times[0]))/got)
	}
}

// names lists the zones, most time first.
func (g *governedTimes) names() (names []string) {
	for name := range g.accounts[2].Blocks {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(g.self(b, 2), g.self(a, 2)) })
	return names
}
