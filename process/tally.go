package process

import (
	"math"
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// The limits of a tally. Beyond them, the longest unused half of the lanes is folded into one lane. Lanes in use stay:
// package gather bounds them.
const (
	tallyLanes = 1024
	tallyNodes = 1 << 17
	mostFolded = 1 << 20 // nodes of the folded lane
	foldedName = "(earlier goroutines)"
)

// tally sums frames by lane: ticks and entries of each path on each lane since start or Reset. It is exact: a frame
// that is added and subtracted leaves no trace. The seats hold the sums of recent frames until collect.
type tally struct {
	tallyStores
	seats   seats
	byID    map[LaneID]*laneTally
	serials map[int32]*laneTally
	order   []*laneTally // by first appearance
	folded  *laneTally   // the sum of folded lanes; nil if there are none
	local   []int32      // scratch: index in LaneFrame.Nodes -> path
	met     bitset       // scratch: paths, none of them set
	serial  int32        // of the newest laneTally
	frames  uint64       // frames added
	applied uint64       // number of calls of apply
	version uint64       // changes with the sums of lanes
	epoch   uint64       // number of times that another tally took its place
	ticks   platform.Ticks
	outside platform.Ticks // of the updating lanes: their time outside zones
	cpu     time.Duration  // of the process
	cost    float64        // of measuring, ms
	nodes   int
	least   struct{ lanes, nodes int } // below these numbers, lanes are not folded
	made    treeMaker                  // scratch
}

// tallyStores are what a tally gives paths and places to.
type tallyStores struct {
	tree  *history.Tree
	lanes *history.Lanes
	zones []gather.ZoneInfo
	next  uint64 // sequence number of the frame to come
}

// laneTally holds the sums of one lane.
type laneTally struct {
	id     LaneID
	name   string
	serial int32
	used   uint64 // tally.frames when it was last active
	cpu    time.Duration
	nodes  []tallyNode
	index  map[int32]int32 // path -> place in nodes
	packed *packed         // in place of nodes: see packedTrees
}

// tallyNode holds the sums of one path of a lane. Its parent has a lower index.
type tallyNode struct {
	path, parent int32
	zone         ZoneID
	open         uint64 // tally.applied when it was last open
	count        uint64
	self         platform.Ticks
	errors       uint64
	variance     float64 // of self, in ticks squared
	estimated    gather.Estimated
	charges      *Charges // nil for most
}

// extend adds the rare numbers of a node, times 1 or -1.
func (n *tallyNode) extend(x *gather.NodeExtra, times int) {
	n.count += uint64(times) * uint64(x.More) << 32
	n.errors += uint64(times) * uint64(x.Errors)
	n.variance, n.estimated = max(n.variance+float64(times)*x.Variance, 0), max(n.estimated, x.Estimated)
	if c := report.ChargesOf(x, float64(times)); c != (Charges{}) {
		n.charge(&c)
	}
}

func (n *tallyNode) charge(c *Charges) {
	if c != nil {
		if n.charges == nil {
			n.charges = new(Charges)
		}
		n.charges.Add(c)
	}
}

// frame notes a frame that was added to the seats. cost is its overhead in ms.
func (t *tally) frame(f *gather.Frame, cost float64) {
	t.frames++
	t.ticks += f.End - f.Begin
	t.cpu += f.CPU
	t.cost += cost
	if t.tooLarge() {
		t.foldHalf()
	}
}

// add adds a frame that is not in the history.
func (t *tally) add(f *gather.Frame) {
	t.apply(f, 1, false)
	t.frames++
	if t.tooLarge() {
		t.foldHalf()
	}
}

// collect adds the sums of the seats to the lanes.
func (t *tally) collect() {
	t.version++
	for i := range t.seats.nodes {
		t.settle(&t.seats.nodes[i])
	}
	t.settle(&t.seats.stray)
}

// settle adds the sums of a seat to its lane.
func (t *tally) settle(from *seat) {
	if from.self == 0 && from.count == 0 {
		return
	}
	if l := t.serials[from.lane]; l != nil {
		to := t.node(l, int32(from.path&history.PathMask))
		to.self += from.self
		to.count += from.count
	}
	from.self, from.count = 0, 0
}

// extend adds the rare numbers of a lane's nodes.
func (t *tally) extend(l *laneTally, records []history.Record, f *gather.LaneFrame) {
	for i := range f.Extras {
		x := &f.Extras[i]
		t.node(l, int32(records[x.Node].Path&history.PathMask)).extend(x, 1)
	}
}

// apply adds a frame if times is 1, and subtracts it if times is -1. Lanes of which nothing is known are made, or are
// only passing: see with.
func (t *tally) apply(f *gather.Frame, times platform.Ticks, passing bool) {
	t.applied++
	t.version++
	t.ticks += times * (f.End - f.Begin)
	t.cpu += time.Duration(times) * f.CPU
	for i := range f.Lanes {
		lane := &f.Lanes[i]
		switch {
		case t.byID[lane.ID] != nil || !passing:
			t.applyLane(f, lane, times)
		case times > 0:
			t.order = append(t.order, t.pass(lane, f.Zones))
		}
		if lane.Updater && len(lane.Nodes) > 0 {
			t.outside += times * lane.Nodes[0].Self
		}
		t.cost += float64(times) * laneCost(f, lane, entriesOf(lane))
	}
}

// applyLane adds a lane of a frame to its sums, or subtracts it.
func (t *tally) applyLane(f *gather.Frame, lane *gather.LaneFrame, times platform.Ticks) {
	l := t.lane(lane)
	l.cpu += time.Duration(times) * lane.CPU
	t.local = resized(t.local, len(lane.Nodes))
	for j := range lane.Nodes {
		n := &lane.Nodes[j]
		t.local[j] = t.pathOf(n, f.Zones)
		to := t.node(l, t.local[j])
		to.self += times * n.Self
		to.count += uint64(times) * uint64(n.Count)
		if n.Open {
			to.open = t.applied
		}
	}
	for j := range lane.Extras {
		x := &lane.Extras[j]
		t.node(l, t.local[x.Node]).extend(x, int(times))
	}
}

// pathOf returns the path of a node. t.local has those of the nodes before it.
func (t *tally) pathOf(n *gather.Node, zones []gather.ZoneInfo) int32 {
	parent := int32(-1)
	if n.Parent >= 0 {
		parent = t.local[n.Parent]
	}
	path := t.tree.Child(parent, n.Zone, n.Depth > 0, t.next)
	t.tree.Paths[path].Idle = zones[n.Zone].Idle
	return path
}

// lane returns the sums of a lane.
func (t *tally) lane(f *gather.LaneFrame) *laneTally {
	l := t.byID[f.ID]
	if l == nil {
		if t.byID == nil {
			t.byID, t.serials = make(map[LaneID]*laneTally), make(map[int32]*laneTally)
		}
		t.serial++
		l = &laneTally{id: f.ID, serial: t.serial}
		t.byID[f.ID], t.serials[t.serial] = l, l
		t.order = append(t.order, l)
	}
	l.name, l.used = f.Name, t.frames
	return l
}

// node returns the sums of a path of a lane.
func (t *tally) node(l *laneTally, path int32) *tallyNode {
	before := len(l.nodes)
	at := l.at(t.tree, path, math.MaxInt)
	t.nodes += len(l.nodes) - before
	return &l.nodes[at]
}

// at returns the index of a path's node. It makes a new node, after those of the paths above. Beyond the limit it
// returns the node of a path above.
func (l *laneTally) at(paths *history.Tree, path int32, limit int) int32 {
	if at, known := l.index[path]; known {
		return at
	}
	p, parent := &paths.Paths[path], int32(-1)
	if p.Parent >= 0 {
		parent = l.at(paths, p.Parent, limit)
	}
	if len(l.nodes) >= limit && parent >= 0 {
		return parent
	}
	if l.index == nil {
		l.index = make(map[int32]int32)
	}
	at := int32(len(l.nodes))
	l.index[path] = at
	l.nodes = append(l.nodes, tallyNode{path: path, zone: p.Zone, parent: parent})
	return at
}

func (t *tally) all() []*laneTally {
	if t.folded == nil {
		return t.order
	}
	return append(slices.Clone(t.order), t.folded)
}

// empty reports whether no lane has any sums.
func (t *tally) empty() bool { return len(t.order) == 0 && t.folded == nil }

// replace takes the place of another tally. Serial numbers and versions go on.
func (t *tally) replace(o *tally) {
	t.serial, t.version, t.epoch = max(t.serial, o.serial), o.version+1, o.epoch+1
}
