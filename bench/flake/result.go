package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
)

// undisturbed chooses the blocks that count: blocks in which no program took much longer than in its median run. The
// system takes the processor away for milliseconds now and then. Neither this program nor the governor can see that.
func (g *governedTimes) undisturbed() (counts [][]bool) {
	const much = 1.5
	for _, run := range g.programs[0].accounts {
		counts = append(counts, slices.Repeat([]bool{true}, len(run)))
	}
	for b := range counts[0] {
		for i := range g.programs {
			for _, lines := range g.programs[i].times {
				took := blocks(lines, b)
				most := much * median(took)
				for run := range counts {
					counts[run][b] = counts[run][b] && took[run] <= most
				}
			}
		}
	}
	return counts
}

// blocks returns the time of the lines of a block in each run.
func blocks(lines [][]float64, b int) (took []float64) {
	for run := range lines {
		took = append(took, ofBlock(lines[run], b))
	}
	return took
}

// ofBlock returns the time of the lines of a block.
func ofBlock(lines []float64, b int) (sum float64) {
	for _, took := range lines[b*block : min((b+1)*block, len(lines))] {
		sum += took
	}
	return sum
}

// result has the sums over a program's blocks that count.
type result struct {
	plain, zones float64 // seconds
	account      account
}

// result adds up the blocks that count, of one run, or of all if that is below 0.
func (p *governedProgram) result(counts [][]bool, only int) (r result) {
	for run := range counts {
		for b, count := range counts[run] {
			if count && (only < 0 || run == only) {
				r.plain += ofBlock(p.times[0][run], b) / 1e9
				r.zones += ofBlock(p.times[1][run], b) / 1e9
				r.account.join(&p.accounts[run][b])
			}
		}
	}
	return r
}

// joined returns the sums over several programs' blocks.
func joined(programs []result) (all result) {
	for i := range programs {
		all.plain += programs[i].plain
		all.zones += programs[i].zones
		all.account.join(&programs[i].account)
	}
	return all
}

// cost returns the cost of measuring.
func (r *result) cost() float64 { return r.zones - r.plain }

// self is a zone's time without the overhead, as a share of the time of the program without zones. The profiler's
// estimate divides the overhead among zones; its sum is from the lines without zones.
func (r *result) self(zone string) float64 {
	z := r.account.Zones[zone]
	return (z.Self - z.Cost*r.cost()/r.account.Cost) / r.plain
}

func (g *governedTimes) print() {
	t := g.programs[0].times
	plain, zones := t.quickest(0, 0, 1), t.quickest(1, 0, 1)
	least, greatest := t.spread(1, 0)
	counts := g.undisturbed()
	var governed, timed []result
	for p, limited := range limited {
		if r := g.programs[p].result(counts, -1); limited {
			governed = append(governed, r)
		} else {
			timed = append(timed, r)
		}
	}
	some, all := 0, 0
	for _, run := range counts {
		for _, count := range run {
			if all++; count {
				some++
			}
		}
	}
	both := joined(governed)
	fmt.Printf("overhead limit %g: %.3f s, %.3f x nothing measured (%.3f..%.3f); in the mean of both programs %.3f "+
		"x; the profiler itself says %.3f\n",
		g.limit, zones/1e9, zones/plain, least, greatest, both.zones/both.plain,
		1/(1-both.account.Cost/both.account.Length))
	fmt.Printf("Zones, in parts of the program without any, where nothing else took the processor away (%d of %d "+
		"blocks of lines):\n", some, all)
	g.printZones(counts, both, joined(timed))
}

// shownErrors is the length of an error bar in standard errors.
const shownErrors = 2.0

// printZones puts the zones of governed programs beside those of programs in which every entry is timed, and counts the
// rounds (a run of one governed program) in which that is inside the error bar, and beyond three standard errors.
func (g *governedTimes) printZones(counts [][]bool, governed, timed result) {
	fmt.Printf("%-18s %12s %8s %10s %10s %8s %10s %8s %9s\n", "", "entries", "other", "governed", "timed", "differ",
		"error bar", "inside", "beyond 3")
	for _, name := range timed.names() {
		got, want := governed.self(name), timed.self(name)
		bar := 0.0
		rounds := 0
		inside := 0
		beyond := 0
		for run := range counts {
			var exact []result
			for p, limited := range limited {
				if !limited {
					exact = append(exact, g.programs[p].result(counts, run))
				}
			}
			truth := joined(exact)
			for p, limited := range limited {
				if r := g.programs[p].result(counts, run); limited && r.plain > 0 && truth.plain > 0 {
					off, deviation := math.Abs(r.self(name)-truth.self(name)),
						shownErrors*math.Sqrt(r.account.Zones[name].Variance)/r.plain
					bar, rounds = bar+deviation, rounds+1
					if off <= deviation {
						inside++
					}
					if off > 3/shownErrors*deviation {
						beyond++
					}
				}
			}
		}
		a, b := governed.account.Zones[name].Entries, timed.account.Zones[name].Entries
		fmt.Printf("%-18s %12d %8d %9.2f%% %9.2f%% %+7.1f%% %9.1f%% %4d/%-3d %9d\n", name, a, int64(a-b), 100*got,
			100*want, 100*(got/want-1),
			100*bar/float64(max(rounds, 1))/want, inside, rounds, beyond)
	}
}

// names lists the zones, most time first.
func (r *result) names() []string {
	return slices.SortedFunc(maps.Keys(r.account.Zones),
		func(a, b string) int { return cmp.Compare(r.self(b), r.self(a)) })
}
