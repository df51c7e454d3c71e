package totals

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// LaneTotals holds the time of each zone on each lane since start or Reset. It includes the unfinished frame and leaves
// out paused time. Session.LaneTotals fills it and reuses its memory. One goroutine may use it at a time.
type LaneTotals struct {
	Epoch          uint64 // changes with Reset
	Ticks          int64  // length of all frames
	TicksPerSecond float64
	Zones          []gather.ZoneInfo // by id; read only: the memory is shared
	Lanes          []LaneZones

	frame   gather.Frame // the unfinished frame
	tallies []*laneSums
	fresh   map[report.LaneID]int // by ID: index in frame of lanes not yet added
	nodes   []laneNode            // of one lane
	times   []ZoneTime            // by zone, of one lane
	version uint64                // of the totals
}

// LaneZones is the part of one lane in LaneTotals.
type LaneZones struct {
	ID    report.LaneID // 0: "(earlier goroutines)"
	Name  string
	Zones []ZoneTime // zones that the lane has entered, by id
}

// ZoneTime holds the time of a zone.
type ZoneTime struct {
	Zone  report.ZoneID
	Hier  int64  // hierarchical time in ticks, recursion counted once
	Count uint64 // entries
}

// laneNode is a distinct stack of a lane. Its parent has a lower index.
type laneNode struct {
	hier   int64
	count  uint64
	zone   report.ZoneID
	parent int32
	nested bool // below another node of its zone
}

// lanesAtOnce is the number of nodes copied under one lock, which takes about ten microseconds.
const lanesAtOnce = 4096

// Fill copies a tally, and the unfinished frame that peek reads. It reports whether the tally stayed the same. Frames
// that end meanwhile do not change it, because the seats hold their sums until collect. While away runs a function,
// Fill does not use the tally.
func (t *LaneTotals) Fill(from *Tally, peek func(*gather.Frame), away func(do func())) bool {
	from.collect()
	peek(&t.frame)
	t.begin(from)
	for _, l := range t.tallies {
		t.nodes = t.nodes[:0]
		for at := 0; at < len(l.nodes); at += lanesAtOnce {
			t.copy(from.Tree, l.nodes[at:min(at+lanesAtOnce, len(l.nodes))])
			if away(func() {}); from.Version != t.version {
				return false
			}
		}
		id, name := l.id, l.name
		if away(func() { t.lane(id, name) }); from.Version != t.version {
			return false
		}
	}
	t.freshLanes()
	return true
}

// begin lists the lanes.
func (t *LaneTotals) begin(from *Tally) {
	t.Epoch, t.version = from.Epoch, from.Version
	t.Ticks = int64(from.ticks + t.frame.End - t.frame.Begin)
	t.TicksPerSecond, t.Zones, t.Lanes = t.frame.TicksPerSecond, t.frame.Zones, t.Lanes[:0]
	t.tallies = append(t.tallies[:0], from.all()...)
	t.times = resize.To(t.times, len(t.Zones))
	clear(t.times)
	if t.fresh == nil {
		t.fresh = make(map[report.LaneID]int)
	}
	clear(t.fresh)
	for i := range t.frame.Lanes {
		t.fresh[t.frame.Lanes[i].ID] = i
	}
}

// copy copies nodes of a lane.
func (t *LaneTotals) copy(paths *history.Tree, nodes []nodeSums) {
	for i := range nodes {
		n := &nodes[i]
		t.nodes = append(t.nodes, laneNode{int64(n.self), n.count, n.zone, n.parent, paths.Paths[n.path].Same >= 0})
	}
}

// lane sums the copied nodes of a lane.
func (t *LaneTotals) lane(id report.LaneID, name string) {
	t.sum()
	if i, known := t.fresh[id]; known {
		delete(t.fresh, id)
		t.unfinished(&t.frame.Lanes[i])
	}
	t.end(id, name)
}

// freshLanes adds the lanes that only the unfinished frame has.
func (t *LaneTotals) freshLanes() {
	for i := range t.frame.Lanes {
		l := &t.frame.Lanes[i]
		if _, fresh := t.fresh[l.ID]; fresh {
			t.unfinished(l)
			t.end(l.ID, l.Name)
		}
	}
}

// unfinished adds a lane's part of the unfinished frame.
func (t *LaneTotals) unfinished(l *gather.LaneFrame) {
	t.nodes = t.nodes[:0]
	for i := range l.Nodes {
		n := &l.Nodes[i]
		t.nodes = append(t.nodes, laneNode{int64(n.Self), uint64(n.Count), n.Zone, n.Parent, n.Depth > 0})
	}
	for i := range l.Extras {
		t.nodes[l.Extras[i].Node].count += uint64(l.Extras[i].More) << 32
	}
	t.sum()
}

// sum adds the times of the nodes to those of their zones.
func (t *LaneTotals) sum() {
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n := &t.nodes[i]
		if n.parent >= 0 {
			t.nodes[n.parent].hier += n.hier
		}
		if int(n.zone) >= len(t.times) {
			continue
		}
		at := &t.times[n.zone]
		if at.Count += n.count; !n.nested {
			at.Hier += n.hier
		}
	}
}

// end adds a lane with the zones that it has entered.
func (t *LaneTotals) end(id report.LaneID, name string) {
	n := len(t.Lanes)
	t.Lanes = resize.To(t.Lanes, n+1)
	l := &t.Lanes[n]
	l.ID, l.Name, l.Zones = id, name, l.Zones[:0]
	for zone := range t.times {
		if at := &t.times[zone]; at.Count != 0 || at.Hier != 0 {
			l.Zones = append(l.Zones, ZoneTime{report.ZoneID(zone), at.Hier, at.Count})
			*at = ZoneTime{}
		}
	}
}
