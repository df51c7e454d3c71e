package totals

import (
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// packed holds the nodes of a lane in preorder, children by zone, in about five bytes each. A program that never calls
// Update may have a million nodes.
type packed struct {
	data []byte
	size int        // nodes
	rare []nodeSums // rare numbers of the nodes that have some, in the same order
}

// The bits at the end of a node's first number in packed.data. The bits above are the levels that end before the node.
const (
	packedOpen = 1 << iota
	packedRare
	packedOnce // entered once: the count is left out
	packedBits = iota
)

// packedUsual is the usual number of bytes of a node.
const packedUsual = 6

// packer packs lanes, one after another.
type packer struct {
	nodes       []gather.Node
	first, next []int32 // by node: its children, or -1
	rare        map[int32]*nodeSums
	stack       []packerItem
	kids        []int32
	level       int32 // level of the node packed last
	zone        report.ZoneID
	data        []byte
	out         packed
}

type packerItem struct{ node, level int32 }

// pack packs a lane.
func (p *packer) pack(lane *gather.LaneFrame) *packed {
	p.link(lane)
	p.data, p.out = slices.Grow(p.data[:0], packedUsual*len(p.nodes)), packed{}
	p.level, p.zone = -1, 0
	p.stack = append(p.stack[:0], packerItem{0, 0})
	for len(p.stack) > 0 {
		it := p.stack[len(p.stack)-1]
		p.stack = p.stack[:len(p.stack)-1]
		p.append(it)
		p.sortKids(it.node)
		for _, kid := range slices.Backward(p.kids) {
			p.stack = append(p.stack, packerItem{kid, it.level + 1})
		}
	}
	p.out.data = bytes.Clone(p.data)
	out := p.out
	return &out
}

// link lists the children of each node, and the rare numbers.
func (p *packer) link(lane *gather.LaneFrame) {
	p.nodes = lane.Nodes
	p.first, p.next = resize.To(p.first, len(p.nodes)), resize.To(p.next, len(p.nodes))
	for i := range p.nodes {
		p.first[i], p.next[i] = -1, -1
		if parent := p.nodes[i].Parent; parent >= 0 {
			p.next[i], p.first[parent] = p.first[parent], int32(i)
		}
	}
	p.rare = nil
	for i := range lane.Extras {
		p.rareOf(lane.Extras[i].Node).extend(&lane.Extras[i], 1)
	}
}

// sortKids fills kids with the children of a node, by zone. Children of the same zone are merged, as in a tree of
// paths.
func (p *packer) sortKids(node int32) {
	p.kids = p.kids[:0]
	for kid := p.first[node]; kid >= 0; kid = p.next[kid] {
		p.kids = append(p.kids, kid)
	}
	slices.SortFunc(p.kids, func(a, b int32) int {
		return cmp.Or(cmp.Compare(p.nodes[a].Zone, p.nodes[b].Zone), cmp.Compare(a, b))
	})
	apart := p.kids[:0]
	for _, kid := range p.kids {
		if last := len(apart) - 1; last >= 0 && p.nodes[apart[last]].Zone == p.nodes[kid].Zone {
			p.join(apart[last], kid)
		} else {
			apart = append(apart, kid)
		}
	}
	p.kids = apart
}

// join adds node b to node a of the same zone and parent.
func (p *packer) join(a, b int32) {
	x, y := &p.nodes[a], &p.nodes[b]
	rare := p.rareOf(a)
	rare.count += uint64(y.Count)
	if from := p.rare[b]; from != nil {
		rare.add(from)
	}
	x.Self += y.Self
	x.Open = x.Open || y.Open
	last := &p.first[a]
	for *last >= 0 {
		last = &p.next[*last]
	}
	*last = p.first[b]
}

// rareOf returns the rare numbers of a node.
func (p *packer) rareOf(node int32) *nodeSums {
	if p.rare == nil {
		p.rare = make(map[int32]*nodeSums)
	}
	if p.rare[node] == nil {
		p.rare[node] = new(nodeSums)
	}
	return p.rare[node]
}

// append packs a node.
func (p *packer) append(it packerItem) {
	n := &p.nodes[it.node]
	head := uint64(p.level+1-it.level) << packedBits
	if n.Open {
		head |= packedOpen
	}
	if x := p.rare[it.node]; x != nil {
		head |= packedRare
		p.out.rare = append(p.out.rare, *x)
	}
	if n.Count == 1 {
		head |= packedOnce
	}
	p.data = binary.AppendUvarint(p.data, head)
	p.data = binary.AppendVarint(p.data, int64(n.Zone-p.zone)) // most nodes follow a sibling
	if n.Count != 1 {
		p.data = binary.AppendUvarint(p.data, uint64(n.Count))
	}
	p.data = binary.AppendVarint(p.data, int64(n.Self))
	p.level, p.zone = it.level, n.Zone
	p.out.size++
}

// packedReader reads the nodes of a lane.
type packedReader struct {
	data  []byte
	rare  []nodeSums
	node  nodeSums // zone and sums; its open is 0 or 1
	level int32    // of node; -1 at the end
}

// next reads the next node.
func (r *packedReader) next() {
	if len(r.data) == 0 {
		r.level = -1
		return
	}
	head := r.number()
	r.level += 1 - int32(head>>packedBits)
	r.node = nodeSums{zone: r.node.zone + report.ZoneID(r.signed()), count: 1}
	if head&packedOnce == 0 {
		r.node.count = r.number()
	}
	r.node.self = platform.Ticks(r.signed())
	if head&packedRare != 0 {
		r.node.add(&r.rare[0])
		r.rare = r.rare[1:]
	}
	r.node.open = head & packedOpen
}

func (r *packedReader) number() uint64 {
	n, size := binary.Uvarint(r.data)
	r.data = r.data[size:]
	return n
}

func (r *packedReader) signed() int64 {
	n, size := binary.Varint(r.data)
	r.data = r.data[size:]
	return n
}

// packedTrees makes the trees of a Dump from packed lanes. It walks all lanes of a tree in parallel, twice: the first
// walk finds the least time of a kept node, and the second keeps the nodes. So it needs memory only for the kept nodes
// and for one stack.
type packedTrees struct {
	packer
	lanes          []*laneSums
	outside, ticks platform.Ticks // of the updating lane, and of the run

	made        *treeMaker
	readers     []packedReader // by lane of the tree
	order       []int32        // the readers, in groups that are at the same path
	heap        []int32        // the part of order that Len, Less and Swap work on
	sizes       [64 << ClassBits]int
	alive       int
	keeping     bool // this is the second walk
	least, room int  // nodes of lower classes are left out; room is the number of kept nodes of class least
}

// add packs a lane of the unfinished frame.
func (p *packedTrees) add(l *gather.LaneFrame) {
	p.lanes = append(p.lanes, &laneSums{id: l.ID, name: l.Name, cpu: l.CPU, packed: p.pack(l)})
}

// fill makes the trees of a Dump.
func (p *packedTrees) fill(t *Tally, d *Sums, o report.DumpOptions) {
	p.made = t.maker(nil, d.TicksPerSecond, d.Zones)
	p.made.now = 1
	d.Merged = p.made.rooted(p.tree(t, p.lanes, o.Nodes), p.outside, p.ticks)
	if !o.NoLanes {
		d.Lanes = laneTrees(o, p.lanes, func(lanes []*laneSums, most int) []report.TreeNode {
			return p.tree(t, lanes, most)
		})
	}
}

// tree returns the merged tree of lanes as treeMaker.tree does.
func (p *packedTrees) tree(t *Tally, lanes []*laneSums, most int) []report.TreeNode {
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
		n.path = t.Tree.Child(parent, n.zone, true, t.Next)
		t.Tree.Paths[n.path].Idle = p.made.idle(n.zone)
	}
	return p.made.preorder()
}

