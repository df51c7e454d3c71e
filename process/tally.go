package process

import (
	"cmp"
	"math"
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// The limits of a tally. When lanes or nodes are more, half of the lanes, those longest unused, are folded into one; lanes
// in use stay, as package gather bounds them.
const (
	tallyLanes = 1024
	tallyNodes = 1 << 20
	foldedName = "(earlier lanes)"
)

// tally sums up frames by lane: what each distinct stack of each lane did since start or Reset, in ticks. It is exact: a
// frame taken away again leaves what was before it. What frames add, the seats of their nodes hold until somebody looks.
type tally struct {
	lanes   map[uint64]*laneTally
	serials map[int32]*laneTally
	order   []*laneTally // by first appearance
	folded  *laneTally   // lanes that were too many; nil for none
	local   []int32      // scratch: index in LaneFrame.Nodes -> path
	serial  int32        // of the newest laneTally
	frames  uint64       // frames added
	applied uint64       // times apply was called
	ticks   platform.Ticks
	cost    float64 // of measuring, ms
	nodes   int
	least   struct{ lanes, nodes int } // that must be there before any are folded again
}

// laneTally is one lane's part.
type laneTally struct {
	id     uint64
	name   string
	serial int32
	used   uint64 // tally.frames when it was last active
	nodes  []tallyNode
	index  map[int32]int32 // path -> place in nodes
}

// tallyNode is one distinct stack of a lane. Its parent has a lower index.
type tallyNode struct {
	path, zone, parent int32
	open               uint64 // tally.applied when it was last open
	count              uint64
	self               platform.Ticks
	errors             uint64
	variance           float64 // of self, in ticks squared
	estimated          gather.Estimated
	charges            *Charges // nil for most
}

// extend adds what few nodes have, so many times.
func (n *tallyNode) extend(x *gather.NodeExtra, times int) {
	n.count += uint64(times) * uint64(x.More) << 32
	n.errors += uint64(times) * uint64(x.Errors)
	n.variance, n.estimated = max(n.variance+float64(times)*x.Variance, 0), max(n.estimated, x.Estimated)
	if c := chargesOf(x, float64(times)); c != (Charges{}) {
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

// reset forgets everything.
func (t *tally) reset() { *t = tally{serial: t.serial} }

// frame notes that a frame was added to the seats, and what measuring it took, ms.
func (t *tally) frame(s *Session, f *gather.Frame, cost float64) {
	t.frames++
	t.ticks += f.End - f.Begin
	t.cost += cost
	if t.tooLarge() {
		t.foldHalf(s)
	}
}

// add adds a frame that has no place in the history.
func (t *tally) add(s *Session, f *gather.Frame) {
	t.apply(s, f, 1)
	t.frames++
	if t.tooLarge() {
		t.foldHalf(s)
	}
}

// with calls look while the frame, the unfinished one, is counted in.
func (t *tally) with(s *Session, unfinished *gather.Frame, look func()) {
	t.collect(s)
	if t.tooLarge() { // what was in unfinished frames that never finished
		t.foldHalf(s)
	}
	t.apply(s, unfinished, 1)
	defer t.apply(s, unfinished, -1)
	look()
}

// collect brings the lanes up to date with the seats.
func (t *tally) collect(s *Session) {
	for i := range s.seats.nodes {
		t.settle(&s.tree, &s.seats.nodes[i])
	}
	t.settle(&s.tree, &s.seats.stray)
}

// settle adds to a lane what a seat has summed up.
func (t *tally) settle(paths *tree, from *seat) {
	if from.self == 0 && from.count == 0 {
		return
	}
	if l := t.serials[from.lane]; l != nil {
		to := t.node(paths, l, int32(from.path&pathMask))
		to.self += from.self
		to.count += from.count
	}
	from.self, from.count = 0, 0
}

// extend adds what few nodes have.
func (t *tally) extend(paths *tree, l *laneTally, records []record, f *gather.LaneFrame) {
	for i := range f.Extras {
		x := &f.Extras[i]
		t.node(paths, l, int32(records[x.Node].path&pathMask)).extend(x, 1)
	}
}

// apply adds a frame so many times; -1 takes it away.
func (t *tally) apply(s *Session, f *gather.Frame, times platform.Ticks) {
	t.applied++
	t.ticks += times * (f.End - f.Begin)
	for i := range f.Lanes {
		lane := &f.Lanes[i]
		l, entries := t.lane(lane), uint64(0)
		t.local = resized(t.local, len(lane.Nodes))
		for j := range lane.Nodes {
			n, parent := &lane.Nodes[j], int32(-1)
			if n.Parent >= 0 {
				parent = t.local[n.Parent]
			}
			t.local[j] = s.tree.child(parent, n.Zone, n.Depth > 0, s.past.next)
			s.tree.paths[t.local[j]].idle = f.Zones[n.Zone].Idle
			to := t.node(&s.tree, l, t.local[j])
			to.self += times * n.Self
			to.count += uint64(times) * uint64(n.Count)
			entries += uint64(n.Count)
			if n.Open {
				to.open = t.applied
			}
		}
		for j := range lane.Extras {
			x := &lane.Extras[j]
			t.node(&s.tree, l, t.local[x.Node]).extend(x, int(times))
			entries += uint64(x.More) << 32
		}
		t.cost += float64(times) * laneCost(f, lane, entries)
	}
}

// lane returns a lane's sums.
func (t *tally) lane(f *gather.LaneFrame) *laneTally {
	l := t.lanes[f.ID]
	if l == nil {
		if t.lanes == nil {
			t.lanes, t.serials = make(map[uint64]*laneTally), make(map[int32]*laneTally)
		}
		t.serial++
		l = &laneTally{id: f.ID, serial: t.serial}
		t.lanes[f.ID], t.serials[t.serial] = l, l
		t.order = append(t.order, l)
	}
	l.name, l.used = f.Name, t.frames
	return l
}

// node returns a lane's sums of a path.
func (t *tally) node(paths *tree, l *laneTally, path int32) *tallyNode {
	before := len(l.nodes)
	at := l.at(paths, path, math.MaxInt)
	t.nodes += len(l.nodes) - before
	return &l.nodes[at]
}

// at returns the place of a path's sums, which are made when they are new, after those of the paths above. Beyond the limit
// it is the place of a path above.
func (l *laneTally) at(paths *tree, path int32, limit int) int32 {
	if at, known := l.index[path]; known {
		return at
	}
	p, parent := &paths.paths[path], int32(-1)
	if p.parent >= 0 {
		parent = l.at(paths, p.parent, limit)
	}
	if len(l.nodes) >= limit && parent >= 0 {
		return parent
	}
	if l.index == nil {
		l.index = make(map[int32]int32)
	}
	at := int32(len(l.nodes))
	l.index[path] = at
	l.nodes = append(l.nodes, tallyNode{path: path, zone: p.zone, parent: parent})
	return at
}

// tooLarge reports whether lanes should be folded. Where all were in use when that was last done, it waits until they are
// twice as many.
func (t *tally) tooLarge() bool {
	return len(t.order) > max(tallyLanes, t.least.lanes) || t.nodes > max(tallyNodes, t.least.nodes)
}

// foldHalf folds the half of the lanes that was not used for longest, of those not in use. One that comes back begins anew.
func (t *tally) foldHalf(s *Session) {
	t.collect(s)
	clear(s.seats.lanes)
	byUse := slices.DeleteFunc(slices.Clone(t.order), func(l *laneTally) bool { return l.used+1 == t.frames })
	slices.SortStableFunc(byUse, func(a, b *laneTally) int { return cmp.Compare(a.used, b.used) })
	for _, l := range byUse[:min(len(byUse), (len(t.order)+1)/2)] {
		t.fold(&s.tree, l)
	}
	t.order = slices.DeleteFunc(t.order, func(l *laneTally) bool { return t.lanes[l.id] != l })
	t.least.lanes, t.least.nodes = 2*len(t.order), 2*t.nodes
}

// fold adds a lane's sums to those of the folded ones, and forgets it.
func (t *tally) fold(paths *tree, l *laneTally) {
	if t.folded == nil {
		t.folded = &laneTally{name: foldedName}
	}
	t.folded.take(paths, l, tallyNodes)
	t.nodes -= len(l.nodes)
	delete(t.lanes, l.id)
	delete(t.serials, l.serial)
}

// take adds another lane's sums. A path beyond the limit is counted into the one above it.
func (l *laneTally) take(paths *tree, from *laneTally, limit int) {
	for i := range from.nodes {
		n := &from.nodes[i]
		to := &l.nodes[l.at(paths, n.path, limit)]
		to.self += n.self
		to.count += n.count
		to.errors += n.errors
		to.variance, to.estimated = to.variance+n.variance, max(to.estimated, n.estimated)
		to.charge(n.charges)
		to.open = max(to.open, n.open)
	}
}

// trees returns a tree of each lane and one of all of them, in milliseconds.
func (t *tally) trees(paths *tree, perSecond float64, zones []gather.ZoneInfo) (merged []TreeNode, lanes []LaneTree) {
	all := new(laneTally)
	for _, l := range t.all() {
		all.take(paths, l, tallyNodes)
		if nodes := l.tree(t.applied, perSecond, zones); len(nodes) > 0 {
			lanes = append(lanes, LaneTree{ID: l.id, Name: l.name, Nodes: nodes})
		}
	}
	return all.tree(t.applied, perSecond, zones), lanes
}

func (t *tally) all() []*laneTally {
	if t.folded == nil {
		return t.order
	}
	return append(slices.Clone(t.order), t.folded)
}

// totals returns the measurements since start or reset, the unfinished frame included.
func (t *tally) totals(s *Session, unfinished *gather.Frame) (d dumpTotals) {
	t.with(s, unfinished, func() {
		d.TicksPerSecond, d.Zones = unfinished.TicksPerSecond, unfinished.Zones
		d.Merged, d.Lanes = t.trees(&s.tree, d.TicksPerSecond, d.Zones)
		d.Overhead = time.Duration(max(t.cost, 0) * 1e6)
		if d.TicksPerSecond > 0 {
			d.RunTime = time.Duration(float64(t.ticks) / d.TicksPerSecond * 1e9)
		}
	})
	return d
}
