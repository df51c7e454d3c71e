package process

import (
	"cmp"
	"math"
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// The limits of a tally. When lanes or nodes are more, half of the lanes, those longest unused, are folded into one.
const (
	tallyLanes = 1024
	tallyNodes = 1 << 20
	foldedName = "(earlier lanes)"
)

// tally sums up frames by lane: what each distinct stack of each lane did since start or Reset, in ticks. It is exact: a
// frame taken away again leaves what was before it.
type tally struct {
	lanes   map[uint64]*laneTally
	order   []*laneTally // by first appearance
	folded  *laneTally   // lanes that were too many; nil for none
	places  []tallyPlace // by gather.Node.ID
	local   []int32      // scratch: index in LaneFrame.Nodes -> index in laneTally.nodes
	serial  uint32       // of the newest laneTally
	frames  uint64       // frames added
	applied uint64       // and those taken away
	ticks   platform.Ticks
	nodes   int
	limit   struct{ lanes, nodes int } // 0: the defaults; the tests set others
}

// laneTally is one lane's part.
type laneTally struct {
	id     uint64
	name   string
	serial uint32
	used   uint64 // tally.frames when it was last active
	nodes  []tallyNode
	paths  map[tallyPath]int32 // where each path is
}

// tallyNode is one distinct stack of a lane. Its parent has a lower index.
type tallyNode struct {
	zone, parent int32
	open         uint64 // tally.applied when it was last open
	count        uint64
	self         platform.Ticks
	errors       uint64
}

// tallyPath identifies a stack in a laneTally that merges others.
type tallyPath struct{ parent, zone int32 }

// tallyPlace is where a node's sums are: valid if the serial is the lane's.
type tallyPlace struct {
	serial uint32
	index  int32
}

// reset forgets everything.
func (t *tally) reset() { *t = tally{limit: t.limit} }

// add adds a frame.
func (t *tally) add(f *gather.Frame) {
	t.frames++
	t.apply(f, 1)
	if t.tooLarge() {
		t.foldHalf()
	}
}

// with calls look while the frame, the unfinished one, is counted in.
func (t *tally) with(unfinished *gather.Frame, look func()) {
	t.apply(unfinished, 1)
	defer t.apply(unfinished, -1)
	look()
}

// apply adds a frame so many times; -1 takes it away.
func (t *tally) apply(f *gather.Frame, times platform.Ticks) {
	t.applied++
	t.ticks += times * (f.End - f.Begin)
	for i := range f.Lanes {
		lane := &f.Lanes[i]
		l := t.lane(lane)
		t.local = resized(t.local, len(lane.Nodes))
		for j := range lane.Nodes {
			t.node(l, lane.Nodes, j, times)
		}
	}
}

// lane returns a lane's sums.
func (t *tally) lane(f *gather.LaneFrame) *laneTally {
	l := t.lanes[f.ID]
	if l == nil {
		if t.lanes == nil {
			t.lanes = make(map[uint64]*laneTally)
		}
		t.serial++
		l = &laneTally{id: f.ID, serial: t.serial, paths: make(map[tallyPath]int32)}
		t.lanes[f.ID] = l
		t.order = append(t.order, l)
	}
	l.name, l.used = f.Name, t.frames
	return l
}

// node adds node j of a lane's frame. A node's id says where its sums are; zone and parent say whether that is still so, as
// ids may be used again, and by several lanes of a replay.
func (t *tally) node(l *laneTally, nodes []gather.Node, j int, times platform.Ticks) {
	n, parent := &nodes[j], int32(-1)
	if n.Parent >= 0 {
		parent = t.local[n.Parent]
	}
	for int(n.ID) >= len(t.places) {
		t.places = append(t.places, tallyPlace{})
	}
	p := &t.places[n.ID]
	if p.serial != l.serial || l.nodes[p.index].zone != n.Zone || l.nodes[p.index].parent != parent {
		t.settle(p, l, parent, n.Zone)
	}
	t.local[j] = p.index
	to := &l.nodes[p.index]
	to.self += times * n.Self
	to.count += uint64(times) * uint64(n.Count)
	to.errors += uint64(times) * uint64(n.Errors)
	if n.Open {
		to.open = t.applied
	}
}

// settle notes where a node's sums are that was not seen before, or elsewhere.
func (t *tally) settle(p *tallyPlace, l *laneTally, parent, zone int32) {
	before := len(l.nodes)
	*p = tallyPlace{l.serial, l.path(parent, zone, math.MaxInt)}
	t.nodes += len(l.nodes) - before
}

func (t *tally) tooLarge() bool {
	return len(t.order) > cmp.Or(t.limit.lanes, tallyLanes) || t.nodes > cmp.Or(t.limit.nodes, tallyNodes)
}

// foldHalf folds the half of the lanes that was not used for longest. One that comes back begins anew.
func (t *tally) foldHalf() {
	if t.folded == nil {
		t.folded = &laneTally{name: foldedName, paths: make(map[tallyPath]int32)}
	}
	byUse := slices.Clone(t.order)
	slices.SortStableFunc(byUse, func(a, b *laneTally) int { return cmp.Compare(a.used, b.used) })
	for _, l := range byUse[:(len(byUse)+1)/2] {
		t.folded.take(l, cmp.Or(t.limit.nodes, tallyNodes))
		t.nodes -= len(l.nodes)
		delete(t.lanes, l.id)
	}
	t.order = slices.DeleteFunc(t.order, func(l *laneTally) bool { return t.lanes[l.id] != l })
}

// take adds another lane's sums by path. A path beyond the limit is counted into the one above it.
func (l *laneTally) take(from *laneTally, limit int) {
	index := make([]int32, len(from.nodes))
	for i := range from.nodes {
		n := &from.nodes[i]
		parent := int32(-1)
		if n.parent >= 0 {
			parent = index[n.parent]
		}
		index[i] = l.path(parent, n.zone, limit)
		to := &l.nodes[index[i]]
		to.self += n.self
		to.count += n.count
		to.errors += n.errors
		to.open = max(to.open, n.open)
	}
}

// path returns the index of a path, which is added when it is new.
func (l *laneTally) path(parent, zone int32, limit int) int32 {
	key := tallyPath{parent, zone}
	at, known := l.paths[key]
	if !known {
		if len(l.nodes) >= limit && parent >= 0 {
			return parent
		}
		at = int32(len(l.nodes))
		l.paths[key] = at
		l.nodes = append(l.nodes, tallyNode{zone: zone, parent: parent})
	}
	return at
}

// trees returns a tree of each lane and one of all of them, in milliseconds.
func (t *tally) trees(perSecond float64, zones []gather.ZoneInfo) (merged []TreeNode, lanes []LaneTree) {
	all := &laneTally{paths: make(map[tallyPath]int32)}
	for _, l := range t.all() {
		all.take(l, tallyNodes)
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
func (t *tally) totals(unfinished *gather.Frame) (d dumpTotals) {
	t.with(unfinished, func() {
		d.TicksPerSecond, d.Zones = unfinished.TicksPerSecond, unfinished.Zones
		d.Merged, d.Lanes = t.trees(d.TicksPerSecond, d.Zones)
		if d.TicksPerSecond > 0 {
			d.RunTime = time.Duration(float64(t.ticks) / d.TicksPerSecond * 1e9)
			d.ScopeCost = float64(unfinished.ScopeCost) / costFraction / d.TicksPerSecond * 1e9
		}
	})
	return d
}

// costFraction is the parts of a tick that Frame.ScopeCost is in.
const costFraction = 1024
