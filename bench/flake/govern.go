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
	Blocks   map[string][][]float64 // self time in parts of all, by block and run; as far as it is not 0
	Runs     []int                  // by block
	Within   map[string]float64     // what measuring adds to it by the profiler's reckoning, all runs
	Variance map[string]float64
	Cost     float64 // of measuring, in seconds
	Length   float64
}

// governedTimes is the second round.
type governedTimes struct {
	times    times // by program
	accounts [4]account
	limit    float64
}

// governed are the programs of the second round: without zones, governed, and twice with every entry timed, to see how far what is
// timed twice differs. Each is a process of its own, since a governor that is switched off and on begins anew each time.
var governed = [4]struct {
	hooks workload.Hooks
	limit bool
}{{workload.NoHooks, false}, {workload.Zones, true}, {workload.Zones, false}, {workload.Zones, false}}

// fresh is after how many runs the processes are started anew: where the system happened to put their memory makes zones some per
// cent slower or quicker for all of a process's life.
const fresh = 5

// govern has the programs trace block by block in turn: so whatever else the machine does hits all alike.
func govern(lines, runs int, limit float64) (*governedTimes, error) {
	g := &governedTimes{times: make(times, len(governed)), limit: limit}
	for run := 0; run < runs; run += fresh {
		if err := g.measure(lines, run, min(run+fresh, runs)); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func (g *governedTimes) measure(lines, from, to int) error {
	var parts [len(governed)]*part
	for p := range parts {
		it, err := start(p)
		if err != nil {
			return err
		}
		defer it.stop()
		parts[p] = it
	}
	for run := from; run < to; run++ {
		for p := range parts {
			g.times[p] = append(g.times[p], nil)
		}
		for y := 0; y < lines; y += block {
			for turn := range parts {
				p := (turn + run + y/block) % len(parts)
				took, err := parts[p].trace(y, min(y+block, lines))
				if err != nil {
					return err
				}
				g.times[p][run] = append(g.times[p][run], took...)
			}
		}
	}
	for p, it := range parts {
		a, err := it.finish()
		if err != nil {
			return err
		}
		g.accounts[p].join(&a, from)
	}
	return nil
}

// join adds what another process's frames say, which begin with a run.
func (a *account) join(b *account, from int) {
	a.begin()
	for name := range b.Blocks {
		a.Entries[name] += b.Entries[name]
		a.Within[name] += b.Within[name]
		a.Variance[name] += b.Variance[name]
		for at, values := range b.Blocks[name] {
			for i, v := range values {
				a.note(name, at, from+i, v)
			}
		}
	}
	a.Cost += b.Cost
	a.Length += b.Length
}

// note notes what part of a block is a zone's in a run.
func (a *account) note(name string, at, run int, part float64) {
	blocks := padded(a.Blocks[name], at+1)
	blocks[at] = append(padded(blocks[at], run), part)
	a.Blocks[name] = blocks
}

// padded returns s with at least n elements.
func padded[T any](s []T, n int) []T { return append(s, make([]T, max(n-len(s), 0))...) }

func (a *account) begin() {
	if a.Entries == nil {
		a.Entries, a.Blocks = map[string]uint64{}, map[string][][]float64{}
		a.Within, a.Variance = map[string]float64{}, map[string]float64{}
	}
}

// add adds a frame.
func (a *account) add(f *gather.Frame, at int) {
	const fraction = 1024 // of a tick, that costs are in
	a.begin()
	a.Runs = padded(a.Runs, at+1)
	defer func() { a.Runs[at]++ }()
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
			a.note(name, at, a.Runs[at], float64(n.Self)/float64(lane.End-lane.Begin))
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

// self is a zone's time in one run of a program without what measuring takes: in the mean of all runs a block has the share that
// it has there of what it takes at the quickest. To leave out the runs in which something else came between would favour those
// in which that hit what was only counted, and is the zone's around.
func (g *governedTimes) self(zone string, program int) (sum float64) {
	a, runs := g.accounts[program], float64(len(g.times[0]))
	for at, parts := range a.Blocks[zone] {
		took := g.times.block(program, at) / 1e9
		for _, part := range parts {
			sum += part * took / runs
		}
	}
	return sum - a.Within[zone]/runs/g.part(program)
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
	fmt.Printf("%-18s %12s %8s %16s %14s %8s %10s %13s\n", "", "entries", "other", "governed, s/run", "timed, s/run", "differ", "should by", "timed differ")
	for _, name := range g.names() {
		got, one, other := g.self(name, 1), g.self(name, 2), g.self(name, 3)
		want := (one + other) / 2
		fmt.Printf("%-18s %12d %8d %16.4f %14.4f %+7.1f%% %9.1f%% %+12.1f%%\n", name, a.Entries[name], int64(a.Entries[name]-full.Entries[name]), got, want,
			100*(got/want-1), 100*math.Sqrt(a.Variance[name])/float64(len(g.times[0]))/got, 100*(other/one-1))
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
