package totals

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// ClassBits is the number of binary digits after the first that distinguish classes.
const ClassBits = 6

// Class returns the class of the absolute value of a time. Times of a class differ by at most 1.6 %. The least number,
// which has no absolute value, counts as the next one.
func Class(t platform.Ticks) int {
	t = max(t, -math.MaxInt64)
	v := uint64(max(t, -t))
	digits := bits.Len64(v)
	if digits <= ClassBits {
		return int(v)
	}
	return digits<<ClassBits&^(1<<ClassBits-1) | int(v>>(digits-1-ClassBits))&(1<<ClassBits-1)
}

// treeMaker makes trees in preorder from the sums of lanes. It walks all lanes of a tree in parallel. If not all nodes
// are kept, it walks twice: the first walk finds the least time of a kept node, and the second keeps the nodes. So it
// needs memory only for the kept nodes, one stack, and the links of all nodes.
type treeMaker struct {
	t       *Tally
	zones   []gather.ZoneInfo
	ms      float64 // in a tick
	lanes   []linked
	refs    []ref // of the nodes on the stack and of their siblings
	sorting []ref // those that visit sorts
	nodes   []keptNode
	sizes   [64 << ClassBits]int // number of nodes by class of their time
	alive   int

	keeping     bool // this walk keeps nodes
	least, room int  // nodes of lower classes are left out; room is the number of nodes of class least to keep
}

// linked is a lane whose nodes list their children.
type linked struct {
	*laneSums
	first, next []int32 // by node: its last child, and its sibling before; or -1
}

// ref is a node of a lane.
type ref struct {
	zone       report.ZoneID
	lane, node int32
}

// keptNode is a node of the new tree.
type keptNode struct {
	nodeSums
	hier, leftHier platform.Ticks
	left           int64
	first, next    int32 // its children, by index in treeMaker.nodes, or -1
}

func newMaker(t *Tally, f *gather.Frame) *treeMaker {
	m := &treeMaker{t: t, zones: f.Zones}
	if f.TicksPerSecond > 0 {
		m.ms = 1000 / f.TicksPerSecond
	}
	return m
}

// mergedTree returns the tree of all lanes. Its root has the run's length, and the time of the updating lane outside
// zones. Zones of other lanes may have more time than the root.
func (m *treeMaker) mergedTree(lanes []crowd, most int, self, hier platform.Ticks) []report.TreeNode {
	all := crowd{}
	for i := range lanes {
		all.sums = append(all.sums, lanes[i].sums...)
	}
	nodes := m.tree(&all, most)
	if len(nodes) > 0 {
		nodes[0].Self, nodes[0].Hier = float64(self)*m.ms, float64(hier)*m.ms
	}
	return nodes
}

// laneTrees returns a tree of each crowd.
func (m *treeMaker) laneTrees(groups []crowd, most int) (lanes []report.LaneTree) {
	share := shares(groups, most)
	for i := range groups {
		g := &groups[i]
		if nodes := m.tree(g, share[i]); len(nodes) > 0 {
			lanes = append(lanes, report.LaneTree{ID: g.id, Name: g.name, CPU: g.cpu(), Nodes: nodes})
		}
	}
	return lanes
}

// shares divides a number of nodes among groups. Large groups get the nodes that small groups do not need.
func shares(groups []crowd, nodes int) []int {
	most, order := make([]int, len(groups)), make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, k int) bool { return groups[order[i]].nodes() < groups[order[k]].nodes() })
	for done, i := range order {
		most[i] = nodes / (len(order) - done)
		nodes -= min(most[i], groups[i].nodes())
	}
	return most
}

// tree returns the merged tree of lanes in preorder, largest hierarchical time first. Nodes that were not active are
// left out. If there are more than most nodes, it keeps those with the most time, and their ancestors, and parents have
// the number of nodes left out.
func (m *treeMaker) tree(g *crowd, most int) []report.TreeNode {
	m.link(g)
	nodes := g.nodes()
	m.least = 0
	m.room = nodes
	m.keeping = true
	if nodes > most {
		m.sizes, m.alive, m.keeping = [len(m.sizes)]int{}, 0, false
		m.walk()
		m.least, m.room = leastKept(m.sizes[:], m.alive, max(most, 1))
		m.keeping = true
	}
	m.walk()
	m.findPaths()
	return m.preorder()
}

// link lists the children of the nodes of lanes.
func (m *treeMaker) link(g *crowd) {
	m.lanes = resize.To(m.lanes, len(g.sums))
	for i, l := range g.sums {
		to, n := &m.lanes[i], len(l.nodes)
		to.laneSums, to.first, to.next = l, resize.To(to.first, n)[:n], resize.To(to.next, n)[:n]
		for at := range l.nodes {
			to.first[at], to.next[at] = -1, -1
			if up := l.nodes[at].parent; up >= 0 {
				to.next[at], to.first[up] = to.first[up], int32(at)
			}
		}
	}
}

// leastKept returns the class below which nodes are left out, and the number of kept nodes in that class. sizes has the
// number of nodes of each class, and left their sum.
func leastKept(sizes []int, left, most int) (least, room int) {
	for ; left-sizes[least] > most; least++ {
		left -= sizes[least]
	}
	return least, most - (left - sizes[least])
}

