package framefile

import (
	"math"
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocated"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// tables has the definitions of all chunks before a frame, and the numbers of the last frame.
type tables struct {
	zones    []gather.ZoneInfo
	counters []gather.CounterInfo
	notes    []string
	sets     setNames
	reason   string // why the clock was chosen
	budgets  []gather.ZoneBudget
	marks    []gather.MarkInfo  // of the next frame
	states   []gather.LaneState // of the next frame
	dropped  uint64             // marks

	slowCalls   []gather.SlowCall // of the next frame
	slowDropped uint64
	remarks     []gather.Remark // of the next frame
	saidDropped uint64
	section     gather.SectionInfo

	scalars    [frameScalars]uint64
	programs   int           // programs
	foreign    gather.Origin // of frames without an origin
	last       lastFrame
	locals     []local
	lanes      []laneOf
	nodes      []gather.Node
	extras     []gather.NodeExtra
	ends       []laneEnd      // scratch: of each lane in nodes and extras
	places     []place        // of events since the last key; held by event chunks
	until      platform.Ticks // end of the last chunk of events since the last key
	calls      *callStore     // nil before the first histogram
	objects    *allocated.Table
	hot        *report.HotZones
	slowFrames []report.HotFrame         // of the next chunk of hot lines
	waited     map[report.ZoneID]float64 // of the next chunk of hot lines
}

// laneOf is a lane as defined since the last key. Its place in tables.lanes is its number.
type laneOf struct {
	id      gather.LaneID
	name    string
	scalars [laneScalars]uint64
}

// laneEnd has the ends of a lane's parts of tables.nodes and tables.extras.
type laneEnd struct{ nodes, extras int }

// lastFrame has the numbers by which a replaced clock shows in frames without an origin.
type lastFrame struct {
	index uint64
	rate  float64
}

// begin begins the frames of another program, at an info chunk.
func (t *tables) begin() {
	t.zones, t.counters = nil, nil
	t.objects = nil
	if t.programs++; t.programs > 1 {
		t.foreign.Program++
	}
}

// setOrigin completes the origin of a frame. Programs before version 1.10 do not write it. When such a program replaces
// its clock, it numbers its frames from 0 again.
func (t *tables) setOrigin(f *gather.Frame) {
	last := t.last
	if t.last = (lastFrame{f.Index, f.TicksPerSecond}); f.Origin.Program != 0 {
		return
	}
	if last.rate > 0 && f.Index <= last.index && math.Abs(f.TicksPerSecond/last.rate-1) > 0.01 {
		t.foreign.Clock++
	}
	f.Origin = t.foreign
}

// lostName is the name of zones and counters whose definitions were damaged.
const lostName = "(name lost)"

var (
	lostZone    = gather.ZoneInfo{Name: lostName}
	lostCounter = gather.CounterInfo{Name: lostName}
)

// addZones reads a chunk of zones. If earlier zones are missing, their definitions were in damaged chunks. Frames of a
// program never have fewer zones than the frames before: zones that were used before their definition get it now.
func (t *tables) addZones(d *decoder) {
	first := d.uvarint()
	if first > 0 && !t.hasZone(first-1) {
		d.fail()
		return
	}
	own := false
	for at := int(first); len(d.rest) > 0 && d.err == nil; at++ {
		if at >= mostZones {
			d.fail()
			return
		}
		z := gather.ZoneInfo{Name: d.string(), Function: d.string(), File: d.string()}
		z.Line = int(d.uvarint() & math.MaxInt32)
		flags := d.byte()
		z.Public, z.Idle, z.Blocked = flags&1 != 0, flags&2 != 0, flags&6 == 6
		z.Computes = flags&10 == 8
		if d.err == nil {
			t.zones, own = defined(t.zones, at, z, lostZone, own)
		}
	}
}

// defined sets an element, which may be the next one. Frames share the list, so the first change of an element makes a
// new list: the caller's own. A definition that contradicts an earlier one is another program's, whose list ends there.
func defined[T comparable](list []T, at int, info, lost T, own bool) (_ []T, owned bool) {
	switch {
	case at == len(list):
		return append(list, info), own
	case list[at] == info:
		return list, own
	case list[at] != lost:
		return append(list[:at:at], info), false
	case !own:
		list = slices.Clone(list)
	}
	list[at] = info
	return list, true
}

// setOther reads the reason for the choice of the clock, or the budgets of zones.
func (t *tables) setOther(kind byte, d *decoder) {
	switch kind {
	case chunkBudgets:
		t.setBudgets(d)
	case chunkSet:
		t.sets.add(d.string())
	case chunkObjects:
		t.setObjects(d)
	default:
		t.reason = d.string()
	}
}

// setBudgets reads the budgets of zones.
func (t *tables) setBudgets(d *decoder) {
	var list []gather.ZoneBudget
	for len(d.rest) > 0 && d.err == nil && len(list) < len(t.zones) {
		b := gather.ZoneBudget{Zone: gather.ZoneID(d.uvarint() & math.MaxInt32)}
		b.Budget = time.Duration(d.uvarint() & math.MaxInt64)
		if d.err == nil && b.Budget > 0 {
			list = append(list, b)
		}
	}
	t.budgets = list
}

func (t *tables) addCounters(d *decoder) {
	first := d.uvarint()
	if first > mostLostCounters || first > 0 && !t.hasCounter(int32(first)-1) {
		d.fail()
		return
	}
	own := false
	for at := int(first); len(d.rest) > 0 && d.err == nil; at++ {
		c := gather.CounterInfo{Name: d.string(), Level: d.byte() != 0}
		if d.err == nil {
			t.counters, own = defined(t.counters, at, c, lostCounter, own)
		}
	}
}

func (t *tables) setNotes(d *decoder) {
	notes := make([]string, d.length(1))
	for i := range notes {
		notes[i] = d.string()
	}
	t.notes = notes
}

// forget drops lanes, nodes and the last frame's numbers, at a key.
func (t *tables) forget() {
	t.scalars = [frameScalars]uint64{}
	t.locals, t.lanes = t.locals[:0], t.lanes[:0]
	t.places, t.until = nil, 0
	t.marks, t.dropped = t.marks[:0], 0
	t.states, t.slowFrames = t.states[:0], nil
	t.slowCalls, t.slowDropped = t.slowCalls[:0], 0
	t.remarks, t.saidDropped, t.section = nil, 0, gather.SectionInfo{}
	if t.calls != nil {
		t.calls.key()
	}
}

// frame reads a frame into f and reuses its memory. The lanes' nodes and extras are parts of t.nodes and t.extras.
func (t *tables) frame(d *decoder, f *gather.Frame) error {
	d.changed(t.scalars[:])
	setScalars(f, &t.scalars)
	f.Label = d.string()
	f.Misuse.Notes, f.Clock.Why, f.Budgets = t.notes, t.reason, t.budgets
	t.giveMarks(f)
	t.giveRemarks(f)
	f.Section = t.section
	t.giveStates(f)
	t.giveSlowCalls(f)
	f.Values = f.Values[:0]
	for range d.length(9) {
		v := gather.CounterValue{Counter: int32(d.uvarint() & math.MaxInt32), Value: d.float()}
		if !t.hasCounter(v.Counter) || v.Value-v.Value != 0 {
			d.fail()
		}
		f.Values = append(f.Values, v)
	}
	f.Lanes = f.Lanes[:0]
	t.nodes, t.extras = t.nodes[:0], t.extras[:0]
	ends := t.ends[:0]
	for range d.length(4) {
		var l gather.LaneFrame
		t.lane(d, &l)
		f.Lanes = append(f.Lanes, l)
		ends = append(ends, laneEnd{len(t.nodes), len(t.extras)})
	}
	t.ends = ends
	if d.err != nil || len(d.rest) > 0 {
		d.fail()
		return d.err
	}
	last := laneEnd{}
	for i, end := range ends {
		f.Lanes[i].Nodes = t.nodes[last.nodes:end.nodes:end.nodes]
		f.Lanes[i].Extras = t.extras[last.extras:end.extras:end.extras]
		last = end
	}
	f.Zones, f.Counters = t.zones, t.counters
	t.calls.know(len(t.zones))
	t.setOrigin(f)
	return nil
}

// The largest ids that a frame may use without a definition, because the definition may have been damaged.
const (
	mostLostZones    = 1 << 16
	mostLostCounters = 1 << 10
)

// hasZone reports whether a zone may be used. It defines a missing zone with the name lostName.
func (t *tables) hasZone(id uint64) bool {
	for id >= uint64(len(t.zones)) && id < mostLostZones {
		t.zones = append(t.zones, lostZone)
	}
	return id < uint64(len(t.zones))
}

func (t *tables) hasCounter(id int32) bool {
	for int(id) >= len(t.counters) && id < mostLostCounters {
		t.counters = append(t.counters, lostCounter)
	}
	return int(id) < len(t.counters)
}

// lane reads a lane's part of a frame. It appends the nodes and extras to t.nodes and t.extras.
func (t *tables) lane(d *decoder, l *gather.LaneFrame) {
	number := d.uvarint()
	if number > uint64(len(t.lanes)) {
		d.fail()
		return
	}
	if int(number) == len(t.lanes) {
		t.lanes = append(t.lanes, laneOf{id: gather.LaneID(d.uvarint()), name: d.string()})
	}
	known := &t.lanes[number]
	l.ID, l.Name = known.id, known.name
	d.changed(known.scalars[:])
	setLaneScalars(l, &known.scalars)
	nodes := t.laneNodes(d)
	last := int32(-1)
	for range d.length(2) {
		x := gather.NodeExtra{Node: int32(d.uvarint() & math.MaxInt32)}
		var s [extraScalars]uint64
		d.changed(s[:])
		setExtraScalars(&x, &s)
		if x.Node <= last || int(x.Node) >= nodes || !(x.Variance >= 0) {
			d.fail()
			return
		}
		last = x.Node
		t.extras = append(t.extras, x)
	}
}

// laneNodes reads a lane's nodes and returns their number.
func (t *tables) laneNodes(d *decoder) int {
	count, at := d.length(2), int64(-1)
	if count == 0 {
		d.fail() // a lane must have a root
	}
	for i := range count {
		gap := d.varint()
		at += gap>>1 + 1
		flags := uint64(0)
		if gap&1 != 0 {
			flags = d.uvarint()
		}
		if flags&nodeNew != 0 && at == int64(len(t.locals)) {
			t.define(d)
		}
		if at < 0 || at >= int64(len(t.locals)) || d.err != nil {
			d.fail()
			return 0
		}
		k := &t.locals[at]
		if flags&nodeCount != 0 {
			k.count = uint32(int64(k.count) + d.varint())
		}
		k.self += d.varint()
		k.index = int32(i)
		n := gather.Node{
			Self: platform.Ticks(k.self), ID: k.id, Zone: k.zone, Parent: -1, Depth: k.depth, Count: k.count,
			Open: flags&nodeOpen != 0,
		}
		n.Estimated = gather.Estimated(min(flags>>estimatedShift&3, uint64(gather.EstimatedTime)))
		if k.parent >= 0 {
			n.Parent = t.locals[k.parent].index
		}
		if int(n.Parent) >= i || (n.Parent < 0) != (i == 0) {
			d.fail()
			return 0
		}
		t.nodes = append(t.nodes, n)
	}
	return count
}

// define reads the definition of a node.
func (t *tables) define(d *decoder) {
	id := d.uvarint()
	zone := d.uvarint()
	parent := d.uvarint()
	depth := d.uvarint()
	if id > mostID || !t.hasZone(zone) || parent > uint64(len(t.locals)) || depth > math.MaxInt32 {
		d.fail()
		return
	}
	t.locals = append(t.locals, local{
		id: gather.NodeID(id), zone: gather.ZoneID(zone), parent: int32(parent) - 1, depth: int32(depth),
	})
}

// mostID is the largest node id that a session accepts.
const mostID = 1<<22 - 1
