package tables

import (
	"errors"
	"fmt"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Regrouper makes frames whose stacks are the rows of a choice, for writers of stacks: below the root is a zone for
// each key, or with the key path the stacks with zones that the choice finds.
type Regrouper struct {
	r     *reading
	zones []gather.ZoneInfo
	known map[rowKey]gather.ZoneID
	frame gather.Frame
	keep  []int32 // of a lane, by node: above 0 if it stays, then its place
}

// rowKey is the key of a row, which is apart for idle time.
type rowKey struct {
	key
	idle bool
}

// NewRegrouper returns a Regrouper, or nil for a choice of all stacks as they are.
func NewRegrouper(c *Choice) (*Regrouper, error) {
	r, err := newReading(c)
	if err != nil {
		return nil, err
	}
	switch _, over := report.FilterWords(r.filter.Filter); {
	case over >= 0:
		return nil, errors.New("-zone: an export has no rows to compare with a time; iprof top has")
	case r.by == "path" && r.all && !c.IDs.zoned:
		return nil, nil
	}
	g := &Regrouper{r: r}
	g.forget()
	return g, nil
}

func (g *Regrouper) forget() {
	g.r.forget()
	g.zones, g.known = nil, map[rowKey]gather.ZoneID{}
}

// Frame returns a frame with these stacks. It is valid until the next call.
func (g *Regrouper) Frame(f *gather.Frame) *gather.Frame {
	r := g.r
	if f.Origin.Program != r.program {
		r.program = f.Origin.Program
		g.forget()
	}
	r.frame, r.perMS = f, f.TicksPerSecond/1000
	if r.know(f.Zones); g.zones == nil {
		g.zones = append(g.zones, f.Zones[0])
	}
	lanes := g.frame.Lanes[:0]
	g.frame = *f
	for i := range f.Lanes {
		l := f.Lanes[i]
		if of := r.lane(l.ID, l.Name); !of.taken || len(l.Nodes) == 0 {
			continue
		} else if r.measure(&l); r.by == "path" {
			g.filter(&l, of)
		} else {
			g.group(&l, of)
		}
		lanes = append(lanes, l)
	}
	g.frame.Lanes, g.frame.SlowCalls = lanes, nil
	if r.by != "path" {
		g.frame.Zones = g.zones
	}
	return &g.frame
}

// fact returns a node as a fact.
func (g *Regrouper) fact(l *gather.LaneFrame, of *lane, node int) *fact {
	return &fact{zone: l.Nodes[node].Zone, route: g.r.routes[node], path: g.r.onPath[node], lane: of,
		frame: g.r.frame.Index}
}

// filter leaves the nodes whose zones the choice finds, and those above them without their own time.
func (g *Regrouper) filter(l *gather.LaneFrame, of *lane) {
	g.keep = append(g.keep[:0], make([]int32, len(l.Nodes))...)
	for i := len(l.Nodes) - 1; i > 0; i-- {
		if g.keep[i] > 0 || g.r.takes(g.fact(l, of, i)) {
			g.keep[i], g.keep[l.Nodes[i].Parent] = 1, 1
		}
	}
	var nodes []gather.Node
	var extras []gather.NodeExtra
	for i, n := range l.Nodes {
		if i > 0 && g.keep[i] == 0 {
			continue
		}
		if n.Parent >= 0 {
			n.Parent = g.keep[n.Parent]
		}
		g.keep[i] = int32(len(nodes))
		if i == 0 || !g.r.takes(g.fact(l, of, i)) {
			n.Self, n.Count = 0, 0
		} else if x := l.Extra(i); x != (gather.NodeExtra{Node: int32(i)}) {
			x.Node = g.keep[i]
			extras = append(extras, x)
		}
		nodes = append(nodes, n)
	}
	l.Nodes, l.Extras = nodes, extras
}

// group sums the nodes that the choice finds by their keys.
func (g *Regrouper) group(l *gather.LaneFrame, of *lane) {
	nodes := []gather.Node{{Parent: -1, Zone: l.Nodes[0].Zone}}
	var extras []gather.NodeExtra
	places := map[gather.ZoneID]int32{}
	for i := 1; i < len(l.Nodes); i++ {
		n, t := &l.Nodes[i], g.fact(l, of, i)
		zone := gather.ZoneID(-1)
		if t.zone > 0 && g.r.takes(t) {
			zone = g.zoneOf(t)
		}
		if zone < 0 {
			continue
		}
		at, known := places[zone]
		if !known {
			at = int32(len(nodes))
			places[zone] = at
			nodes = append(nodes, gather.Node{ID: gather.NodeID(zone), Zone: zone})
			extras = append(extras, gather.NodeExtra{Node: at})
		}
		to, more := &nodes[at], &extras[at-1]
		x := l.Extra(i)
		more.Add(&x)
		calls := uint64(to.Count) + uint64(n.Count)
		to.Self, to.Count = to.Self+n.Self, uint32(calls)
		more.More += uint32(calls >> 32)
		to.Estimated = max(to.Estimated, n.Estimated)
	}
	l.Nodes, l.Extras = nodes, extras
}

// zoneOf returns the zone that stands for the key of a fact, or -1 if it has none.
func (g *Regrouper) zoneOf(t *fact) gather.ZoneID {
	k, has := g.r.keyOf(t)
	if !has {
		return -1
	}
	z := g.r.zones[t.zone]
	id := rowKey{k, z.Idle}
	if zone, known := g.known[id]; known {
		return zone
	}
	switch g.r.by {
	case "route":
		z = gather.ZoneInfo{Name: g.r.zones[t.route].Name, Idle: z.Idle}
	case "package":
		z = gather.ZoneInfo{Name: t.name, Idle: z.Idle}
	case "lane":
		z = gather.ZoneInfo{Name: t.lane.name, Idle: z.Idle}
	case "frame":
		z = gather.ZoneInfo{Name: fmt.Sprint("frame ", t.frame), Idle: z.Idle}
	case "line":
		z.Name = z.Site() + " " + z.Name
	}
	if len(g.zones) >= mostRows {
		return -1
	}
	zone := gather.ZoneID(len(g.zones))
	g.zones, g.known[id] = append(g.zones, z), zone
	return zone
}
