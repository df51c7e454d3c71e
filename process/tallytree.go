package process

import (
	"cmp"
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
)

// treeMaker makes a tree in preorder from the sums of lanes. Before it has chosen the nodes to keep, it takes some nine
// bytes a slot: a program may have a million. A slot is a path, or a node where there is one lane only. A parent has a
// lower slot than its children.
type treeMaker struct {
	lanes  []*laneTally
	paths  []history.Path   // nil: slots are nodes of the one lane
	hier   []platform.Ticks // by slot; of a slot that is not kept, later the number of its nodes
	alive  bitset           // the slot or one below it has time, entries or errors, or is open
	kept   bitset
	chosen bitset // the memory of kept, where that is not alive
	rank   rankTable
	nodes  []keptNode
	ms     float64 // in a tick
	now    uint64  // tallyNode.open of open nodes
	zones  []gather.ZoneInfo
}

// keptNode is a node of the tree to be.
type keptNode struct {
	tallyNode
	hier, leftHier platform.Ticks
	left           int64
	first, next    int32 // its children, by index in treeMaker.nodes; -1 for none
}

// tree returns the nodes in preorder, largest hierarchical time first. Nodes that did nothing are left out. Of more
// than most, the others are left out as well, and their parents have their number.
func (m *treeMaker) tree(most int) []TreeNode {
	m.hier, m.alive = resized(m.hier, m.size()), resized(m.alive, m.size()/64+1)
	clear(m.hier)
	clear(m.alive)
	m.sumUp()
	m.choose(most)
	m.fill()
	m.countLeft()
	return m.preorder()
}

func (m *treeMaker) size() int {
	if m.paths != nil {
		return len(m.paths)
	}
	return len(m.lanes[0].nodes)
}

func (m *treeMaker) slot(n *tallyNode, i int) int32 {
	if m.paths != nil {
		return n.path
	}
	return int32(i)
}

func (m *treeMaker) parent(slot int32) int32 {
	if m.paths != nil {
		return m.paths[slot].Parent
	}
	return m.lanes[0].nodes[slot].parent
}

// sumUp computes hierarchical times.
func (m *treeMaker) sumUp() {
	for _, l := range m.lanes {
		for i := range l.nodes {
			n := &l.nodes[i]
			at := m.slot(n, i)
			m.hier[at] += n.self
			if n.self != 0 || n.count != 0 || n.errors != 0 || n.open == m.now ||
				n.charges != nil && *n.charges != (Charges{}) {
				m.alive.set(at)
			}
		}
	}
	for at := int32(m.size()) - 1; at >= 0; at-- {
		if parent := m.parent(at); parent >= 0 {
			m.hier[parent] += m.hier[at]
			if m.alive.has(at) {
				m.alive.set(parent)
			}
		}
	}
}

// fill adds up the kept nodes.
func (m *treeMaker) fill() {
	m.rank = m.kept.appendRanks(m.rank[:0])
	m.nodes = slices.Grow(m.nodes[:0], m.kept.count())
	for at := range m.kept.all() {
		k := keptNode{tallyNode: tallyNode{parent: -1}, hier: m.hier[at], first: -1, next: -1}
		if m.paths != nil {
			k.path, k.zone = at, m.paths[at].Zone
		} else {
			k.path, k.zone = m.lanes[0].nodes[at].path, m.lanes[0].nodes[at].zone
		}
		if parent := m.parent(at); parent >= 0 {
			k.parent = m.place(parent)
			up := &m.nodes[k.parent]
			k.next, up.first = up.first, int32(len(m.nodes))
		}
		m.nodes = append(m.nodes, k)
	}
	for _, l := range m.lanes {
		for i := range l.nodes {
			if at := m.slot(&l.nodes[i], i); m.kept.has(at) {
				m.nodes[m.place(at)].add(&l.nodes[i])
			}
		}
	}
}

// place returns the index of a kept slot in nodes.
func (m *treeMaker) place(slot int32) int32 { return m.rank.of(m.kept, slot) }

// countLeft counts the nodes that are not kept.
func (m *treeMaker) countLeft() {
	for at := range m.alive.all() {
		if !m.kept.has(at) {
			if up := m.parent(at); m.kept.has(up) {
				m.nodes[m.place(up)].leftHier += m.hier[at]
			}
			m.hier[at] = 1
		}
	}
	for at := int32(m.size()) - 1; at >= 0; at-- {
		if !m.alive.has(at) || m.kept.has(at) {
			continue
		}
		if up := m.parent(at); m.kept.has(up) {
			m.nodes[m.place(up)].left += int64(m.hier[at])
		} else {
			m.hier[up] += m.hier[at]
		}
	}
}

// preorder lists the nodes. It has a stack of its own, because lanes may be 16,384 zones deep.
func (m *treeMaker) preorder() []TreeNode {
	type item struct{ node, parent, level int32 }
	var stack []item
	for i := range m.nodes {
		if m.nodes[i].parent < 0 {
			stack = append(stack, item{int32(i), -1, 0})
		}
	}
	slices.Reverse(stack)
	out := make([]TreeNode, 0, len(m.nodes))
	var kids []int32
	for len(stack) > 0 {
		it := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		at := int32(len(out))
		out = append(out, m.treeNode(it.node, it.parent, it.level))
		kids = kids[:0]
		for kid := m.nodes[it.node].first; kid >= 0; kid = m.nodes[kid].next {
			kids = append(kids, kid)
		}
		slices.SortFunc(kids, func(a, b int32) int {
			x, y := &m.nodes[a], &m.nodes[b]
			if idle := m.idle(x.zone); idle != m.idle(y.zone) { // what waits comes last
				if idle {
					return -1
				}
				return 1
			}
			return cmp.Or(cmp.Compare(x.hier, y.hier), cmp.Compare(y.zone, x.zone), cmp.Compare(b, a))
		})
		for _, kid := range kids { // the smallest first: the stack turns them round
			stack = append(stack, item{kid, at, it.level + 1})
		}
	}
	return out
}

func (m *treeMaker) idle(zone ZoneID) bool {
	return zone >= 0 && int(zone) < len(m.zones) && m.zones[zone].Idle
}

func (m *treeMaker) treeNode(i, parent, level int32) TreeNode {
	n := &m.nodes[i]
	out := TreeNode{Zone: n.zone, Path: n.path, Parent: parent, Level: level, Count: float64(n.count), Errors: n.errors,
		Self: float64(n.self) * m.ms, Hier: float64(n.hier) * m.ms, Idle: m.idle(n.zone), Open: n.open == m.now,
		Estimated: n.estimated, StandardError: math.Sqrt(n.variance) * m.ms,
		Left: int(n.left), LeftHier: float64(n.leftHier) * m.ms}
	if n.charges != nil {
		out.Charges = *n.charges
	}
	return out
}
