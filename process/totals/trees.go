package totals

import (
	"cmp"
	"iter"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// choose chooses the nodes to keep: the nodes with the most time, and their ancestors. It sorts by classes of time that
// differ by at most 1.6 %, which takes no memory. In the last class it keeps the older nodes.
func (m *treeMaker) choose(most int) {
	m.kept = m.alive
	left := m.alive.count()
	most = max(most, 1) // the root
	if left <= most {
		return
	}
	var sizes [64 << ClassBits]int
	for at := range m.alive.all() {
		sizes[Class(m.hier[at])]++
	}
	least, room := leastKept(sizes[:], left, most)
	m.kept = m.chosen.cleared(len(m.alive))
	m.chosen = m.kept
	for at := range m.alive.all() {
		c := Class(m.hier[at])
		if c < least || c == least && room == 0 {
			continue
		}
		if c == least {
			room--
		}
		for ; at >= 0 && !m.kept.has(at); at = m.parent(at) {
			m.kept.set(at)
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

// ClassBits is the number of binary digits after the first that distinguish classes.
const ClassBits = 6

// Class returns the class of the absolute value of a time. The least number, which has no absolute value, counts as the
// next one.
func Class(t platform.Ticks) int {
	t = max(t, -math.MaxInt64)
	v := uint64(max(t, -t))
	digits := bits.Len64(v)
	if digits <= ClassBits {
		return int(v)
	}
	return digits<<ClassBits&^(1<<ClassBits-1) | int(v>>(digits-1-ClassBits))&(1<<ClassBits-1)
}

// bitset is a set of slots.
type bitset []uint64

func (b bitset) has(i int32) bool { return b[i/64]&(1<<(i%64)) != 0 }

func (b bitset) set(i int32) { b[i/64] |= 1 << (i % 64) }

// cleared returns an empty set of words words, in the memory of b if it is large enough.
func (b bitset) cleared(words int) bitset {
	b = resize.To(b, words)
	clear(b)
	return b
}

func (b bitset) count() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// all iterates over the slots in ascending order.
func (b bitset) all() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for i, w := range b {
			for ; w != 0; w &= w - 1 {
				if !yield(int32(i*64 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// rankTable has, for each word of a bitset, the number of slots before it.
type rankTable []int32

func (b bitset) appendRanks(dst rankTable) rankTable {
	n := int32(0)
	for _, w := range b {
		dst = append(dst, n)
		n += int32(bits.OnesCount64(w))
	}
	return dst
}

// of returns the number of slots of b before i.
func (r rankTable) of(b bitset, i int32) int32 {
	return r[i/64] + int32(bits.OnesCount64(b[i/64]&(1<<(i%64)-1)))
}

// treeMaker makes a tree in preorder from the sums of lanes. Before it has chosen the nodes to keep, it takes about
// nine bytes a slot, because a program may have a million. A slot is a path, or with a single lane a node. A parent has
// a lower slot than its children.
type treeMaker struct {
	lanes  []*laneSums
	paths  []history.Path   // nil: slots are nodes of the single lane
	hier   []platform.Ticks // by slot; for a slot that is not kept, later the number of its nodes
	alive  bitset           // the slot or one below it has time, entries or errors, or is open
	kept   bitset
	chosen bitset // memory of kept, unless kept is alive
	rank   rankTable
	nodes  []keptNode
	ms     float64 // in a tick
	now    uint64  // nodeSums.open of open nodes
	zones  []gather.ZoneInfo
}

// keptNode is a node of the new tree.
type keptNode struct {
	nodeSums
	hier, leftHier platform.Ticks
	left           int64
	first, next    int32 // its children, by index in treeMaker.nodes, or -1
}

// tree returns the nodes in preorder, largest hierarchical time first. Nodes that were not active are left out. If
// there are more than most nodes, the rest is left out, too, and parents have the number of nodes left out.
func (m *treeMaker) tree(most int) []report.TreeNode {
	m.hier, m.alive = resize.To(m.hier, m.size()), resize.To(m.alive, m.size()/64+1)
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

func (m *treeMaker) slot(n *nodeSums, i int) int32 {
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
				n.charges != nil && *n.charges != (report.Charges{}) {
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

// fill sums the kept nodes.
func (m *treeMaker) fill() {
	m.rank = m.kept.appendRanks(m.rank[:0])
	m.nodes = slices.Grow(m.nodes[:0], m.kept.count())
	for at := range m.kept.all() {
		k := keptNode{nodeSums: nodeSums{parent: -1}, hier: m.hier[at], first: -1, next: -1}
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
func (m *treeMaker) preorder() []report.TreeNode {
	type item struct{ node, parent, level int32 }
	var stack []item
	for i := range m.nodes {
		if m.nodes[i].parent < 0 {
			stack = append(stack, item{int32(i), -1, 0})
		}
	}
	slices.Reverse(stack)
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
		Errors: n.errors,
		Self:   float64(n.self) * m.ms, Hier: float64(n.hier) * m.ms, Idle: m.idle(n.zone), Open: n.open == m.now,
		Estimated: n.estimated, StandardError: math.Sqrt(n.variance) * m.ms,
		Left: int(n.left), LeftHier: float64(n.leftHier) * m.ms}
	if n.charges != nil {
		out.Charges = *n.charges
	}
	return out
}

// A crowd is the lanes of the goroutines that one go statement made. Package gather names these lanes by the statement.

// handful is the greatest number of lanes of a crowd that a Dump keeps separate.
const handful = 8

// maker returns a treeMaker for lanes. Several lanes need paths. It reuses the previous maker's buffers, because a
// program with a million stacks would otherwise make 8 MB of garbage for each report.
func (t *Tally) maker(paths []history.Path, perSecond float64, zones []gather.ZoneInfo, lanes ...*laneSums,
) *treeMaker {
	m := &t.made
	if cap(m.nodes) > 2*report.DumpNodes { // all nodes were requested
		m.nodes = nil
	}
	m.lanes, m.paths, m.zones, m.now, m.ms = lanes, paths, zones, t.applied, 0
	if perSecond > 0 {
		m.ms = 1000 / perSecond
	}
	return m
}

// mergedTree returns the tree of all lanes. Its root is the updating lane's root: its hierarchical time is the run's
// length, and its self time is the time of that lane outside zones. Zones of other lanes may have more time than the
// root.
func (t *Tally) mergedTree(m *treeMaker, most int) []report.TreeNode {
	return m.rooted(m.tree(most), t.outside, t.ticks)
}

// rooted gives the root of a merged tree its times.
func (m *treeMaker) rooted(nodes []report.TreeNode, self, hier platform.Ticks) []report.TreeNode {
	if len(nodes) > 0 {
		nodes[0].Self, nodes[0].Hier = float64(self)*m.ms, float64(hier)*m.ms
	}
	return nodes
}

// trees returns the tree of all lanes merged, and a tree of each lane. Times are in ms.
func (t *Tally) trees(perSecond float64, zones []gather.ZoneInfo, o report.DumpOptions,
) (merged []report.TreeNode, lanes []report.LaneTree) {
	list := t.all()
	m := t.maker(t.Tree.Paths, perSecond, zones, list...)
	if len(list) > 0 {
		merged = t.mergedTree(m, o.NodeLimit())
	}
	if !o.NoLanes {
		lanes = laneTrees(o, list, func(lanes []*laneSums, most int) []report.TreeNode {
			m.lanes, m.paths = lanes, nil
			if len(lanes) > 1 {
				m.paths = t.Tree.Paths
			}
			return m.tree(most)
		})
	}
	return merged, lanes
}

// laneTrees returns a tree of each lane, and one of each crowd. The function tree makes a tree.
func laneTrees(o report.DumpOptions, list []*laneSums, tree func(lanes []*laneSums, most int) []report.TreeNode,
) (lanes []report.LaneTree) {
	groups := crowdsOf(list, o.AllLanes)
	most := shares(groups, o.NodeLimit())
	for i, g := range groups {
		if nodes := tree(g.lanes, most[i]); len(nodes) > 0 {
			lanes = append(lanes, report.LaneTree{ID: g.lanes[0].id, Name: g.name, CPU: g.cpu(), Nodes: nodes})
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
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(groups[a].nodes(), groups[b].nodes()) })
	for done, i := range order {
		most[i] = nodes / (len(order) - done)
		nodes -= min(most[i], groups[i].nodes())
	}
	return most
}

// crowd has the lanes that a Dump shows as one: the lanes of a go statement, or a single lane.
type crowd struct {
	name  string
	lanes []*laneSums
}

// nodes returns an upper bound of the number of nodes of the crowd's tree.
func (c *crowd) nodes() (n int) {
	for _, l := range c.lanes {
		if n += len(l.nodes); l.packed != nil {
			n += l.packed.size
		}
	}
	return n
}

// cpu returns the known processor time of the crowd's lanes.
func (c *crowd) cpu() (all time.Duration) {
	for _, l := range c.lanes {
		all = plus(all, l.cpu)
	}
	return all
}

// crowdsOf finds the crowds with more than handful lanes. A crowd has the place of its first lane.
func crowdsOf(list []*laneSums, apart bool) []crowd {
	size, place, more := make(map[string]int), make(map[string]int), make(map[string]string)
	for _, l := range list {
		name := report.Crowd(l.name)
		if size[name]++; report.Merged(l.name) {
			more[name] = "+"
		}
	}
	groups := make([]crowd, 0, min(len(list), 1024))
	for _, l := range list {
		name := report.Crowd(l.name)
		if apart || name == "" || size[name] <= handful {
			groups = append(groups, crowd{l.name, []*laneSums{l}})
			continue
		}
		at, known := place[name]
		if !known {
			at = len(groups)
			place[name] = at
			groups = append(groups, crowd{name: name + " (" + strconv.Itoa(size[name]) + more[name] + " goroutines)"})
		}
		groups[at].lanes = append(groups[at].lanes, l)
	}
	return groups
}

// Sums returns the measurements since start or Reset, the unfinished frame included.
func (t *Tally) Sums(unfinished *gather.Frame, o report.DumpOptions) (d Sums) {
	t.with(unfinished, func() {
		d.TicksPerSecond, d.Zones = unfinished.TicksPerSecond, unfinished.Zones
		d.Merged, d.Lanes = t.trees(d.TicksPerSecond, d.Zones, o)
		z := zoneSums{now: t.applied}
		for _, l := range t.all() {
			z.lane(t.Tree, l)
		}
		d.Recursion = z.depths()
		d.Totals = z.totals(t.outside, t.ticks, d.TicksPerSecond, d.Zones)
		d.LaneCount, d.Severals, d.CPU = len(t.all()), severals(t.all()), t.cpu
		d.time(t.cost, float64(t.ticks))
	})
	return d
}

// severals reports whether some lane stands for several goroutines.
func severals(list []*laneSums) bool {
	for _, l := range list {
		if report.Merged(l.name) {
			return true
		}
	}
	return false
}

// time sets the times of the run. cost is in ms.
func (d *Sums) time(cost, ticks float64) {
	d.Overhead = report.DurationOf(max(cost, 0) / 1000)
	if d.TicksPerSecond > 0 {
		d.RunTime = report.DurationOf(ticks / d.TicksPerSecond)
	}
}

// Sums are the measurements since start or Reset, the unfinished frame included.
type Sums struct {
	RunTime        time.Duration // without pauses
	CPU            time.Duration // the same; 0: not known
	Overhead       time.Duration
	TicksPerSecond float64
	Clock          gather.Clock
	Frames         uint64
	Budget         time.Duration
	Warnings       []string
	Zones          []gather.ZoneInfo
	Merged         []report.TreeNode
	Totals         []report.ZoneTotal
	Recursion      []report.ZoneDepths
	Lanes          []report.LaneTree
	LaneCount      int
	Severals       bool // see report.Dump
}