// walk visits the nodes of all lanes, nodes with the same path together.
func (m *treeMaker) walk() {
	m.refs, m.nodes = m.refs[:0], m.nodes[:0]
	for i := range m.lanes {
		if l := &m.lanes[i]; len(l.nodes) > 0 {
			m.refs = append(m.refs, ref{l.nodes[0].zone, int32(i), 0})
		}
	}
	m.visit(m.refs, -1)
}

// byZone sorts nodes of the same parent.
type byZone treeMaker

func (m *byZone) Len() int           { return len(m.sorting) }
func (m *byZone) Less(i, k int) bool { return m.sorting[i].zone < m.sorting[k].zone }
func (m *byZone) Swap(i, k int)      { m.sorting[i], m.sorting[k] = m.sorting[k], m.sorting[i] }

// visit visits nodes with the same parent, and the nodes below them. Children of one zone are merged, also in a lane: a
// zone may have two nodes "(other)" below it, one for names and one for nodes beyond the limits.
func (m *treeMaker) visit(nodes []ref, parent int32) {
	m.sorting = nodes
	sort.Sort((*byZone)(m))
	for n := 0; len(nodes) > 0; nodes = nodes[n:] {
		for n = 1; n < len(nodes) && nodes[n].zone == nodes[0].zone; {
			n++
		}
		at, below := m.enter(nodes[:n], parent), len(m.refs)
		for _, r := range nodes[:n] {
			l := &m.lanes[r.lane]
			for kid := l.first[r.node]; kid >= 0; kid = l.next[kid] {
				m.refs = append(m.refs, ref{l.nodes[kid].zone, r.lane, kid})
			}
		}
		m.visit(m.refs[below:], at)
		m.refs = m.refs[:below]
		m.leave(at)
	}
}

// enter begins a node, the sum of nodes with one path.
func (m *treeMaker) enter(nodes []ref, parent int32) int32 {
	n := keptNode{nodeSums: nodeSums{path: -1, zone: nodes[0].zone, parent: parent}, first: -1, next: -1}
	for _, r := range nodes {
		from := &m.lanes[r.lane].nodes[r.node]
		n.add(from)
		n.path = max(n.path, from.path)
	}
	m.nodes = append(m.nodes, n)
	return int32(len(m.nodes) - 1)
}

// leave ends a node after all nodes below it. If it is not kept, no node below it is, and it is the last node.
func (m *treeMaker) leave(at int32) {
	n, up := &m.nodes[at], &keptNode{first: -1}
	if n.hier += n.self; n.parent >= 0 {
		up = &m.nodes[n.parent]
	}
	up.hier += n.hier
	switch {
	case n.left == 0 && n.first < 0 && !n.active():
		m.nodes = m.nodes[:at]
	case m.keep(n):
		n.next, up.first = up.first, at
	default:
		up.left += n.left + 1
		up.leftHier += n.hier
		m.nodes = m.nodes[:at]
	}
}

// keep reports whether a node is kept: a node with enough time, its ancestors, and the root.
func (m *treeMaker) keep(n *keptNode) bool {
	c := Class(n.hier)
	if !m.keeping {
		m.sizes[c]++
		m.alive++
		return false
	}
	if c == m.least && m.room > 0 {
		m.room--
		return true
	}
	return c > m.least || n.first >= 0 || n.parent < 0
}

// findPaths finds the paths of nodes that no lane of the tally has.
func (m *treeMaker) findPaths() {
	for i := range m.nodes {
		n, parent := &m.nodes[i], int32(-1)
		if n.path >= 0 {
			continue
		}
		if n.parent >= 0 {
			parent = m.nodes[n.parent].path
		}
		n.path = m.t.Tree.Child(parent, n.zone, true, m.t.Next)
		m.t.Tree.SetIdle(n.path, m.zones)
	}
}

// preorder lists the nodes. It has a stack of its own, because lanes may be 16,384 zones deep.
func (m *treeMaker) preorder() []report.TreeNode {
	type item struct{ node, parent, level int32 }
	var stack []item
	if len(m.nodes) > 0 {
		stack = append(stack, item{0, -1, 0})
	}
	out := make([]report.TreeNode, 0, len(m.nodes))
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
			if idle := m.idle(x.zone); idle != m.idle(y.zone) { // idle nodes come last
				if idle {
					return -1
				}
				return 1
			}
			return cmp.Or(cmp.Compare(x.hier, y.hier), cmp.Compare(y.zone, x.zone), cmp.Compare(b, a))
		})
		for _, kid := range kids { // the smallest first, because the stack reverses the order
			stack = append(stack, item{kid, at, it.level + 1})
		}
	}
	return out
}

func (m *treeMaker) idle(zone report.ZoneID) bool {
	return zone >= 0 && int(zone) < len(m.zones) && m.zones[zone].Idle
}

func (m *treeMaker) treeNode(i, parent, level int32) report.TreeNode {
	n := &m.nodes[i]
	out := report.TreeNode{Zone: n.zone, Path: n.path, Parent: parent, Level: level, Count: float64(n.count),
		Self: float64(n.self) * m.ms, Hier: float64(n.hier) * m.ms, Idle: m.idle(n.zone), Open: n.open,
		Left: int(n.left), LeftHier: float64(n.leftHier) * m.ms}
	if x := n.rare; x != nil {
		out.Errors, out.Estimated, out.Charges = x.Errors, x.Estimated, report.ChargesOf(x)
		out.StandardError = math.Sqrt(x.Variance) * m.ms
	}
	return out
}
