package process

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// packed holds the nodes of a lane in preorder, children by zone, in some five bytes each. A program that never calls
// Update may have a million of them.
type packed struct {
	data []byte
	size int         // nodes
	rare []tallyNode // the rare numbers of the nodes that have any, in the same order
}

// The bits at the end of a node's first number in packed.data. The bits above are the levels that end before the node.
const (
	packedOpen = 1 << iota
	packedRare
	packedOnce // entered once: the count is left out
	packedBits = iota
)

// packedUsual is how many bytes nodes usually take.
const packedUsual = 6

// packer packs lanes, one after another.
type packer struct {
	nodes       []gather.Node
	first, next []int32 // by node: its children; -1 for none
	rare        map[int32]*tallyNode
	stack       []packerItem
	kids        []int32
	level       int32 // of the node packed last
	zone        ZoneID
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
	p.first, p.next = resized(p.first, len(p.nodes)), resized(p.next, len(p.nodes))
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

// sortKids fills kids with the children of a node, by zone. Those of the same zone become one, as in a tree of paths.
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
func (p *packer) rareOf(node int32) *tallyNode {
	if p.rare == nil {
		p.rare = make(map[int32]*tallyNode)
	}
	if p.rare[node] == nil {
		p.rare[node] = new(tallyNode)
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
	p.data = binary.AppendVarint(p.data, int64(n.Zone-p.zone)) // most come after a sibling
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
	rare  []tallyNode
	node  tallyNode // zone and sums; its open is 0 or 1
	level int32     // of node; -1 at the end
}

// next reads the next node.
func (r *packedReader) next() {
	if len(r.data) == 0 {
		r.level = -1
		return
	}
	head := r.number()
	r.level += 1 - int32(head>>packedBits)
	r.node = tallyNode{zone: r.node.zone + ZoneID(r.signed()), count: 1}
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
