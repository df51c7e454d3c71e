package totals

import (
	"math"
	"slices"
	"sort"
	"time"
	"unsafe"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// The limits of a tally. Beyond them, the longest unused half of the lanes is folded into one lane. Lanes in use stay:
// package gather bounds them.
const (
	mostLanes  = 1024
	mostNodes  = 1 << 17
	mostFolded = 1 << 20 // nodes of the folded lane
	foldedName = "(earlier goroutines)"
)

// Tally sums frames by lane: ticks and entries of each path on each lane since start or Reset. It is exact: a frame
// that is added and subtracted leaves no trace. The seats hold the sums of recent frames until collect.
type Tally struct {
	Stores
	seats   seats
	byID    map[report.LaneID]*laneSums
	serials map[int32]*laneSums
	order   []*laneSums // by first appearance
	folded  *laneSums   // the sum of folded lanes, or nil
	local   []int32     // scratch: index in LaneFrame.Nodes -> path
	met     bitset      // scratch: paths, none of them set
	serial  int32       // serial of the newest laneSums
	frames  uint64      // number of frames added
	applied uint64      // number of calls of apply
	Version uint64      // changes with the sums of lanes
	Epoch   uint64      // number of replacements by another tally
	ticks   platform.Ticks
	outside platform.Ticks // time of the updating lanes outside zones
	cpu     time.Duration  // of the process
	cost    float64        // of measuring, ms
	nodes   int
	least   struct{ lanes, nodes int } // lanes are not folded below these numbers
	made    treeMaker                  // scratch
}

// Stores has the paths and lanes of a tally.
type Stores struct {
	Tree  *history.Tree     // the paths of records
	Lanes *history.Lanes    // the lanes of records
	Zones []gather.ZoneInfo // by id
	Next  uint64            // sequence number of the frame to come
}

// laneSums holds the sums of one lane.
type laneSums struct {
	id     report.LaneID
	name   string
	serial int32
	used   uint64 // Tally.frames when it was last active
	cpu    time.Duration
	nodes  []nodeSums
	index  map[int32]int32 // path -> place in nodes
	packed *packed         // in place of nodes: see packedTrees
}

// nodeSums holds the sums of one path of a lane. Its parent has a lower index.
type nodeSums struct {
	path, parent int32
	zone         report.ZoneID
	open         uint64 // Tally.applied at the last time it was open
	count        uint64
	self         platform.Ticks
	errors       uint64
	variance     float64 // of self, in ticks squared
	estimated    gather.Estimated
	charges      *report.Charges // nil for most
}

// extend adds the rare numbers of a node, multiplied by times, which is 1 or -1.
func (n *nodeSums) extend(x *gather.NodeExtra, times int) {
	n.count += uint64(times) * uint64(x.More) << 32
	n.errors += uint64(times) * uint64(x.Errors)
	n.variance, n.estimated = max(n.variance+float64(times)*x.Variance, 0), max(n.estimated, x.Estimated)
	if c := report.ChargesOf(x, float64(times)); c != (report.Charges{}) {
		n.charge(&c)
	}
}

func (n *nodeSums) charge(c *report.Charges) {
	if c != nil {
		if n.charges == nil {
			n.charges = new(report.Charges)
		}
		n.charges.Add(c)
	}
}

// Frame counts a frame that was added to the seats. cost is its overhead in ms.
func (t *Tally) Frame(f *gather.Frame, cost float64) {
	t.frames++
	t.ticks, t.cpu = plus(t.ticks, f.End-f.Begin), plus(t.cpu, f.CPU)
	t.cost += cost
	if t.tooLarge() {
		t.foldHalf()
	}
}

// Add adds a frame that is not in the history.
func (t *Tally) Add(f *gather.Frame) {
	t.apply(f, 1, false)
	t.frames++
	if t.tooLarge() {
		t.foldHalf()
	}
}

// plus returns a + b, clamped to the type. Frames of several programs may sum up to more than 292 years.
func plus[T ~int64](a, b T) T {
	switch sum := a + b; {
	case a > 0 && b > 0 && sum < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && sum >= 0:
		return math.MinInt64
	default:
		return sum
	}
}

// collect adds the sums of the seats to the lanes.
func (t *Tally) collect() {
	t.Version++
	for i := range t.seats.nodes {
		t.settle(&t.seats.nodes[i])
	}
	t.settle(&t.seats.stray)
}

// settle adds the sums of a seat to its lane.
func (t *Tally) settle(from *seat) {
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
func (t *Tally) extend(l *laneSums, records []history.Record, f *gather.LaneFrame) {
	for i := range f.Extras {
		x := &f.Extras[i]
		t.node(l, int32(records[x.Node].Path&history.PathMask)).extend(x, 1)
	}
}

// apply adds a frame if times is 1, and subtracts it if times is -1. It makes new lanes, or with passing only temporary
// ones: see with.
func (t *Tally) apply(f *gather.Frame, times platform.Ticks, passing bool) {
	t.applied++
	t.Version++
	t.ticks, t.cpu = plus(t.ticks, times*(f.End-f.Begin)), plus(t.cpu, time.Duration(times)*f.CPU)
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
		t.cost += float64(times) * LaneCost(f, lane, EntriesOf(lane))
	}
}

// applyLane adds a lane of a frame to its sums, or subtracts it.
func (t *Tally) applyLane(f *gather.Frame, lane *gather.LaneFrame, times platform.Ticks) {
	l := t.lane(lane)
	l.cpu = plus(l.cpu, time.Duration(times)*lane.CPU)
	t.local = resize.To(t.local, len(lane.Nodes))
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

// pathOf returns the path of a node. t.local has the paths of the nodes before it.
func (t *Tally) pathOf(n *gather.Node, zones []gather.ZoneInfo) int32 {
	parent := int32(-1)
	if n.Parent >= 0 {
		parent = t.local[n.Parent]
	}
	path := t.Tree.Child(parent, n.Zone, n.Depth > 0, t.Next)
	t.Tree.SetIdle(path, zones)
	return path
}

// lane returns the sums of a lane.
func (t *Tally) lane(f *gather.LaneFrame) *laneSums {
	l := t.byID[f.ID]
	if l == nil {
		if t.byID == nil {
			t.byID, t.serials = make(map[report.LaneID]*laneSums), make(map[int32]*laneSums)
		}
		t.serial++
		l = &laneSums{id: f.ID, serial: t.serial}
		t.byID[f.ID], t.serials[t.serial] = l, l
		t.order = append(t.order, l)
	}
	l.name, l.used = f.Name, t.frames
	return l
}

// node returns the sums of a path of a lane.
func (t *Tally) node(l *laneSums, path int32) *nodeSums {
	before := len(l.nodes)
	at := l.at(t.Tree, path, math.MaxInt)
	t.nodes += len(l.nodes) - before
	return &l.nodes[at]
}

// at returns the index of a path's node. It makes a new node, after the nodes of the paths above. Beyond the limit it
// returns the node of a path above.
func (l *laneSums) at(paths *history.Tree, path int32, limit int) int32 {
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
	l.nodes = append(l.nodes, nodeSums{path: path, zone: p.Zone, parent: parent})
	return at
}

func (t *Tally) all() []*laneSums {
	if t.folded == nil {
		return t.order
	}
	return append(slices.Clone(t.order), t.folded)
}

// Empty reports whether no lane has any sums.
func (t *Tally) Empty() bool { return len(t.order) == 0 && t.folded == nil }

// Replace replaces another tally. Serial numbers and versions continue.
func (t *Tally) Replace(o *Tally) {
	t.serial, t.Version, t.Epoch = max(t.serial, o.serial), o.Version+1, o.Epoch+1
}

// bytesPerNode is about the memory of a node of a lane: its sums, with room for more, and its place in the index.
const bytesPerNode = int(unsafe.Sizeof(nodeSums{}))*5/4 + 16

// Memory returns the memory of the sums, about.
func (t *Tally) Memory() int {
	n := t.nodes
	if t.folded != nil {
		n += len(t.folded.nodes)
	}
	return n*bytesPerNode + cap(t.seats.nodes)*int(unsafe.Sizeof(seat{}))
}

// tooLarge reports whether lanes have to be folded. If too few could be folded last time, it waits until there are
// twice as many.
func (t *Tally) tooLarge() bool {
	return len(t.order) > max(mostLanes, t.least.lanes) || t.nodes > max(mostNodes, t.least.nodes)
}

// foldHalf folds the half of the lanes that has been unused longest, but no lane in use. A folded lane that comes back
// begins anew.
func (t *Tally) foldHalf() {
	t.collect()
	t.ForgetPlaces()
	byUse := resize.Delete(slices.Clone(t.order), func(l *laneSums) bool { return l.used+1 == t.frames })
	sort.Sort(leastUsed(byUse))
	for _, l := range byUse[:min(len(byUse), (len(t.order)+1)/2)] {
		t.fold(l)
	}
	t.order = resize.Delete(t.order, func(l *laneSums) bool { return t.byID[l.id] != l })
	t.least.lanes, t.least.nodes = 2*len(t.order), 2*t.nodes
}

// leastUsed sorts lanes by their last use.
type leastUsed []*laneSums

func (u leastUsed) Len() int      { return len(u) }
func (u leastUsed) Swap(i, k int) { u[i], u[k] = u[k], u[i] }

func (u leastUsed) Less(i, k int) bool {
	return u[i].used < u[k].used || u[i].used == u[k].used && u[i].id < u[k].id
}

// fold adds the sums of a lane to the folded lane, and drops the lane.
func (t *Tally) fold(l *laneSums) {
	if t.folded == nil {
		t.folded = &laneSums{name: foldedName}
	}
	t.folded.take(t.Tree, l, mostFolded)
	t.nodes -= len(l.nodes)
	delete(t.byID, l.id)
	delete(t.serials, l.serial)
}

// take adds the sums of another lane. Paths beyond the limit count in the path above.
func (l *laneSums) take(paths *history.Tree, from *laneSums, limit int) {
	l.cpu = plus(l.cpu, from.cpu)
	for i := range from.nodes {
		n := &from.nodes[i]
		l.nodes[l.at(paths, n.path, limit)].add(n)
	}
}

// add adds the sums of another node.
func (n *nodeSums) add(from *nodeSums) {
	n.self += from.self
	n.count += from.count
	n.errors += from.errors
	n.variance, n.estimated = n.variance+from.variance, max(n.estimated, from.estimated)
	n.charge(from.charges)
	n.open = max(n.open, from.open)
}

// with calls look while the unfinished frame is added. New lanes are temporary and leave no memory behind. A program
// that never calls Update has only such lanes, and may have a million stacks.
func (t *Tally) with(unfinished *gather.Frame, look func()) {
	t.collect()
	if t.tooLarge() { // unfinished frames may have left lanes and nodes
		t.foldHalf()
	}
	lanes, ticks, cpu := len(t.order), t.ticks, t.cpu
	t.apply(unfinished, 1, true)
	defer func() {
		clear(t.order[lanes:])
		t.order = t.order[:lanes]
		t.apply(unfinished, -1, true)
		t.ticks, t.cpu = ticks, cpu // sums that were clamped
	}()
	look()
}

// pass returns the sums of a lane not yet in the tally. It has an index of its paths only if a path occurs twice.
func (t *Tally) pass(lane *gather.LaneFrame, zones []gather.ZoneInfo) *laneSums {
	l := &laneSums{id: lane.ID, name: lane.Name, used: t.frames, cpu: lane.CPU}
	t.local = resize.To(t.local, len(lane.Nodes))
	for i := range lane.Nodes {
		t.local[i] = t.pathOf(&lane.Nodes[i], zones)
	}
	twice := t.meetsTwice(len(t.Tree.Paths))
	if !twice {
		l.nodes = make([]nodeSums, len(lane.Nodes))
	}
	for i := range lane.Nodes {
		n, at := &lane.Nodes[i], int32(i)
		if twice {
			at = l.at(t.Tree, t.local[i], math.MaxInt)
		} else {
			l.nodes[i] = nodeSums{path: t.local[i], parent: n.Parent, zone: n.Zone}
		}
		to := &l.nodes[at]
		to.self += n.Self
		to.count += uint64(n.Count)
		if n.Open {
			to.open = t.applied
		}
	}
	for i := range lane.Extras {
		x := &lane.Extras[i]
		at := x.Node
		if twice {
			at = l.at(t.Tree, t.local[at], math.MaxInt)
		}
		l.nodes[at].extend(x, 1)
	}
	return l
}

// meetsTwice reports whether t.local has a path twice: a zone may have two nodes "(other)" below it, one for names and
// one for nodes beyond the limits.
func (t *Tally) meetsTwice(paths int) (twice bool) {
	for len(t.met) < paths/64+1 {
		t.met = append(t.met, 0)
	}
	for _, path := range t.local {
		twice = twice || t.met.has(path)
		t.met.set(path)
	}
	for _, path := range t.local {
		t.met[path/64] = 0
	}
	return twice
}
