package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"example.com/iprof/gather"
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
	programs [len(limited)]governedProgram
	limit    float64
}

// governedProgram is what one of its programs takes without zones and with them, and what its frames say: by run, and by line or frame.
type governedProgram struct {
	times    times
	accounts [][]account
}

// limited says which programs of the second round are governed: one is, and two have every entry timed, to see how far what is
// timed twice differs. Each is a process of its own, since a governor that is switched off and on begins anew each time, and each
// traces every line without zones as well: what the machine is like, and where the system put its memory, is the same for both.
var limited = [...]bool{true, false, false}

// fresh is after how many runs the processes are started anew: where the system happened to put their memory makes zones some per
// cent slower or quicker for all of a process's life.
const fresh = 5

// govern has the programs trace block by block in turn: so whatever else the machine does hits all alike.
func govern(lines, runs int, limit float64) (*governedTimes, error) {
	g := &governedTimes{limit: limit}
	for p := range g.programs {
		g.programs[p] = governedProgram{times{make([][]float64, runs), make([][]float64, runs)}, make([][]account, runs)}
	}
	for run := 0; run < runs; run += fresh {
		if err := g.measure(lines, run, min(run+fresh, runs)); err != nil {
			return nil, err
		}
	}
	return g, nil
}

func (g *governedTimes) measure(lines, from, to int) error {
	var parts [len(limited)]*part
	for p := range parts {
		it, err := start(p)
		if err != nil {
			return err
		}
		defer it.stop()
		parts[p] = it
	}
	for run := from; run < to; run++ {
		for y := 0; y < lines; y += block {
			for turn := range parts {
				p := (turn + run + y/block) % len(parts)
				t, err := parts[p].trace(span{y, min(y+block, lines), (run+y/block)%2 == 0})
				if err != nil {
					return err
				}
				g.programs[p].add(run, &t)
			}
		}
	}
	return nil
}

func (p *governedProgram) add(run int, t *traced) {
	p.times[0][run] = append(p.times[0][run], t.Plain...)
	p.times[1][run] = append(p.times[1][run], t.Zones...)
	p.accounts[run] = append(p.accounts[run], t.Account)
}

// join adds what another frame says.
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

// undisturbed says which blocks of which runs count: those in which no program took much longer than in its median run. The system
// takes the processor away for milliseconds now and then, and tells neither the one who counts the time nor the governor, for whom
// that is time like any.
func (g *governedTimes) undisturbed() (counts [][]bool) {
	const much = 1.5
	for _, run := range g.programs[0].accounts {
		counts = append(counts, slices.Repeat([]bool{true}, len(run)))
	}
	for i := range g.programs {
		for _, lines := range g.programs[i].times {
			for b := range counts[0] {
				var all []float64
				for run := range counts {
					all = append(all, ofBlock(lines[run], b))
				}
				usual := median(slices.Clone(all))
				for run := range counts {
					counts[run][b] = counts[run][b] && all[run] <= much*usual
				}
			}
		}
	}
	return counts
}

// ofBlock is how long the lines of a block took.
func ofBlock(lines []float64, b int) (sum float64) {
	for _, took := range lines[b*block : min((b+1)*block, len(lines))] {
		sum += took
	}
	return sum
}

// result is what a program's blocks say that count.
type result struct {
	plain, zones float64 // seconds
	account      account
}

func (p *governedProgram) result(counts [][]bool) (r result) {
	for run := range counts {
		for b, count := range counts[run] {
			if count {
				r.plain += ofBlock(p.times[0][run], b) / 1e9
				r.zones += ofBlock(p.times[1][run], b) / 1e9
				r.account.join(&p.accounts[run][b])
			}
		}
	}
	return r
}

// cost is what measuring takes.
func (r *result) cost() float64 { return r.zones - r.plain }

// self is a zone's time, in parts of what the program takes without zones. What is estimated has in it what the profiler believes
// counting to take, and what is timed what timing does take, if a pair is so many times dearer than it believes; all else that
// measuring takes is in the zone around.
func (r *result) self(zone string, dearer float64) float64 {
	estimated := 0.0
	for _, z := range r.account.Zones {
		if z.Estimated {
			estimated += z.Timed*dearer + z.Counted
		}
	}
	z := r.account.Zones[zone]
	switch {
	case estimated == 0:
		z.Self -= z.Timed * r.dearer()
	case z.Estimated:
		z.Self -= z.Timed*dearer + z.Counted
	case z.Around: // the only one
		z.Self -= r.cost() - estimated
	}
	return z.Self / r.plain
}

// dearer is how many times as much measuring takes as the profiler believes.
func (r *result) dearer() float64 { return r.cost() / r.account.Cost }

func (g *governedTimes) print() {
	t := g.programs[0].times
	plain, zones := t.quickest(0, 0, 1), t.quickest(1, 0, 1)
	least, greatest := t.spread(1, 0)
	counts := g.undisturbed()
	limited, timed, again := g.programs[0].result(counts), g.programs[1].result(counts), g.programs[2].result(counts)
	some, all := 0, 0
	for _, run := range counts {
		for _, count := range run {
			if all++; count {
				some++
			}
		}
	}
	fmt.Printf("overhead limit %g: %.3f s, %.3f x nothing measured (%.3f..%.3f), %.3f x in the mean of the runs; the profiler itself says %.3f\n",
		g.limit, zones/1e9, zones/plain, least, greatest, limited.zones/limited.plain, 1/(1-limited.account.Cost/limited.account.Length))
	fmt.Printf("Zones, in parts of the program without any, where nothing else took the processor away (%d of %d blocks of lines):\n", some, all)
	fmt.Printf("%-18s %12s %8s %12s %12s %8s %10s %13s\n", "", "entries", "other", "governed", "timed", "differ", "should by", "timed differ")
	for _, name := range timed.names() {
		z := limited.account.Zones[name]
		got, one, other := limited.self(name, timed.dearer()), timed.self(name, 0), again.self(name, 0)
		want := (one + other) / 2
		fmt.Printf("%-18s %12d %8d %11.2f%% %11.2f%% %+7.1f%% %9.1f%% %+12.1f%%\n", name, z.Entries, int64(z.Entries-timed.account.Zones[name].Entries),
			100*got, 100*want, 100*(got/want-1), 100*math.Sqrt(z.Variance)/z.Self, 100*(other/one-1))
	}
}

// names lists the zones, most time first.
func (r *result) names() []string {
	return slices.SortedFunc(maps.Keys(r.account.Zones), func(a, b string) int { return cmp.Compare(r.self(b, 0), r.self(a, 0)) })
}
