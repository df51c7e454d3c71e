package zonecolor

import (
	"slices"

	"example.com/iprof/process"
)

// neighbours are the zones whose bars may touch in the call structure, by zone: callers and callees, zones with the
// same caller, and those beside each other.
type neighbours struct {
	pairs  []pairOfZones
	first  []int32 // by zone: its first neighbour in others
	others []neighbour
	caller []process.ZoneID // by zone: the caller whose hue it has; 0 for none
}

// neighbour is a zone whose bars may touch those of another. It weighs more the nearer it is.
type neighbour struct {
	zone   process.ZoneID
	weight float64
}

type pairOfZones struct {
	of process.ZoneID
	neighbour
}

// siblingsApart is how far apart siblings may be in the tree and still count as neighbours. Their order changes.
const siblingsApart = 10

// find finds the neighbours of all zones of a tree.
func (n *neighbours) find(tree []process.TreeNode, zones int) {
	n.pairs = n.pairs[:0]
	n.caller = append(n.caller[:0], make([]process.ZoneID, zones)...)
	var last [64]process.ZoneID // at each level
	siblings := map[int32][]process.ZoneID{}
	for i := range tree {
		t := &tree[i]
		if t.Parent >= 0 && int(t.Parent) < len(tree) {
			parent := &tree[t.Parent]
			n.pair(t.Zone, parent.Zone, 2*siblingsApart)
			if parent.Level >= 1 && int(t.Zone) < zones && n.caller[t.Zone] == 0 {
				n.caller[t.Zone] = parent.Zone
			}
		}
		if t.Level >= 0 && int(t.Level) < len(last) {
			n.pair(t.Zone, last[t.Level], siblingsApart)
			last[t.Level] = t.Zone
		}
		near := siblings[t.Parent]
		near = near[max(len(near)-siblingsApart, 0):]
		for i, other := range near {
			n.pair(t.Zone, other, float64(siblingsApart-len(near)+1+i))
		}
		siblings[t.Parent] = append(near, t.Zone)
	}
	n.index(zones)
}

func (n *neighbours) pair(a, b process.ZoneID, weight float64) {
	if a != b {
		n.pairs = append(n.pairs, pairOfZones{a, neighbour{b, weight}}, pairOfZones{b, neighbour{a, weight}})
	}
}

// index sorts the pairs by zone.
func (n *neighbours) index(zones int) {
	slices.SortFunc(n.pairs, func(a, b pairOfZones) int { return int(a.of) - int(b.of) })
	n.first, n.others = n.first[:0], n.others[:0]
	for _, p := range n.pairs {
		for len(n.first) <= int(p.of) && len(n.first) < zones {
			n.first = append(n.first, int32(len(n.others)))
		}
		n.others = append(n.others, p.neighbour)
	}
	for len(n.first) <= zones {
		n.first = append(n.first, int32(len(n.others)))
	}
}

// of returns the neighbours of a zone.
func (n *neighbours) of(zone process.ZoneID) []neighbour {
	return n.others[n.first[zone]:n.first[zone+1]]
}

// family returns the caller whose hue a zone has, or 0.
func (n *neighbours) family(zone process.ZoneID) process.ZoneID { return n.caller[zone] }
