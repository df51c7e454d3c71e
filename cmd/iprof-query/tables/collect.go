package tables

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// node is a node of a lane, while its calls are added.
type node struct {
	path int32
	hier float64
}

// add adds the rows of a frame.
func (c *collector) add(f *gather.Frame) {
	rate := f.TicksPerSecond
	if !(rate > 0) {
		rate = 1e9
	}
	ms := 1000 / rate
	if len(c.set.frames) == 0 || c.set.captures[c.capture].frames == 0 {
		c.zero = float64(f.Begin) / rate
	}
	frame := int32(len(c.set.frames))
	c.set.frames = append(c.set.frames, frameRow{number: frame, capture: c.capture, at: float64(f.Begin)/rate - c.zero,
		FrameSummary: report.FrameSummary{Index: f.Index}, cpu: f.CPU.Seconds() * 1000, section: f.Section.Name})
	c.learn(f)
	for i := range f.Lanes {
		c.addLane(f, &f.Lanes[i], frame, ms)
	}
	for i := range f.States {
		c.addState(f, &f.States[i], frame, ms)
	}
	for _, v := range f.Values {
		c.set.values = append(c.set.values, valueRow{frame, c.names[v.Counter], v.Value})
	}
	for _, m := range f.Marks {
		lane := int32(-1)
		if m.Lane != 0 {
			lane = c.lane(m.Lane, "")
		}
		c.set.marks = append(c.set.marks, markRow{frame, lane, float64(m.Time-f.Begin) * ms, m.Text})
	}
}

// learn adds the zones and counters that are new.
func (c *collector) learn(f *gather.Frame) {
	for id := len(c.zones); id < len(f.Zones); id++ {
		c.zones = append(c.zones, int32(len(c.set.zones)))
		c.set.zones = append(c.set.zones, zone{number: c.zones[id], capture: c.capture, id: report.ZoneID(id),
			info: f.Zones[id]})
	}
	for id := len(c.names); id < len(f.Counters); id++ {
		c.names = append(c.names, int32(len(c.set.names)))
		c.set.names = append(c.set.names, counter{f.Counters[id].Name, f.Counters[id].Level})
	}
}

// lane returns the index of a lane, and sets its name if it is known.
func (c *collector) lane(id report.LaneID, name string) int32 {
	at, known := c.lanes[id]
	if !known {
		at = int32(len(c.set.lanes))
		c.lanes[id] = at
		c.set.lanes = append(c.set.lanes, laneName{id: id})
	}
	if name != "" {
		c.set.lanes[at].name = name
	}
	return at
}

// addLane adds a lane of a frame, and its calls.
func (c *collector) addLane(f *gather.Frame, l *gather.LaneFrame, frame int32, ms float64) {
	row := laneRow{frame: frame, lane: c.lane(l.ID, l.Name), goroutine: l.Goroutine, updater: l.Updater,
		device: l.Device, length: float64(l.End-l.Begin) * ms, cpu: l.CPU.Seconds() * 1000, untimed: l.Untimed}
	c.nodes = c.nodes[:0]
	for i := range l.Nodes {
		n := &l.Nodes[i]
		parent := int32(-1)
		if n.Parent >= 0 {
			parent = c.nodes[n.Parent].path
		}
		self := float64(n.Self) * ms
		c.nodes = append(c.nodes, node{c.path(parent, c.zones[n.Zone]), self})
		if idle(f, l, n) {
			row.idle += self
		}
	}
	c.set.spans = append(c.set.spans, row)
	if !c.calls {
		return
	}
	for i := len(l.Nodes) - 1; i > 0; i-- {
		c.nodes[l.Nodes[i].Parent].hier += c.nodes[i].hier
	}
	extras := l.Extras
	for i := range l.Nodes {
		var extra gather.NodeExtra
		if len(extras) > 0 && int(extras[0].Node) == i {
			extra, extras = extras[0], extras[1:]
		}
		flags := callFlags(0)
		if idle(f, l, &l.Nodes[i]) {
			flags = callIdle
		}
		c.addCalls(&l.Nodes[i], &extra, c.nodes[i], callRow{frame: frame, lane: row.lane, flags: flags}, ms)
	}
}

// idle reports whether the self time of a node is idle: waits, and time outside zones but on the goroutine that ends
// frames.
func idle(f *gather.Frame, l *gather.LaneFrame, n *gather.Node) bool {
	return f.Zones[n.Zone].Idle || n.Zone == 0 && (!l.Updater || f.EventDriven)
}

// addCalls adds the calls of a node, also to the sums of its path and its zone.
func (c *collector) addCalls(n *gather.Node, extra *gather.NodeExtra, of node, row callRow, ms float64) {
	row.path, row.depth = of.path, n.Depth
	row.count = uint64(n.Count) + uint64(extra.More)<<32
	row.self, row.hier = float64(n.Self)*ms, of.hier
	row.error = rootOf(extra.Variance) * ms
	if n.Open {
		row.flags |= callOpen
	}
	if n.Estimated != 0 {
		row.flags |= callEstimated
	}
	c.set.calls = append(c.set.calls, row)
	p := &c.set.paths[of.path]
	z := &c.set.zones[p.zone]
	p.count += row.count
	p.self += row.self
	p.hier += row.hier
	z.count += row.count
	z.self += row.self
	if n.Depth == 0 {
		z.hier += row.hier
	}
}

// path returns the index of a path.
func (c *collector) path(parent, zone int32) int32 {
	key := [2]int32{parent, zone}
	at, known := c.paths[key]
	if !known {
		at = int32(len(c.set.paths))
		c.paths[key] = at
		level := int32(0)
		if parent >= 0 {
			level = c.set.paths[parent].level + 1
		}
		c.set.paths = append(c.set.paths, path{number: at, parent: parent, zone: zone, level: level})
	}
	return at
}

// addState adds a state of a lane.
func (c *collector) addState(f *gather.Frame, s *gather.LaneState, frame int32, ms float64) {
	row := stateRow{frame: frame, lane: -1, waker: -1, at: float64(s.Begin-f.Begin) * ms,
		length: float64(s.End-s.Begin) * ms,
		kind:   s.Kind, reason: s.Reason, place: s.Place, by: s.By, where: s.At}
	if s.Lane != 0 {
		row.lane = c.lane(s.Lane, "")
	}
	if s.Waker != 0 {
		row.waker = c.lane(s.Waker, "")
	}
	c.set.states = append(c.set.states, row)
}
