package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/internal/workload"
)

// block is how many scan lines make a frame.
const block = 32

// account is what the frames of a program say, in seconds.
type account struct {
	Zones  map[string]zoneAccount
	Cost   float64 // of measuring, by the profiler's reckoning
	Length float64
}

// zoneAccount is a zone's part of it.
type zoneAccount struct {
	Entries   uint64
	Self      float64
	Timed     float64 // of that, what timing adds by the profiler's reckoning,
	Counted   float64 // and counting
	Variance  float64
	Estimated bool
	Around    bool // what is estimated
}

// governedTimes is the second round.
type governedTimes struct {
	times    times // by program: in nanoseconds
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
		g.accounts[p].join(&a)
	}
	return nil
}

// join adds what another process's frames say.
func (a *account) join(b *account) {
	for name, more := range b.Zones {
		a.update(name, func(z *zoneAccount) {
			z.Entries += more.Entries
			z.Self += more.Self
			z.Timed += more.Timed
			z.Counted += more.Counted
			z.Variance += more.Variance
			z.Estimated, z.Around = z.Estimated || more.Estimated, z.Around || more.Around
		})
	}
	a.Cost += b.Cost
	a.Length += b.Length
}

func (a *account) update(zone string, change func(*zoneAccount)) {
	if a.Zones == nil {
		a.Zones = map[string]zoneAccount{}
	}
	z := a.Zones[zone]
	change(&z)
	a.Zones[zone] = z
}

// add adds a frame.
func (a *account) add(f *gather.Frame) {
	const fraction = 1024 // of a tick, that costs are in
	seconds := 1 / f.TicksPerSecond
	inside, pair, counted := float64(f.InsideCost)/fraction, float64(f.ScopeCost)/fraction, float64(f.CountCost)/fraction
	for _, lane := range f.Lanes {
		entries := 0.0
		for _, n := range lane.Nodes {
			entries += float64(n.Count)
		}
		timed := 1 - float64(lane.Untimed)/max(entries, 1)
		for i, n := range lane.Nodes {
			count := float64(n.Count) * seconds
			a.update(f.Zones[n.Zone].Name, func(z *zoneAccount) {
				z.Entries += uint64(n.Count)
				z.Self += float64(n.Self) * seconds
				z.Variance += lane.Extra(i).Variance * seconds * seconds
				z.Timed += count * timed * inside
				z.Counted += count * (1 - timed) * counted / 2
				z.Estimated = z.Estimated || n.Estimated != 0
			})
			if n.Parent >= 0 {
				a.update(f.Zones[lane.Nodes[n.Parent].Zone].Name, func(z *zoneAccount) {
					z.Timed += count * timed * (pair - inside)
					z.Counted += count * (1 - timed) * counted / 2
					z.Around = z.Around || n.Estimated != 0 && lane.Nodes[n.Parent].Estimated == 0
				})
			}
		}
		a.Cost += entries * (timed*pair + (1-timed)*counted) * seconds
		a.Length += float64(lane.End-lane.Begin) * seconds
	}
}

// self is a zone's time in all runs of a program without what measuring takes. What is estimated has in it what the profiler
// believes counting to take, and what is timed what timing does take; all else that measuring takes is in the zone around.
func (g *governedTimes) self(zone string, program int) float64 {
	a := &g.accounts[program]
	dearer := g.cost(2) / g.accounts[2].Cost // a pair is, than the profiler believes
	estimated := 0.0
	for _, z := range a.Zones {
		if z.Estimated {
			estimated += z.Timed*dearer + z.Counted
		}
	}
	z := a.Zones[zone]
	switch {
	case estimated == 0:
		return z.Self - z.Timed*g.cost(program)/a.Cost
	case z.Estimated:
		return z.Self - z.Timed*dearer - z.Counted
	case z.Around: // the only one
		return z.Self - (g.cost(program) - estimated)
	}
	return z.Self
}

// cost is what measuring takes in all runs of a program.
func (g *governedTimes) cost(program int) float64 { return g.times.sum(program) - g.times.sum(0) }

func (g *governedTimes) print() {
	plain, zones := g.times.quickest(0, 0, 1), g.times.quickest(1, 0, 1)
	least, greatest := g.times.spread(1, 0)
	a, runs := &g.accounts[1], float64(len(g.times[0]))
	fmt.Printf("overhead limit %g: %.3f s, %.3f x nothing measured (%.3f..%.3f), %.3f x in the mean of all runs; the profiler itself says %.3f\n",
		g.limit, zones/1e9, zones/plain, least, greatest, g.times.sum(1)/g.times.sum(0), 1/(1-a.Cost/a.Length))
	fmt.Println("Times are without what measuring takes.")
	fmt.Printf("%-18s %12s %8s %16s %14s %8s %10s %13s\n", "", "entries", "other", "governed, s/run", "timed, s/run", "differ", "should by", "timed differ")
	for _, name := range g.names() {
		z := a.Zones[name]
		got, one, other := g.self(name, 1), g.self(name, 2), g.self(name, 3)
		want := (one + other) / 2
		fmt.Printf("%-18s %12d %8d %16.4f %14.4f %+7.1f%% %9.1f%% %+12.1f%%\n", name, z.Entries, int64(z.Entries-g.accounts[2].Zones[name].Entries),
			got/runs, want/runs, 100*(got/want-1), 100*math.Sqrt(z.Variance)/got, 100*(other/one-1))
	}
}

// names lists the zones, most time first.
func (g *governedTimes) names() []string {
	return slices.SortedFunc(maps.Keys(g.accounts[2].Zones), func(a, b string) int { return cmp.Compare(g.self(b, 2), g.self(a, 2)) })
}
