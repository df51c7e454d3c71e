//go:build !iprof_off

// The governor keeps the cost of measuring below a share of each lane's time. This file decides when it acts, and on
// which nodes. Its terms, on top of the profiler's own:
//
//	timed            of an entry: the clock is read at its begin and end
//	counted          of an entry: it only adds to its node's count
//	demoted          of a node: most of its entries are counted. Promoting it means timing all of them again
//	form             the node that counts a demoted node's entries
//	mirror           a node below a form, or a form. Its numbers are added to a timed node's
//	top              a demoted node that is below no other demoted node. The bursts are of its entries
//	burst            a sample: some entries of a top in a row
//	block            a part of a burst. It is timed or counted
//	gap              the entries between two bursts, all counted
//	in place         where the program runs, and not in the loop of Calibrate
//	the zone around  the innermost timed node around counted entries. Their time passes there
//	muted            of a zone: neither timed nor counted

package gather

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"
	"unsafe"

	"example.com/iprof/gather/internal/costs"
	"example.com/iprof/gather/internal/estimate"
	"example.com/iprof/platform"
)

// overheadLimit has the bits of a float64.
var overheadLimit atomic.Uint64

// SetOverheadLimit bounds the cost of measuring, as a share of each lane's time: 0.02 is 2 %. The default, 0, is no
// limit. A share above 1 is 1.
//
// While a lane is above the limit, the nodes that it enters most often for the least time are demoted. Each of their
// entries is still counted, but only some are timed, in bursts at random gaps. The self time of all entries is
// estimated from these. The rest of the time stays in the zone around them. Node.Estimated marks both, and
// NodeExtra.Variance is the square of their standard error. Counts, sums and the hierarchical times of timed zones stay
// exact. Once measuring all has been cheap for some frames, all is timed again.
//
// Zones with SetPerCall are never demoted, nor are nodes on lanes in MemoryHeapPerZone. Only timed entries have events.
// If counting alone costs more than the limit, the limit is missed, and reports show it: see SetMuted. The limit takes
// a few frames to act. Any goroutine may call it.
func SetOverheadLimit(share float64) {
	if !(share > 0) {
		share = 0
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	overheadLimit.Store(math.Float64bits(min(share, 1)))
	if share == 0 {
		eachLane(func(l *Lane) { l.promote() })
		followLanes()
	}
}

// OverheadLimit returns the value of SetOverheadLimit. Any goroutine may call it.
func OverheadLimit() float64 { return math.Float64frombits(overheadLimit.Load()) }

// The policy's constants. Shares are of the overhead limit.
const (
	settling     = 2        // frames in which a change takes effect
	patience     = 8        // cheap frames in a row, before all nodes are promoted
	relief       = 0.75     // a frame is cheap if timing all costs less than this share
	exactShare   = 0.3      // for nodes that are not demoted
	sampledShare = 0.5      // for the timed entries of demoted nodes
	leastShare   = 1.0 / 64 // a node that costs less is not demoted
	leastGap     = 7        // counted entries for each timed entry
	mostGap      = 4095
)

// governed is the governor's data of a lane. The lane's mutex guards it.
type governed struct {
	ghost   platform.Slot              // of forms. It leads to the lane, and nothing is open in it: see end
	want    []wish                     // by index in the lane's seen
	wanted  int                        // nodes to be demoted
	gap     float64                    // mean number of counted entries for each timed entry
	length  uint32                     // entries in a block
	forms   []*node                    // parents first
	around  map[uint32]estimate.Around // by index in the lane's seen
	since   int                        // frames since the last change
	relaxed int                        // cheap frames in a row
}

// wish has whether a node is to be demoted, and its mean self time before, in ticks.
type wish struct {
	demote bool
	self   float64
}

func (g *governed) wants(i uint32) bool { return g != nil && int(i) < len(g.want) && g.want[i].demote }

// govern estimates the times that were not measured in the lane's part of a frame, and decides which nodes are demoted
// from now on. extras is the index of the lane's first extra. It returns the number of counted entries.
func (w *walk) govern(extras int) (untimed uint64) {
	limit, l := OverheadLimit(), w.lane
	if l.governed == nil && limit == 0 && !zones.muted.Any() {
		return 0
	}
	w.locate()
	if l.governed != nil && len(l.governed.forms) > 0 {
		untimed = w.estimate(extras)
	}
	w.showMuted(extras)
	if limit > 0 && w.move && !w.frozen && w.judge(w.allowed(limit*float64(w.length)), float64(untimed)) {
		registry.updates.judged = true
	}
	return untimed
}

// allowed returns how many of the ticks that measuring may take are left for pairs. Slow paths take the others, and no
// demotion makes those fewer. A quarter is always left.
func (w *walk) allowed(all float64) float64 {
	return max(all-float64(w.lane.slowTime.Since(false)), all/4)
}

// judge demotes nodes if measuring costs more than the ticks allowed, and promotes all if timing them has been cheap
// for some frames. It reports whether it has changed anything.
func (w *walk) judge(allowed, untimed float64) (changed bool) {
	l, c, entries := w.lane, w.costs(), 0.0
	for i := range w.out[w.start+1:] {
		entries += float64(w.out[w.start+1+i].Count)
	}
	full := entries * c.Pair
	if l.metered || w.length <= 0 || l.governed == nil && full <= allowed {
		return l.metered && l.promote()
	}
	if l.governed == nil {
		ghost := platform.Slot{Lane: unsafe.Pointer(l)}
		l.governed = &governed{ghost: ghost, since: settling, around: map[uint32]estimate.Around{}}
	}
	g := l.governed
	g.since++
	if g.relaxed++; full > relief*allowed {
		g.relaxed = 0
	}
	switch {
	case g.since <= settling:
		return false
	case g.relaxed >= patience:
		return l.promote()
	}
	return full-untimed*(c.Pair-c.Counted) > allowed && w.demote(allowed, c)
}

// demote chooses further nodes to demote, and the share of entries to time. It reports whether either has changed.
func (w *walk) demote(allowed float64, c costs.Cost) (changed bool) {
	g, all := w.lane.governed, registry.updates.scratch.spots
	g.want = append(g.want, make([]wish, max(len(w.lane.seen)-len(g.want), 0))...)
	exact, sampled, was := 0.0, 0.0, g.wanted
	for i, n := range w.out[w.start:] {
		if cost := float64(n.Count) * c.Pair; g.wants(all[i].node.idx) {
			sampled += cost
		} else {
			exact += cost
		}
	}
	for _, i := range w.rank(allowed, c) {
		if exact <= exactShare*allowed {
			break
		}
		n := &w.out[w.start+int(i)]
		cost := float64(n.Count) * c.Pair
		exact, sampled = exact-cost, sampled+cost
		g.want[all[i].node.idx] = wish{true, float64(max(n.Self, 0)) / float64(n.Count)}
		g.wanted++
	}
	gap := min(max(sampled/allowed/sampledShare, leastGap), mostGap)
	if g.wanted == 0 || g.wanted == was && gap <= 2*g.gap && g.gap <= 2*gap {
		return false
	}
	g.gap, g.since, g.relaxed = gap, 0, 0
	g.length = uint32(min(max(sampled/c.Pair/(gap+1)/(2*1.25*blockPairs), leastBlock), mostBlock))
	w.lane.askAgain()
	return true
}

// rank returns the indices of the nodes that are worth demoting, those with the most entries first. The cost of
// measuring such a node is a larger share of its time than the limit, and a part of the allowed ticks that matters. The
// profiler's own nodes and those of holds are never demoted.
//
//go:norace
func (w *walk) rank(allowed float64, c costs.Cost) (places []int32) {
	const never = flagFolded | flagWatch | flagHeld | flagCalls | flagPending | flagMirror
	nodes, all := w.out[w.start:], registry.updates.scratch.spots
	for i := 1; i < len(nodes); i++ {
		cost, n := float64(nodes[i].Count)*c.Pair, all[i].node
		dear := cost > leastShare*allowed && cost*float64(w.length) > allowed*float64(nodes[i].Self)
		if dear && n.flag&never == 0 && n.key > keyNotKept && !w.lane.governed.wants(n.idx) {
			places = append(places, int32(i))
		}
	}
	slices.SortStableFunc(places, func(a, b int32) int { return cmp.Compare(nodes[b].Count, nodes[a].Count) })
	return places
}

// promote promotes all nodes. It reports whether any were demoted.
func (l *Lane) promote() (changed bool) {
	g := l.governed
	if g == nil || g.wanted == 0 {
		return false
	}
	clear(g.want)
	clear(g.around)
	g.wanted, g.since, g.relaxed = 0, 0, 0
	l.askAgain()
	return true
}

// askAgain sends the lane's goroutine to Lane.govern.
func (l *Lane) askAgain() {
	l.generation = wanted.generation.Load() - 1
	l.pokeStale()
}

// followLanes marks the zones that are demoted on any lane, and chooses the functions that enter zones. The registry's
// mutex is held.
//
//go:norace
func followLanes() {
	demoted := map[ZoneID]bool{}
	for _, l := range registry.lanes {
		l.mu.Lock()
		for i := range l.seen {
			if l.governed.wants(uint32(i)) && !l.ended {
				demoted[l.seen[i].zone] = true
			}
		}
		l.mu.Unlock()
	}
	zones.Each(func(z *Zone, id ZoneID) { z.mark(zoneDemoted, demoted[id]) })
	switchTo(len(demoted) > 0 || zones.muted.Any())
}
