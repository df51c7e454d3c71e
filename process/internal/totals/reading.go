package totals

import (
	"slices"
	"strconv"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// Reading reads the sums since the start, for one report. First add the frames that the tally does not have, such as
// the frame in progress. The zero value has no frames. It has memory for each node of these frames.
type Reading struct {
	frameLanes []*laneSums // lanes of the frames
	ticks      platform.Ticks
	outside    platform.Ticks // time of the updating lanes outside zones
	cpu        time.Duration  // of the process
	cost       Cost           // of measuring
}

// AddLane adds a lane of a frame. ended tells whether the frame has ended: then no zone is open.
func (r *Reading) AddLane(f *gather.Frame, l *gather.LaneFrame, ended bool) {
	sums := &laneSums{id: l.ID, name: l.Name, cpu: l.CPU, nodes: make([]nodeSums, len(l.Nodes))}
	for i := range l.Nodes {
		n := &l.Nodes[i]
		sums.nodes[i] = nodeSums{path: -1, parent: n.Parent, zone: n.Zone, depth: uint16(n.Depth),
			open: n.Open && !ended, count: uint64(n.Count), self: n.Self}
	}
	for i := range l.Extras {
		sums.nodes[l.Extras[i].Node].extend(&l.Extras[i])
	}
	r.frameLanes = append(r.frameLanes, sums)
	if r.cost = r.cost.Plus(LaneCost(f, l, EntriesOf(l))); l.Updater && len(l.Nodes) > 0 {
		r.outside += l.Nodes[0].Self
	}
}

// AddFrame adds the times of a frame, whose lanes AddLane adds.
func (r *Reading) AddFrame(f *gather.Frame) {
	r.ticks, r.cpu = plus(r.ticks, f.End-f.Begin), plus(r.cpu, f.CPU)
}

// crowd is the sums that a Dump shows as one lane: those of a lane, or of the lanes of the goroutines that one go
// statement made. Package gather names these lanes by the statement.
type crowd struct {
	id   report.LaneID
	name string
	sums []*laneSums
}

// handful is the greatest number of lanes of a crowd that a Dump keeps separate.
const handful = 8

// lanes returns the lanes of the tally and of the frames, in the order of their first appearance.
func (r *Reading) lanes(t *Tally) (list []crowd) {
	t.collect()
	if t.tooLarge() { // unfinished frames may have left lanes
		t.foldHalf()
	}
	place := make(map[report.LaneID]int, len(t.order))
	for _, l := range t.order {
		place[l.id] = len(list)
		list = append(list, crowd{l.id, l.name, []*laneSums{l}})
	}
	for _, l := range r.frameLanes {
		at, known := place[l.id]
		if !known {
			place[l.id] = len(list)
			list = append(list, crowd{l.id, l.name, []*laneSums{l}})
			continue
		}
		if list[at].sums = append(list[at].sums, l); len(list[at].sums) == 2 && at < len(t.order) {
			list[at].name = l.name
		}
	}
	if l := t.folded; l != nil {
		list = append(list, crowd{l.id, l.name, []*laneSums{l}})
	}
	return list
}

// nodes returns an upper bound of the number of nodes of the crowd's tree.
func (c *crowd) nodes() (n int) {
	for _, l := range c.sums {
		n += len(l.nodes)
	}
	return n
}

// cpu returns the known processor time of the crowd's lanes.
func (c *crowd) cpu() (all time.Duration) {
	for _, l := range c.sums {
		all = plus(all, l.cpu)
	}
	return all
}

// crowdsOf merges the lanes of each go statement with more than handful lanes, unless apart is set. A crowd has the
// place of its first lane.
func crowdsOf(list []crowd, apart bool) []crowd {
	if apart {
		return list
	}
	size, place, more := make(map[string]int), make(map[string]int), make(map[string]string)
	for i := range list {
		name := report.Crowd(list[i].name)
		if size[name]++; report.Merged(list[i].name) {
			more[name] = "+"
		}
	}
	groups := make([]crowd, 0, min(len(list), 1024))
	for _, l := range list {
		name := report.Crowd(l.name)
		if name == "" || size[name] <= handful {
			groups = append(groups, l)
			continue
		}
		at, known := place[name]
		if !known {
			place[name] = len(groups)
			l.name = name + " (" + strconv.Itoa(size[name]) + more[name] + " goroutines)"
			groups = append(groups, l)
			continue
		}
		groups[at].sums = append(groups[at].sums, l.sums...)
	}
	return groups
}

// Sums returns the sums of a tally and of the frames. f has the zones and the clock.
func (r *Reading) Sums(t *Tally, f *gather.Frame, o report.DumpOptions) (d Sums) {
	lanes := r.lanes(t)
	outside, ticks := t.outside+r.outside, plus(t.ticks, r.ticks)
	d.TicksPerSecond, d.Zones, d.CPU = f.TicksPerSecond, f.Zones, plus(t.cpu, r.cpu)
	d.LaneCount = len(lanes)
	d.Severals = slices.ContainsFunc(lanes, func(l crowd) bool { return report.Merged(l.name) })
	if !o.NoTrees {
		m := newMaker(t, f)
		d.Merged = m.mergedTree(lanes, o.NodeLimit(), outside, ticks)
		if !o.NoLanes {
			d.Lanes = m.laneTrees(crowdsOf(lanes, o.AllLanes), o.NodeLimit())
		}
	}
	var z zoneSums
	for i := range lanes {
		for _, l := range lanes[i].sums {
			z.add(l)
		}
	}
	d.Recursion = z.depths()
	d.Totals = z.totals(outside, ticks, d.TicksPerSecond, d.Zones)
	d.overhead(t.cost.Plus(r.cost))
	if d.TicksPerSecond > 0 {
		d.RunTime = report.DurationOf(float64(ticks) / d.TicksPerSecond)
	}
	return d
}

// Sums are the measurements since start or Reset.
type Sums struct {
	RunTime        time.Duration // without pauses
	CPU            time.Duration // the same; 0: not known
	Overhead       time.Duration
	OverheadLow    time.Duration // see report.Dump
	OverheadHigh   time.Duration
	TicksPerSecond float64
	Clock          measure.Clock
	Frames         uint64
	Budget         time.Duration
	Kind           report.Kind
	Warnings       []string
	Zones          []gather.ZoneInfo
	Merged         []report.TreeNode
	Totals         []report.ZoneTotal
	Recursion      []report.ZoneDepths
	Lanes          []report.LaneTree
	LaneCount      int
	Severals       bool // see report.Dump
}
