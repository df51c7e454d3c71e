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

// Tally sums frames by lane: ticks and entries of each path on each lane since start or Reset. It is exact. The seats
// hold the sums of recent frames until collect.
type Tally struct {
	Stores
	seats   seats
	byID    map[report.LaneID]*laneSums
	serials map[int32]*laneSums
	order   []*laneSums // by first appearance
	folded  *laneSums   // the sum of folded lanes, or nil
	serial  int32       // serial of the newest laneSums
	frames  uint64      // number of frames added
	Epoch   uint64      // number of replacements by another tally
	ticks   platform.Ticks
	outside platform.Ticks // time of the updating lanes outside zones
	cpu     time.Duration  // of the process
	cost    Cost           // of measuring
	nodes   int
	least   struct{ lanes, nodes int } // lanes are not folded below these numbers
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
}

// nodeSums holds the sums of one path of a lane. Its parent has a lower index.
type nodeSums struct {
	_            [0]func() // not comparable: the code of == would be in each program
	path, parent int32     // path is -1 in a Reading's lanes of frames
	zone         report.ZoneID
	depth        uint16 // number of ancestors of the same zone
	open         bool   // in the frame in progress
	count        uint64
	self         platform.Ticks
	rare         *gather.NodeExtra // nil for most
}

// extend adds the rare numbers of a node of a frame.
func (n *nodeSums) extend(x *gather.NodeExtra) {
	if n.rare == nil {
		n.rare = new(gather.NodeExtra)
	}
	n.rare.Add(x)
	n.count, n.rare.More = n.count+uint64(n.rare.More)<<32, 0
}

// add adds the sums of another node.
func (n *nodeSums) add(from *nodeSums) {
	n.self += from.self
	n.count += from.count
	n.open = n.open || from.open
	if from.rare != nil {
		n.extend(from.rare)
	}
}

// active reports whether a node has any sums, or is open.
func (n *nodeSums) active() bool {
	return n.self != 0 || n.count != 0 || n.open ||
		n.rare != nil && (n.rare.Errors != 0 || report.ChargesOf(n.rare) != (report.Charges{}))
}

// hierarchical returns the hierarchical times of the nodes, in the memory of dst.
func (l *laneSums) hierarchical(dst []platform.Ticks) []platform.Ticks {
	dst = resize.To(dst[:0], len(l.nodes))
	for i := range l.nodes {
		dst[i] = l.nodes[i].self
	}
	for i := len(l.nodes) - 1; i > 0; i-- {
		if parent := l.nodes[i].parent; parent >= 0 {
			dst[parent] += dst[i]
		}
	}
	return dst
}

// Frame counts a frame that was added to the seats as p.
func (t *Tally) Frame(f *gather.Frame, p *history.Frame) {
	t.frames++
	t.ticks, t.cpu = plus(t.ticks, f.End-f.Begin), plus(t.cpu, f.CPU)
	t.cost = t.cost.Plus(Cost{p.CostMS - p.SlowMS, p.SlowMS})
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
		t.node(l, int32(records[x.Node].Path&history.PathMask)).extend(x)
	}
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
	depth := uint16(min(p.Depth, math.MaxUint16))
	l.nodes = append(l.nodes, nodeSums{path: path, zone: p.Zone, parent: parent, depth: depth})
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

// Replace replaces another tally. Serial numbers continue.
func (t *Tally) Replace(o *Tally) { t.serial, t.Epoch = max(t.serial, o.serial), o.Epoch+1 }

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
