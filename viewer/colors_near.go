package viewer

import (
	"slices"

	"example.com/iprof/process"
)

// neighbours are the zones whose bars may touch in the call structure, by zone: callers and callees, zones with the
// same caller, and those beside each other.
type neighbours struct {
	pairs  [][2]process.ZoneID
	first  []int32 // by zone: its first neighbour in others
	others []process.ZoneID
	caller []process.ZoneID // by zone: the caller whose hue it has; 0 for none
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
			n.pair(t.Zone, parent.Zone)
			if parent.Level >= 1 && int(t.Zone) < zones && n.caller[t.Zone] == 0 {
				n.caller[t.Zone] = parent.Zone
			}
		}
		if t.Level >= 0 && int(t.Level) < len(last) {
			n.pair(t.Zone, last[t.Level])
			last[t.Level] = t.Zone
		}
		near := siblings[t.Parent]
		for _, other := range near[max(len(near)-siblingsApart, 0):] {
			n.pair(t.Zone, other)
		}
		siblings[t.Parent] = append(near, t.Zone)
	}
	n.index(zones)
}

func (n *neighbours) pair(a, b process.ZoneID) {
	if a != b {
		n.pairs = append(n.pairs, [2]process.ZoneID{a, b}, [2]process.ZoneID{b, a})
	}
}

// index sorts the pairs by zone.
func (n *neighbours) index(zones int) {
	slices.SortFunc(n.pairs, func(a, b [2]process.ZoneID) int { return int(a[0]) - int(b[0]) })
	n.first, n.others = n.first[:0], n.others[:0]
	for _, p := range n.pairs {
		for len(n.first) <= int(p[0]) && len(n.first) < zones {
			n.first = append(n.first, int32(len(n.others)))
		}
		n.others = append(n.others, p[1])
	}
	for len(n.first) <= zones {
		n.first = append(n.first, int32(len(n.others)))
	}
}

// of returns the neighbours of a zone.
func (n *neighbours) of(zone process.ZoneID) []process.ZoneID {
	return n.others[n.first[zone]:n.first[zone+1]]
}

// family returns the caller whose hue a zone has, or 0.
func (n *neighbours) family(zone process.ZoneID) process.ZoneID { return n.caller[zone] }
