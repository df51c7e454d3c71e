package process

import (
	"container/heap"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// packedTrees makes the trees of a Dump from packed lanes. It walks all lanes of a tree side by side, twice: the first
// walk finds how much time a node must have to be kept, the second one keeps them. So it needs memory only for the
// nodes kept and for one stack.
type packedTrees struct {
	packer
	lanes          []*laneTally
	outside, ticks platform.Ticks // of the updating lane, and of the run

	made        *treeMaker
	readers     []packedReader // by lane of the tree
	order       []int32        // the readers, in groups that are at the same path
	heap        []int32        // the part of order that heap.Interface means
	sizes       [64 << classBits]int
	alive       int
	keeping     bool // this is the second walk
	least, room int  // nodes of lower classes are left out; there is room for so many of the class least
}

// add packs a lane of the unfinished frame.
func (p *packedTrees) add(l *gather.LaneFrame) {
	p.lanes = append(p.lanes, &laneTally{id: l.ID, name: l.Name, cpu: l.CPU, packed: p.pack(l)})
}

// fill makes the trees of a Dump.
func (p *packedTrees) fill(t *tally, d *dumpTotals, o DumpOptions) {
	p.made = t.maker(nil, d.TicksPerSecond, d.Zones)
	p.made.now = 1
	d.Merged = p.made.rooted(p.tree(t, p.lanes, o.Nodes), p.outside, p.ticks)
	if !o.NoLanes {
		d.Lanes = laneTrees(o, p.lanes, func(lanes []*laneTally, most int) []TreeNode { return p.tree(t, lanes, most) })
	}
}

// tree returns the merged tree of lanes as treeMaker.tree does.
func (p *packedTrees) tree(t *tally, lanes []*laneTally, most int) []TreeNode {
	p.sizes, p.alive, p.keeping = [len(p.sizes)]int{}, 0, false
	p.walk(lanes)
	p.least, p.room = leastKept(p.sizes[:], p.alive, max(most, 1))
	p.made.nodes, p.keeping = slices.Grow(p.made.nodes[:0], min(p.alive, most)+1), true
	p.walk(lanes)
	for i := range p.made.nodes {
		n, parent := &p.made.nodes[i], int32(-1)
		if n.parent >= 0 {
			parent = p.made.nodes[n.parent].path
		}
		n.path = t.tree.Child(parent, n.zone, true, t.next)
		t.tree.Paths[n.path].Idle = p.made.idle(n.zone)
	}
	return p.made.preorder()
}

// walk visits the nodes of lanes, those with the same path together.
func (p *packedTrees) walk(lanes []*laneTally) {
	p.readers, p.order = resized(p.readers, len(lanes)), resized(p.order, len(lanes))
	for i, l := range lanes {
		p.readers[i] = packedReader{data: l.packed.data, rare: l.packed.rare, level: -1}
		p.readers[i].next()
		p.order[i] = int32(i)
	}
	p.made.nodes = p.made.nodes[:0]
	p.below(p.order, 0, -1)
}

// below visits the nodes of a level that a group of readers has next, and all below them. live is a heap of the readers
// that have one; those of the node under way are moved behind it.
func (p *packedTrees) below(group []int32, level, parent int32) {
	live := p.push(group, 0, level)
	for len(live) > 0 {
		zone, at, from := p.readers[live[0]].node.zone, p.enter(parent, p.readers[live[0]].node.zone), len(live)
		for from > 0 && p.readers[live[0]].node.zone == zone {
			r := &p.readers[live[0]]
			p.made.nodes[at].add(&r.node)
			r.next()
			p.heap = live[:from]
			heap.Pop(p)
			from--
		}
		p.below(live[from:], level+1, at)
		p.leave(at)
		live = p.push(live, from, level)
	}
}

// push adds the readers of a group from index from on to the heap before them, if they have a node of the level. It
// returns the heap.
func (p *packedTrees) push(group []int32, from int, level int32) []int32 {
	kept := from
	for i := from; i < len(group); i++ {
		if p.readers[group[i]].level == level {
			group[kept], group[i] = group[i], group[kept]
			p.heap = group[:kept]
			heap.Push(p, nil)
			kept++
		}
	}
	return group[:kept]
}

// enter begins a node.
func (p *packedTrees) enter(parent int32, zone ZoneID) int32 {
	n := keptNode{tallyNode: tallyNode{zone: zone, parent: parent}, first: -1, next: -1}
	p.made.nodes = append(p.made.nodes, n)
	return int32(len(p.made.nodes) - 1)
}

// leave ends a node: all below it were visited. If it is not kept, none below it is, and it is the last of the nodes.
func (p *packedTrees) leave(at int32) {
	n, up := &p.made.nodes[at], &keptNode{first: -1}
	if n.hier += n.self; n.parent >= 0 {
		up = &p.made.nodes[n.parent]
	}
	up.hier += n.hier
	alive := n.self != 0 || n.count != 0 || n.errors != 0 || n.open != 0 || n.left > 0 || n.first >= 0 ||
		n.charges != nil && *n.charges != (Charges{})
	switch {
	case !alive:
		p.made.nodes = p.made.nodes[:at]
	case p.keep(n):
		n.next, up.first = up.first, at
	default:
		up.left += n.left + 1
		up.leftHier += n.hier
		p.made.nodes = p.made.nodes[:at]
	}
}

// keep reports whether a node is kept: one with much time, one above such a node, and the root.
func (p *packedTrees) keep(n *keptNode) bool {
	c := class(n.hier)
	if !p.keeping {
		p.sizes[c]++
		p.alive++
		return false
	}
	if c == p.least && p.room > 0 {
		p.room--
		return true
	}
	return c > p.least || n.first >= 0 || n.parent < 0
}

// Len, Less, Swap, Push and Pop are for package heap. The readers stay where they are in order: only the length of the
// heap changes.
func (p *packedTrees) Len() int { return len(p.heap) }

func (p *packedTrees) Less(i, j int) bool {
	return p.readers[p.heap[i]].node.zone < p.readers[p.heap[j]].node.zone
}

func (p *packedTrees) Swap(i, j int) { p.heap[i], p.heap[j] = p.heap[j], p.heap[i] }

func (p *packedTrees) Push(any) { p.heap = p.heap[:len(p.heap)+1] }

func (p *packedTrees) Pop() any {
	p.heap = p.heap[:len(p.heap)-1]
	return nil
}