// walk visits the nodes of lanes, nodes with the same path together.
func (p *packedTrees) walk(lanes []*laneSums) {
	p.readers, p.order = resize.To(p.readers, len(lanes)), resize.To(p.order, len(lanes))
	for i, l := range lanes {
		p.readers[i] = packedReader{data: l.packed.data, rare: l.packed.rare, level: -1}
		p.readers[i].next()
		p.order[i] = int32(i)
	}
	p.made.nodes = p.made.nodes[:0]
	p.below(p.order, 0, -1)
}

// below visits the next nodes of a level in a group of readers, and all nodes below them. live is a heap of the readers
// that have such a node. Readers of the present node are moved behind the heap.
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
// returns the new heap.
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
func (p *packedTrees) enter(parent int32, zone report.ZoneID) int32 {
	n := keptNode{nodeSums: nodeSums{zone: zone, parent: parent}, first: -1, next: -1}
	p.made.nodes = append(p.made.nodes, n)
	return int32(len(p.made.nodes) - 1)
}

// leave ends a node after all nodes below it. If it is not kept, no node below it is, and it is the last node.
func (p *packedTrees) leave(at int32) {
	n, up := &p.made.nodes[at], &keptNode{first: -1}
	if n.hier += n.self; n.parent >= 0 {
		up = &p.made.nodes[n.parent]
	}
	up.hier += n.hier
	alive := n.self != 0 || n.count != 0 || n.errors != 0 || n.open != 0 || n.left > 0 || n.first >= 0 ||
		n.charges != nil && *n.charges != (report.Charges{})
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

// keep reports whether a node is kept: a node with enough time, its ancestors, and the root.
func (p *packedTrees) keep(n *keptNode) bool {
	c := Class(n.hier)
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

// Len, Less, Swap, Push and Pop are for package heap. The readers keep their places in order; only the length of the
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
