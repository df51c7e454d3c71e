package process

import (
	"cmp"
	"math"
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// treeMaker makes a tree in preorder from the sums of a lane.
type treeMaker struct {
	nodes []tallyNode
	hier  []platform.Ticks
	alive []bool    // the node or one below it has time, entries or errors, or is open
	kids  [][]int32 // by node, largest hierarchical time first
	ms    float64   // in a tick
	now   uint64    // tallyNode.open of open nodes
	zones []gather.ZoneInfo
	out   []TreeNode
}

// mergedTree returns the tree of all lanes. Its root is that of the updating lane: its hierarchical time is the run's
// length, and its self time is what that lane spent outside zones. The zones of other lanes beside it may have more.
func (t *tally) mergedTree(all *laneTally, perSecond float64, zones []gather.ZoneInfo) []TreeNode {
	if len(all.nodes) > 0 {
		all.nodes[0].self = t.outside
	}
	nodes := all.tree(t.applied, perSecond, zones)
	if len(nodes) > 0 && perSecond > 0 {
		nodes[0].Hier = float64(t.ticks) * 1000 / perSecond
	}
	return nodes
}

// tree returns the nodes of the lane in preorder, largest hierarchical time first. Nodes that did nothing are left out.
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

// sumUp computes hierarchical times and lists children. A parent has a lower index than its children.
func (m *treeMaker) sumUp() {
	for i := len(m.nodes) - 1; i >= 0; i-- {
		n := &m.nodes[i]
		m.hier[i] += n.self
		m.alive[i] = m.alive[i] || n.self != 0 || n.count != 0 || n.errors != 0 || n.open == m.now ||
			n.charges != nil && *n.charges != Charges{}
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

// put appends a node and the nodes below it. It has a stack of its own, because lanes may be 16,384 zones deep.
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

// trees returns the tree of all lanes merged, and a tree of each lane. Times are in ms.
func (t *tally) trees(paths *tree, perSecond float64, zones []gather.ZoneInfo, o DumpOptions,
) (merged []TreeNode, lanes []LaneTree) {
	all, list := new(laneTally), t.all()
	for _, l := range list {
		all.take(paths, l, mostFolded)
	}
	if !o.NoLanes {
		lanes = t.laneTrees(paths, perSecond, zones, o, list)
	}
	return t.mergedTree(all, perSecond, zones), lanes
}

// laneTrees returns a tree of each lane, and one of each crowd.
func (t *tally) laneTrees(paths *tree, perSecond float64, zones []gather.ZoneInfo, o DumpOptions, list []*laneTally,
) (lanes []LaneTree) {
	c := crowdsOf(list)
	shown := make([]*laneTally, 0, len(list))
	for _, l := range list {
		if !o.AllLanes {
			l = c.merge(paths, l)
		}
		if l != nil {
			shown = append(shown, l)
		}
	}
	for _, l := range shown {
		if nodes := l.tree(t.applied, perSecond, zones); len(nodes) > 0 {
			lanes = append(lanes, LaneTree{ID: l.id, Name: l.name, Nodes: nodes})
		}
	}
	return lanes
}

// totals returns the measurements since start or Reset, the unfinished frame included.
func (t *tally) totals(s *Session, unfinished *gather.Frame, o DumpOptions) (d dumpTotals) {
	t.with(s, unfinished, func() {
		d.TicksPerSecond, d.Zones = unfinished.TicksPerSecond, unfinished.Zones
		d.Merged, d.Lanes = t.trees(&s.tree, d.TicksPerSecond, d.Zones, o)
		d.LaneCount = len(t.all())
		d.Overhead = time.Duration(max(t.cost, 0) * 1e6)
		if d.TicksPerSecond > 0 {
			d.RunTime = time.Duration(float64(t.ticks) / d.TicksPerSecond * 1e9)
		}
	})
	return d
}
