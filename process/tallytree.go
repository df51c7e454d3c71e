package process

import (
	"cmp"
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// treeMaker turns a lane's sums into a tree in preorder.
type treeMaker struct {
	nodes []tallyNode
	hier  []platform.Ticks
	alive []bool    // has something to tell, or something below it has
	kids  [][]int32 // of each node, largest hierarchical time first
	ms    float64   // in a tick
	now   uint64    // tallyNode.open of what is open
	zones []gather.ZoneInfo
	out   []TreeNode
}

// tree returns the lane's nodes, largest hierarchical time first, without those that did nothing.
func (l *laneTally) tree(now uint64, perSecond float64, zones []gather.ZoneInfo) []TreeNode {
	m := treeMaker{nodes: l.nodes, hier: make([]platform.Ticks, len(l.nodes)), alive: make([]bool, len(l.nodes)),
		kids: make([][]int32, len(l.nodes)), zones: zones, now: now}
	if perSecond > 0 {
		m.ms = 1000 / perSecond
	}
	m.sumUp()
	for i := range m.nodes {
		if m.nodes[i].parent < 0 && m.alive[i] {
			m.put(int32(i), -1, 0)
		}
	}
	return m.out
}

// sumUp finds hierarchical times and children: a parent has a lower index than its children.
func (m *treeMaker) sumUp() {
	for i := len(m.nodes) - 1; i >= 0; i-- {
		n := &m.nodes[i]
		m.hier[i] += n.self
		m.alive[i] = m.alive[i] || n.self != 0 || n.count != 0 || n.errors != 0 || n.open == m.now
		if n.parent >= 0 {
			m.hier[n.parent] += m.hier[i]
			m.alive[n.parent] = m.alive[n.parent] || m.alive[i]
		}
	}
	for i := range m.nodes {
		if parent := m.nodes[i].parent; parent >= 0 && m.alive[i] {
			m.kids[parent] = append(m.kids[parent], int32(i))
		}
	}
}

// put appends a node and what is below it. It uses a stack of its own: lanes may be 16,384 zones deep.
func (m *treeMaker) put(root, parent, level int32) {
	type item struct{ node, parent, level int32 }
	stack := []item{{root, parent, level}}
	for len(stack) > 0 {
		it := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		at := int32(len(m.out))
		m.out = append(m.out, m.treeNode(it.node, it.parent, it.level))
		kids := m.kids[it.node]
		slices.SortStableFunc(kids, func(a, b int32) int {
			return cmp.Or(cmp.Compare(m.hier[b], m.hier[a]), cmp.Compare(m.nodes[a].zone, m.nodes[b].zone))
		})
		for _, kid := range slices.Backward(kids) {
			stack = append(stack, item{kid, at, it.level + 1})
		}
	}
}

func (m *treeMaker) treeNode(i, parent, level int32) TreeNode {
	n := &m.nodes[i]
	idle := n.zone >= 0 && int(n.zone) < len(m.zones) && m.zones[n.zone].Idle
	out := TreeNode{Zone: n.zone, Path: n.path, Parent: parent, Level: level, Count: float64(n.count), Errors: n.errors,
		Self: float64(n.self) * m.ms, Hier: float64(m.hier[i]) * m.ms, Idle: idle, Open: n.open == m.now,
		Estimated: n.estimated, StandardError: math.Sqrt(n.variance) * m.ms}
	if n.charges != nil {
		out.Charges = *n.charges
	}
	return out
}
