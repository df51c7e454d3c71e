package totals

import (
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// seat is the data of a node, by node id: its path, and the sums that its lane's totals do not have yet. Zone, above
// and lane show whether the id still means the same node. Package gather reuses ids, and a replay may have any ids.
type seat struct {
	zone  report.ZoneID
	above uint32 // the parent's path as in a record, noPath for the root
	path  uint32 // as in a record, not open
	lane  int32  // laneSums.serial; 0: the seat is empty
	count uint64
	self  platform.Ticks
}

const noPath = ^uint32(0)

// laneSeat is the data of a lane, by the id of its root node.
type laneSeat struct {
	id    report.LaneID
	place int32 // in the list of lanes
	tally *laneSums
}

// The ids of a frame may be wrong. maxNodeID bounds them. So that a few wrong ids take little memory, the tables have
// room only for the first ids, and for some more with each logged node.
const (
	maxNodeID  = 1 << 22
	firstIDs   = 1 << 16
	idsOfANode = 8
)

// seats are the tables by node id.
type seats struct {
	nodes  []seat
	lanes  []laneSeat
	stray  seat // for all nodes with an id out of bounds
	logged int  // number of logged nodes
}

// has reports whether the tables may grow to an id.
func (t *seats) has(id gather.NodeID) bool {
	return int(id) < min(firstIDs+idsOfANode*t.logged, maxNodeID)
}

// Logged are the sums of a frame's records.
type Logged struct {
	Whole, Waiting, Others platform.Ticks // the updating lane's time; its idle part; idle time of other lanes
	Working                platform.Ticks // busy time of other lanes
	Workers                int32          // lanes in working
	idleRoot               bool           // time outside zones of the updating lane is idle
}

// uncovered counts the time of a frame before its updating lane began as idle, if time outside zones is idle: in an
// event-driven program the first Update may come a second after the start.
func (l *Logged) uncovered(f *gather.Frame) {
	if rest := f.End - f.Begin - l.Whole; l.idleRoot && rest > 0 {
		l.Waiting += rest
	}
}

// Log makes records of a frame's nodes. It adds them to the totals if keep is set. For an unfinished frame keep is not
// set.
func (t *Tally) Log(p *history.Frame, f *gather.Frame, keep bool) (sum Logged) {
	mask := platform.Ticks(0)
	if keep {
		mask = -1
	}
	makeRoom(p, f)
	for i := range f.Lanes {
		l := &f.Lanes[i]
		if len(l.Nodes) == 0 {
			continue
		}
		t.seats.logged += len(l.Nodes)
		at := t.laneSeat(l)
		from := len(p.Records)
		p.Lanes = append(p.Lanes, history.LaneRecords{Place: at.place, From: int32(from),
			To: int32(from + len(l.Nodes)), Updater: l.Updater, Device: l.Device,
			Goroutine: l.Goroutine, CPU: float64(l.CPU) / 1e6})
		entries := t.write(p, l, at.tally.serial, mask, &sum)
		entries += p.Extend(l, from)
		if l.Device {
			t.Lanes.List[at.place].Drift = l.Drift
			p.Devices, p.GPUMS = true, max(p.GPUMS, float64(l.End-l.Begin-l.Nodes[0].Self)*p.PerTick)
		} else {
			cost := LaneCost(f, l, entries)
			p.CostMS, p.SlowMS = p.CostMS+cost.MS(), p.SlowMS+cost.Slow
		}
		if keep {
			at.tally.cpu += l.CPU
			t.extend(at.tally, p.Records[from:], l)
		}
		if keep && l.Updater {
			t.outside += l.Nodes[0].Self
		}
	}
	sum.uncovered(f)
	return sum
}

// makeRoom makes room for a frame's records at once, because lists that grow gradually are copied repeatedly.
func makeRoom(p *history.Frame, f *gather.Frame) {
	nodes := 0
	for i := range f.Lanes {
		nodes += len(f.Lanes[i].Nodes)
	}
	p.Records = resize.To(p.Records, len(p.Records)+nodes)[:len(p.Records)]
	p.Lanes = resize.To(p.Lanes, len(p.Lanes)+len(f.Lanes))[:len(p.Lanes)]
}

// write makes the records of a lane's nodes, and returns the number of entries. This loop takes most of the cost of a
// frame.
func (t *Tally) write(p *history.Frame, l *gather.LaneFrame, lane int32, mask platform.Ticks, sum *Logged,
) (entries uint64) {
	from := len(p.Records)
	p.Records = resize.To(p.Records, from+len(l.Nodes))
	records, nodes, seats := p.Records[from:], l.Nodes, t.seats.nodes
	var whole, idle platform.Ticks
	for i := range nodes {
		n, above := &nodes[i], noPath
		if n.Parent >= 0 {
			above = records[n.Parent].Path &^ history.OpenBit
		}
		var at *seat
		if int(n.ID) < len(seats) {
			at = &seats[n.ID]
		}
		if at == nil || at.zone != n.Zone || at.above != above || at.lane != lane {
			at = t.place(n, above, lane, p.Seq)
			seats = t.seats.nodes
		}
		at.self += n.Self & mask
		at.count += uint64(n.Count) & uint64(mask)
		r := &records[i]
		r.Self, r.Count, r.Path = n.Self, n.Count, at.path
		if n.Open {
			r.Path |= history.OpenBit
		}
		if at.path&history.IdleBit != 0 {
			idle += n.Self
		}
		whole += n.Self
		entries += uint64(n.Count)
	}
	records[0].Path &^= history.OpenBit // the root is always open
	if l.Updater {
		sum.Whole, sum.Waiting = sum.Whole+whole, sum.Waiting+idle
		sum.idleRoot = sum.idleRoot || records[0].Path&history.IdleBit != 0
		return entries
	}
	if records[0].Path&history.IdleBit == 0 { // time outside zones is idle
		idle += nodes[0].Self
	}
	sum.Others += idle
	if work := whole - idle; work > 0 && !l.Device {
		sum.Working, sum.Workers = sum.Working+work, sum.Workers+1
	}
	return entries
}

// place gives a node that is new in frame seq the seat of its id. It first settles the sums of the seat's last node.
func (t *Tally) place(n *gather.Node, above uint32, lane int32, seq uint64) *seat {
	at := &t.seats.stray
	if t.seats.has(n.ID) {
		if grow := int(n.ID) + 1 - len(t.seats.nodes); grow > 0 {
			t.seats.nodes = append(t.seats.nodes, make([]seat, grow)...)
		}
		at = &t.seats.nodes[n.ID]
	}
	t.settle(at)
	parent := int32(-1)
	if above != noPath {
		parent = int32(above & history.PathMask)
	}
	path := t.Tree.Child(parent, n.Zone, n.Depth > 0, seq)
	word := uint32(path)
	if t.Tree.SetIdle(path, t.Zones) {
		word |= history.IdleBit
	}
	*at = seat{zone: n.Zone, above: above, path: word, lane: lane}
	return at
}

// laneSeat returns the seat of a lane.
func (t *Tally) laneSeat(l *gather.LaneFrame) laneSeat {
	root := int(l.Nodes[0].ID)
	if root < len(t.seats.lanes) {
		if at := t.seats.lanes[root]; at.id == l.ID && at.tally != nil && at.tally.name == l.Name {
			at.tally.used = t.frames
			return at
		}
	}
	at := laneSeat{l.ID, t.Lanes.Find(l.ID, l.Name), t.lane(l)}
	if t.seats.has(l.Nodes[0].ID) {
		if grow := root + 1 - len(t.seats.lanes); grow > 0 {
			t.seats.lanes = append(t.seats.lanes, make([]laneSeat, grow)...)
		}
		t.seats.lanes[root] = at
	}
	return at
}

// EmptySeats adds the sums of the seats to the lanes, and frees the seats.
func (t *Tally) EmptySeats() {
	t.collect()
	t.seats = seats{logged: t.seats.logged}
}

// DropSeats drops the seats with their sums.
func (t *Tally) DropSeats() { t.seats = seats{} }

// SwapSeats exchanges the bounds of the seats of two tallies. Both are empty.
func (t *Tally) SwapSeats(o *Tally) { t.seats, o.seats = o.seats, t.seats }

// ForgetPlaces forgets the places of lanes in the list of lanes.
func (t *Tally) ForgetPlaces() { clear(t.seats.lanes) }

// PathOfNode returns the path of a node of package gather. It returns -1 if no frame has had the node, or if the node
// now belongs to another zone.
func (t *Tally) PathOfNode(node gather.NodeID, zone report.ZoneID) int32 {
	if int(node) >= len(t.seats.nodes) || t.seats.nodes[node].lane == 0 || t.seats.nodes[node].zone != zone {
		return -1
	}
	return int32(t.seats.nodes[node].path & history.PathMask)
}
