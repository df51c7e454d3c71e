package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// seat is what the session knows of a node by the node's id: its path, and what it has done since its lane's totals were last
// brought up to date. Zone, path above and lane say whether the id still means the same: ids are used again, and those of a
// replay may be anything.
type seat struct {
	zone  int32
	above uint32 // the parent's path as in a record, noPath for the root
	path  uint32 // as in a record, not open
	lane  int32  // laneTally.serial; 0 is nobody's
	count uint64
	self  platform.Ticks
}

const noPath = ^uint32(0)

// laneSeat is what the session knows of a lane by the id of the lane's root.
type laneSeat struct {
	id    uint64
	place int32 // in lanes.list
	tally *laneTally
}

// maxNodeID bounds the tables of node ids against frames that lie.
const maxNodeID = 1 << 22

// seats are the tables by node id.
type seats struct {
	nodes []seat
	lanes []laneSeat
	stray seat // of nodes with an id that no table should be made for
}

// forget empties the tables, whatever is in them.
func (t *seats) forget() {
	clear(t.nodes)
	clear(t.lanes)
	t.stray = seat{}
}

// logged is what a frame's records sum up to.
type logged struct {
	whole, waiting, others platform.Ticks // the updating lane; of it in idle zones; idle on other lanes
}

// log turns the frame's nodes into records, and counts them into the totals if they are to be kept: an unfinished frame's
// are not.
func (s *Session) log(p *pastFrame, f *gather.Frame, keep bool) (sum logged) {
	mask := platform.Ticks(0)
	if keep {
		mask = -1
	}
	for i := range f.Lanes {
		l := &f.Lanes[i]
		if len(l.Nodes) == 0 {
			continue
		}
		at := s.laneSeat(l)
		from := len(p.records)
		p.lanes = append(p.lanes, laneRecords{at.place, int32(from), int32(from + len(l.Nodes)), l.Updater})
		entries := s.write(p, l, at.tally.serial, mask, &sum)
		entries += p.extend(l, from)
		p.cost += laneCost(f, l, entries)
		if keep && len(l.Extras) > 0 {
			s.kinds.see(l.Extras)
			s.totals.extend(&s.tree, at.tally, p.records[from:], l)
		}
	}
	return sum
}

// write writes the records of a lane's nodes, and returns how many entries they have: the loop that a frame costs here.
func (s *Session) write(p *pastFrame, l *gather.LaneFrame, lane int32, mask platform.Ticks, sum *logged) (entries uint64) {
	from := len(p.records)
	p.records = resized(p.records, from+len(l.Nodes))
	records, nodes, seats := p.records[from:], l.Nodes, s.seats.nodes
	var whole, idle platform.Ticks
	for i := range nodes {
		n, above := &nodes[i], noPath
		if n.Parent >= 0 {
			above = records[n.Parent].path &^ openBit
		}
		var at *seat
		if int(n.ID) < len(seats) {
			at = &seats[n.ID]
		}
		if at == nil || at.zone != n.Zone || at.above != above || at.lane != lane {
			at = s.place(n, above, lane, p.seq)
			seats = s.seats.nodes
		}
		at.self += n.Self & mask
		at.count += uint64(n.Count) & uint64(mask)
		r := &records[i]
		r.self, r.count, r.path = n.Self, n.Count, at.path
		if n.Open {
			r.path |= openBit
		}
		if at.path&idleBit != 0 {
			idle += n.Self
		}
		whole += n.Self
		entries += uint64(n.Count)
	}
	records[0].path &^= openBit // the root always is
	if l.Updater {
		sum.whole, sum.waiting = sum.whole+whole, sum.waiting+idle
	} else {
		sum.others += idle + nodes[0].Self
	}
	return entries
}

// place gives a node, first seen in frame seq, the seat of its id. Whose it was before is told what the seat summed up.
func (s *Session) place(n *gather.Node, above uint32, lane int32, seq uint64) *seat {
	at := &s.seats.stray
	if n.ID < maxNodeID {
		if grow := int(n.ID) + 1 - len(s.seats.nodes); grow > 0 {
			s.seats.nodes = append(s.seats.nodes, make([]seat, grow)...)
		}
		at = &s.seats.nodes[n.ID]
	}
	s.totals.settle(&s.tree, at)
	parent := int32(-1)
	if above != noPath {
		parent = int32(above & pathMask)
	}
	path := s.tree.child(parent, n.Zone, n.Depth > 0, seq)
	word := uint32(path)
	if s.tree.paths[path].idle = s.zones[n.Zone].Idle; s.zones[n.Zone].Idle {
		word |= idleBit
	}
	*at = seat{zone: n.Zone, above: above, path: word, lane: lane}
	return at
}

// laneSeat returns what is known of a lane: its place in the list, and its totals.
func (s *Session) laneSeat(l *gather.LaneFrame) laneSeat {
	root := int(l.Nodes[0].ID)
	if root < len(s.seats.lanes) {
		if at := s.seats.lanes[root]; at.id == l.ID && at.tally != nil && at.tally.name == l.Name {
			at.tally.used = s.totals.frames
			return at
		}
	}
	at := laneSeat{l.ID, s.lanes.find(l.ID, l.Name), s.totals.lane(l)}
	if root < maxNodeID {
		if grow := root + 1 - len(s.seats.lanes); grow > 0 {
			s.seats.lanes = append(s.seats.lanes, make([]laneSeat, grow)...)
		}
		s.seats.lanes[root] = at
	}
	return at
}
