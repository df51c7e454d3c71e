package process

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
)

// The lanes of goroutines that one go statement made are a crowd. Package gather names them by it.

// handful is the number of lanes of a crowd that a Dump keeps apart.
const handful = 8

// maker returns a treeMaker for lanes. Several lanes need paths. It reuses the previous maker's buffers: a program with
// a million stacks that is asked for a report every few seconds would make 8 MB of garbage each time.
func (t *tally) maker(paths []history.Path, perSecond float64, zones []gather.ZoneInfo, lanes ...*laneTally,
) *treeMaker {
	m := &t.made
	if cap(m.nodes) > 2*DumpNodes { // all nodes were asked for
		m.nodes = nil
	}
	m.lanes, m.paths, m.zones, m.now, m.ms = lanes, paths, zones, t.applied, 0
	if perSecond > 0 {
		m.ms = 1000 / perSecond
	}
	return m
}

// mergedTree returns the tree of all lanes. Its root is that of the updating lane: its hierarchical time is the run's
// length, and its self time is the time of that lane outside zones. The zones of other lanes beside it may have more.
func (t *tally) mergedTree(m *treeMaker, most int) []TreeNode {
	return m.rooted(m.tree(most), t.outside, t.ticks)
}

// rooted gives the root of a merged tree its times.
func (m *treeMaker) rooted(nodes []TreeNode, self, hier platform.Ticks) []TreeNode {
	if len(nodes) > 0 {
		nodes[0].Self, nodes[0].Hier = float64(self)*m.ms, float64(hier)*m.ms
	}
	return nodes
}

// trees returns the tree of all lanes merged, and a tree of each lane. Times are in ms.
func (t *tally) trees(perSecond float64, zones []gather.ZoneInfo, o DumpOptions,
) (merged []TreeNode, lanes []LaneTree) {
	list := t.all()
	m := t.maker(t.tree.Paths, perSecond, zones, list...)
	if len(list) > 0 {
		merged = t.mergedTree(m, o.MostOf())
	}
	if !o.NoLanes {
		lanes = laneTrees(o, list, func(lanes []*laneTally, most int) []TreeNode {
			m.lanes, m.paths = lanes, nil
			if len(lanes) > 1 {
				m.paths = t.tree.Paths
			}
			return m.tree(most)
		})
	}
	return merged, lanes
}

// laneTrees returns a tree of each lane, and one of each crowd. Function tree makes one.
func laneTrees(o DumpOptions, list []*laneTally, tree func(lanes []*laneTally, most int) []TreeNode,
) (lanes []LaneTree) {
	groups := crowdsOf(list, o.AllLanes)
	most := shares(groups, o.MostOf())
	for i, g := range groups {
		if nodes := tree(g.lanes, most[i]); len(nodes) > 0 {
			lanes = append(lanes, LaneTree{ID: g.lanes[0].id, Name: g.name, CPU: g.cpu(), Nodes: nodes})
		}
	}
	return lanes
}

// shares shares a number of nodes among groups. What small ones do not need is left to the others.
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

// crowd is the lanes that a Dump shows as one: those of a go statement, or a single lane.
type crowd struct {
	name  string
	lanes []*laneTally
}

// nodes returns a number that the crowd's tree does not exceed.
func (c *crowd) nodes() (n int) {
	for _, l := range c.lanes {
		if n += len(l.nodes); l.packed != nil {
			n += l.packed.size
		}
	}
	return n
}

// cpu returns the processor time of the crowd's lanes, as far as it is known.
func (c *crowd) cpu() (all time.Duration) {
	for _, l := range c.lanes {
		all += l.cpu
	}
	return all
}

// crowdsOf finds the crowds among lanes: those larger than a handful. A crowd is in the place of its first lane.
func crowdsOf(list []*laneTally, apart bool) []crowd {
	size, place := make(map[string]int), make(map[string]int)
	for _, l := range list {
		size[Crowd(l.name)]++
	}
	groups := make([]crowd, 0, min(len(list), 1024))
	for _, l := range list {
		name := Crowd(l.name)
		if apart || name == "" || size[name] <= handful {
			groups = append(groups, crowd{l.name, []*laneTally{l}})
			continue
		}
		at, known := place[name]
		if !known {
			at = len(groups)
			place[name] = at
			groups = append(groups, crowd{name: name + " (" + strconv.Itoa(size[name]) + " goroutines)"})
		}
		groups[at].lanes = append(groups[at].lanes, l)
	}
	return groups
}

// totals returns the measurements since start or Reset, the unfinished frame included.
func (t *tally) totals(unfinished *gather.Frame, o DumpOptions) (d dumpTotals) {
	t.with(unfinished, func() {
		d.TicksPerSecond, d.Zones = unfinished.TicksPerSecond, unfinished.Zones
		d.Merged, d.Lanes = t.trees(d.TicksPerSecond, d.Zones, o)
		z := zoneSums{now: t.applied}
		for _, l := range t.all() {
			z.lane(t.tree, l)
		}
		d.Recursion = z.depths()
		d.Totals = z.totals(t.outside, t.ticks, d.TicksPerSecond, d.Zones)
		d.LaneCount, d.CPU = len(t.all()), t.cpu
		d.time(t.cost, float64(t.ticks))
	})
	return d
}

// time sets the times of the run. cost is in ms.
func (d *dumpTotals) time(cost, ticks float64) {
	d.Overhead = time.Duration(max(cost, 0) * 1e6)
	if d.TicksPerSecond > 0 {
		d.RunTime = time.Duration(ticks / d.TicksPerSecond * 1e9)
	}
}

// dumpTotals are the measurements since start or Reset, the unfinished frame included.
type dumpTotals struct {
	RunTime        time.Duration // pauses left out
	CPU            time.Duration // the same; 0: not known
	Overhead       time.Duration
	TicksPerSecond float64
	Clock          gather.Clock
	Frames         uint64
	Budget         time.Duration
	Warnings       []string
	Zones          []gather.ZoneInfo
	Merged         []TreeNode
	Totals         []ZoneTotal
	Recursion      []ZoneDepths
	Lanes          []LaneTree
	LaneCount      int
}
