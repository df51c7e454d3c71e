package zonecolor

import (
	"cmp"
	"slices"
	"sort"

	"example.com/iprof/process/report"
)

// neighbours are the zones whose bars may touch in the call structure, by zone: callers and callees, zones with the
// same caller, and those of the same level. The order of callees and of their callers changes with their times, so any
// two of a caller and any two of a level may lie side by side.
type neighbours struct {
	pairs []neighbour
	first []int32 // by zone: its first neighbour in pairs
}

// neighbour is a zone whose bars may touch another zone's. Its weight grows with the certainty.
type neighbour struct {
	of, zone report.ZoneID
	weight   float64
}

// The weights of neighbours. Those of the order of now count only where there are more zones than colours: all pairs
// that do not depend on it weigh more or are there anyway.
const (
	touching = 1000. // caller and callee, or two callees of a caller
	level    = 10.   // two of a level
	beside   = 1e4   // two callees side by side at present: decides if all colours are taken
	now      = 1.    // side by side at present, for each place that they are nearer than siblingsApart
)

// siblingsApart is how far apart siblings of a long list may be at present and still count as side by side.
const siblingsApart = 10

// mostPaired is the greatest number of zones of a caller or of a level of which all pairs count. It is more than there
// are colours, so longer lists have equal ones in any case.
const mostPaired = 40

// find finds the neighbours of all zones of a tree.
func (n *neighbours) find(tree []report.TreeNode, zones int) {
	n.pairs = slices.Grow(n.pairs[:0], min(2*(siblingsApart+2)*len(tree), 2*zones*zones, manyPairs))
	siblings, levels := map[int32][]report.ZoneID{}, map[int32][]report.ZoneID{}
	for i := range tree {
		t := &tree[i]
		if t.Parent >= 0 && int(t.Parent) < len(tree) {
			parent := &tree[t.Parent]
			n.pair(t.Zone, parent.Zone, 2*touching)
		}
		near := siblings[t.Parent]
		siblings[t.Parent] = append(near, t.Zone)
		near = near[max(len(near)-siblingsApart, 0):]
		for i, other := range near {
			n.pair(t.Zone, other, now*float64(siblingsApart-len(near)+1+i))
		}
		if len(near) > 0 && len(siblings[t.Parent]) <= mostPaired {
			n.pair(t.Zone, near[len(near)-1], beside)
		}
		if same := levels[t.Level]; len(same) > 0 && siblings[t.Parent][0] == t.Zone {
			n.pair(t.Zone, same[len(same)-1], now*siblingsApart)
		}
		levels[t.Level] = append(levels[t.Level], t.Zone)
	}
	n.pairAll(siblings, touching)
	n.pairAll(levels, level)
	n.index(zones)
}

// pairAll pairs all zones of each list that is not too long.
func (n *neighbours) pairAll(lists map[int32][]report.ZoneID, weight float64) {
	for _, list := range lists {
		slices.SortFunc(list, cmp.Compare)
		list = slices.Compact(list)
		if len(list) > mostPaired {
			continue
		}
		for i, zone := range list {
			for _, other := range list[:i] {
				n.pair(zone, other, weight)
			}
		}
	}
}

func (n *neighbours) pair(a, b report.ZoneID, weight float64) {
	if a == b {
		return
	}
	if len(n.pairs)+2 > cap(n.pairs) {
		n.join()
		n.pairs = slices.Grow(n.pairs, max(len(n.pairs)/2, fewPairs)) // those before the next join
	}
	n.pairs = append(n.pairs, neighbour{a, b, weight}, neighbour{b, a, weight})
}

// There is always room for fewPairs more. A large tree begins with room for manyPairs.
const (
	fewPairs  = 256
	manyPairs = 1 << 16
)

// join sorts the pairs by zone, and sums equal ones, which are frequent in a large tree. Pairs that surely touch stay
// apart from the others, because the caller asks for them.
func (n *neighbours) join() {
	touch := func(p *neighbour) int {
		if p.weight < touching {
			return 0
		}
		return 1
	}
	sort.Slice(n.pairs, func(i, k int) bool {
		a, b := &n.pairs[i], &n.pairs[k]
		return cmp.Or(cmp.Compare(a.of, b.of), cmp.Compare(a.zone, b.zone), touch(a)-touch(b)) < 0
	})
	joined := n.pairs[:0]
	for _, p := range n.pairs {
		if i := len(joined) - 1; i >= 0 && joined[i].of == p.of && joined[i].zone == p.zone &&
			touch(&joined[i]) == touch(&p) {
			joined[i].weight += p.weight
			continue
		}
		joined = append(joined, p)
	}
	n.pairs = joined
}

// index lists the pairs by zone.
func (n *neighbours) index(zones int) {
	n.join()
	n.first = n.first[:0]
	for i := range n.pairs {
		for len(n.first) <= int(n.pairs[i].of) && len(n.first) < zones {
			n.first = append(n.first, int32(i))
		}
	}
	for len(n.first) <= zones {
		n.first = append(n.first, int32(len(n.pairs)))
	}
}

// of returns the neighbours of a zone.
func (n *neighbours) of(zone report.ZoneID) []neighbour {
	return n.pairs[n.first[zone]:n.first[zone+1]]
}
