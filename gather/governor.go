//go:build !iprof_off

package gather

import (
	"math"
	"slices"
	"sync/atomic"
	"unsafe"

	"example.com/iprof/platform"
)

// The governor keeps what measuring costs below a share of the frame: on each lane, where more is spent, it demotes the nodes
// that are entered most often for the least time. They are counted at each entry, and timed at some that are chosen at random.

// overheadLimit is float64 bits.
var overheadLimit atomic.Uint64

// SetOverheadLimit promises that measuring takes no more than a share of each lane's time, 0.02 for 2 %; 0, which is how it
// starts, or less promises nothing, and 1 is the most. While a lane is above it, its hottest small zones are demoted: each
// entry is still counted, but only some, chosen at random, are timed, and from these the self time of all is estimated without
// bias. Node.Estimated marks them, NodeExtra.Variance says how far they may be off. What is around them keeps its exact
// hierarchical time. When the pressure is over all is timed again.
//
// An estimate is for a run, not for a frame. What happens seldom and takes very much longer than all else, as a preemption does,
// is told for the few entries timed only, until it has happened in several of them; then it is told of all entries evenly. Nor is
// an estimate nearer than what measuring an entry takes is known, inside the program: that is little of a long zone, and more of a
// short one, or of the little that a zone leaves to itself around many demoted ones (the program flake in bench prints how far off each
// is).
//
// What passed in a zone around demoted ones is known to the tick, not which of them had it. What a frame has more than the timed entries
// tell is theirs for the most part, up to three standard errors, and beyond that of the zone around: so is a hitch that none of them met.
//
// Where counting alone is above the limit, zones of which it would take an eighth of the time or more are muted: for most frames
// they are not even counted, and their numbers of entries are estimated too (EstimatedCount). That is for zones inside of which
// nothing else is ever entered. Of others nothing goes uncounted: the limit is missed, and what measuring costs is told. Zones
// whose calls are counted (SetPerCall) are never demoted, nor is anything on lanes that read the heap at each zone
// (HeapPerZone); events are those of timed entries. It takes a frame or two to act. Any goroutine may call it.
func SetOverheadLimit(share float64) {
	if !(share > 0) {
		share = 0
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	overheadLimit.Store(math.Float64bits(min(share, 1)))
	if share > 0 {
		return
	}
	eachLane(func(l *Lane) { l.promote() })
	govern()
}

// OverheadLimit returns what SetOverheadLimit has set.
func OverheadLimit() float64 { return math.Float64frombits(overheadLimit.Load()) }

// govern estimates what was not timed in the lane's part of a frame, and judges what it cost. It returns the entries that were
// not timed, and those that were not even counted.
func (w *walk) govern(f *Frame) (untimed, muted uint64) {
	limit := OverheadLimit()
	if w.lane.governed != nil && len(w.lane.governed.twins) > 0 {
		untimed = w.estimate(len(f.extras))
	} else if w.lane.governed != nil {
		w.lane.governed.fold.locate(w.lane, w.out[w.start:])
	}
	muted = w.silence(len(f.extras))
	if limit > 0 && w.move && !w.frozen && w.judge(limit, float64(untimed), float64(muted)) {
		registry.updates.judged = true
	}
	return untimed, muted
}

// govern does what judging the lanes has found to be done.
func (u *updates) govern() {
	if ask := u.muting.turn(); ask || u.judged {
		u.judged = false
		govern()
	}
}

// The governor's constants.
const (
	settling   = 2    // frames that a change is given to act
	relief     = 0.75 // of the limit: all is timed again when that would cost less for so many frames:
	patience   = 8
	leastShare = 1.0 / 64 // of the limit: nodes that cost less are not worth demoting
	exactShare = 0.3      // of the limit, for nodes of which all is timed, at most
	allShares  = 0.7      // for those, for counting, and for the entries of demoted nodes that are timed: inside the program all that is dearer
	leastTimed = 0.05     // for the last of these;
	lostTimed  = 0.6      // and where the limit is missed without them
	againShare = 0.1      // of what timing these takes, to count some again
	leastGap   = 7
	mostGap    = 4095
)

// judgement is what the governor remembers of a lane from frame to frame.
type judgement struct {
	since   int     // frames since the last change
	relaxed int     // frames in which timing all would have been cheap
	loud    int     // frames in which even counting was too dear
	quiet   int     // frames in which counting would not have been
	load    float64 // what timing all that is demoted would take, in units of what is allowed: a mean that fades
	frame   uint64
	ranking []candidate
}

// fadingLoad is what is left of a frame's weight a frame later.
const fadingLoad = 0.9

func (j *judgement) smooth(load float64) float64 {
	if j.load == 0 {
		j.load = load
	}
	j.load = j.load*fadingLoad + load*(1-fadingLoad)
	return j.load
}

// candidate is a node that may be demoted.
type candidate struct {
	node  uint32
	count float64
}

// judge demotes what makes the lane's measuring too dear, and promotes all when that is over. The nodes of the frame are already
// merged. The lane's mutex is held.
func (w *walk) judge(limit, untimed, muted float64) (changed bool) {
	l, nodes, c := w.lane, w.out[w.start:], w.costs()
	length := float64(w.length)
	entries := 0.0
	for i := range nodes[1:] {
		entries += float64(nodes[i+1].Count)
	}
	full := entries * c.pair
	spent := full - untimed*(c.pair-c.counted-c.choosing) - muted*(c.pair-c.muted)
	if length <= 0 || l.governed == nil && full <= limit*length || l.metered {
		return l.metered && l.promote()
	}
	if l.governed == nil {
		w.governed()
	}
	g := l.governed
	j := &g.judgement
	j.frame = registry.updates.frames
	if j.since++; j.since <= settling {
		return false
	}
	if g.wanted == 0 {
		if len(g.mute) > 0 { // what was muted is not even demoted any more
			g.mute = nil
			return true
		}
		if full <= limit*length {
			return false
		}
		return l.demote(w, limit*length)
	}
	if j.relaxed++; full > relief*limit*length {
		j.relaxed = 0
	}
	switch {
	case j.relaxed >= patience:
		return l.promote()
	case spent > limit*length, j.relaxed == 0 && w.sparse(limit*length):
		if l.demote(w, limit*length) {
			return true
		}
	}
	return l.mute(w, limit*length, untimed, muted)
}

// governed begins to govern the lane.
func (w *walk) governed() {
	l := w.lane
	l.governed = &governed{ghost: ghostOf(l), spare: spareSlot(), at: map[uint32]int{}, of: map[uint32][]int{}}
	l.governed.judgement.since = settling
	l.governed.fold.locate(l, w.out[w.start:])
}

// ghostOf is the slot that untimed nodes have: it leads to their lane, and nothing is open in it.
func ghostOf(l *Lane) platform.Slot { return platform.Slot{Lane: unsafe.Pointer(l)} }

// spareSlot is one in which calibratedZone was entered once. Its nodes are in no frame and need no numbers.
//
//go:norace
func spareSlot() platform.Slot {
	l := privateLane()
	l.add(l.root, zoneKey(&calibratedZone), 0)
	nodeIDs.giveBack(l.seen)
	return platform.Slot{Cur: unsafe.Pointer(l.root)}
}

// sparse reports whether far fewer entries are timed than could be.
func (w *walk) sparse(allowed float64) bool {
	g, c := w.lane.governed, w.costs()
	exact, dear := 0.0, 0.0
	for i, n := range w.out[w.start:] {
		if cost := float64(n.Count) * c.pair; g.wants(int(g.fold.at[i])) {
			dear += cost
		} else {
			exact += cost
		}
	}
	return float64(g.gap) > 4*gapFor(dear/allowed, exact/allowed, c)
}

// gapFor is how many entries to count for each that is timed, if timing them all would cost as much as dear says, and all others
// as much as exact does, in units of what is allowed.
func gapFor(dear, exact float64, c cost) float64 {
	rest := exact + dear*c.counted/max(c.pair, leastCost)
	left := max(allShares-rest, leastTimed)
	if rest > 1 {
		left = lostTimed
	}
	return min(max(dear*(1+againShare)/left, leastGap), mostGap)
}

// demote chooses what is to be demoted besides what is, so that what is timed stays within its share of the ticks allowed. It
// reports whether that is anything new.
func (l *Lane) demote(w *walk, allowed float64) (changed bool) {
	g, nodes, c := l.governed, w.out[w.start:], w.costs()
	f := &g.fold
	g.rank(l, nodes, allowed)
	g.want = append(g.want, make([]bool, max(len(l.seen)-len(g.want), 0))...)
	exact, dear, wanted := 0.0, 0.0, g.wanted
	for i := range nodes {
		if cost := float64(nodes[i].Count) * c.pair; g.want[f.at[i]] {
			dear += cost
		} else {
			exact += cost
		}
	}
	for _, it := range g.judgement.ranking {
		if exact <= exactShare*allowed {
			break
		}
		exact -= it.count * c.pair
		dear += it.count * c.pair
		g.want[it.node] = true
		wanted++
	}
	gap := uint32(gapFor(g.judgement.smooth(dear/allowed), exact/allowed, c))
	if wanted == g.wanted && (wanted == 0 || gap <= 2*g.gap && g.gap <= 2*gap) {
		return false
	}
	g.wanted, g.gap, g.judgement.since, g.judgement.relaxed = wanted, gap, 0, 0
	g.length = uint32(min(max(dear/max(c.pair, leastCost)/float64(gap+1)/(runsPerFrame*timedBlocks), 1), float64(blockLength)))
	l.tell()
	return true
}

// rank lists the nodes worth demoting, most entries first: those that measuring takes a larger share of than the limit, and a
// share of the lane's time that matters.
func (g *governed) rank(l *Lane, nodes []Node, allowed float64) {
	f, c, j := &g.fold, costs(), &g.judgement
	hier := zeroed(f.timed, len(nodes))
	for i := len(nodes) - 1; i > 0; i-- {
		hier[i] += float64(nodes[i].Self)
		hier[nodes[i].Parent] += hier[i]
	}
	hier[0] += float64(nodes[0].Self)
	j.ranking = j.ranking[:0]
	for i := range nodes {
		cost := float64(nodes[i].Count) * c.pair
		if i > 0 && cost > leastShare*allowed && cost*hier[0] > allowed*max(hier[i], 0) && !g.wants(int(f.at[i])) && l.mayDemote(f.at[i]) {
			j.ranking = append(j.ranking, candidate{f.at[i], float64(nodes[i].Count)})
		}
	}
	slices.SortFunc(j.ranking, func(a, b candidate) int {
		if a.count != b.count {
			return int(math.Copysign(1, b.count-a.count))
		}
		return int(a.node) - int(b.node)
	})
}

// mayDemote reports whether a node is one of the host's zones, entered by Begin.
//
//go:norace
func (l *Lane) mayDemote(i uint32) bool {
	n := l.node(i)
	return n.flag&(flagFolded|flagWatch|flagHeld|flagCalls|flagPending|flagUntimed) == 0 && n.key > keyNotKept
}

// promote has all nodes timed again. It reports whether that is anything new.
func (l *Lane) promote() (changed bool) {
	if g := l.governed; g != nil && g.wanted > 0 {
		clear(g.want)
		for i := range g.twins {
			g.twins[i].owed = 0 // what is told from now on is exact
		}
		g.mute, g.judgement.loud = nil, 0
		g.wanted, g.judgement.since, g.judgement.relaxed = 0, 0, 0
		l.tell()
		return true
	}
	return false
}

// tell sends the lane's goroutine to do what is wanted.
func (l *Lane) tell() {
	l.generation = wanted.generation.Load() - 1
	l.ask()
}

// govern sends zones the governor's way if it has demoted any. The registry's mutex is held.
//
//go:norace
func govern() {
	any := false
	demoted := map[int32]bool{}
	for _, l := range registry.lanes {
		any = l.addDemoted(demoted) || any
	}
	registry.updates.mute()
	zones.markDemoted(demoted)
	switchTo(any)
}

// addDemoted adds the zones that are demoted on the lane. It reports whether there are any.
func (l *Lane) addDemoted(demoted map[int32]bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.governed
	if g == nil || g.wanted == 0 || l.ended {
		return false
	}
	for i, want := range g.want {
		if want {
			demoted[l.seen[i].zone] = true
		}
	}
	return true
}

//go:norace
func (t *zoneTable) markDemoted(demoted map[int32]bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for z, id := range t.public {
		how := zoneTimed
		if demoted[id] {
			how = zoneDemoted
		}
		if z.governed != how && z.governed != zoneMuted {
			z.governed = how
		}
	}
}
