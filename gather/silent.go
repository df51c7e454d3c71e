//go:build !iprof_off

package gather

import "example.com/iprof/platform"

// The time of muted zones passes in the innermost zone around them that is not muted: their region. A window says how many of their
// entries there are, and how much of their time, in each tick of the region. In the frames up to the next window as much of the
// region's time is moved to them, so the sum of all self times stays the length of the frame. Since windows are chosen at random,
// that is without bias in the long run, whatever rhythm the program has.

// silent is what is known of a muted node from windows, fading.
type silent struct {
	known       bool
	empty       int     // windows in a row without an entry
	parent      uint32  // the node it is told below
	region      uint32  // by index in the lane's seen
	length      float64 // ticks of the region
	self, count float64
	windows     float64
	off         float64 // squared differences of self from what the others let expect
	latestSelf  float64 // in this window
	latestCount float64
	owed        float64 // entries: a part of one
}

// fadingWindow is what is left of a window's weight with the next.
const fadingWindow = 0.9

// mostEmpty is how many windows in a row without an entry make forget a node.
const mostEmpty = 8

// silence sees to the muted zones in the lane's part of a frame, whose nodes are already merged. It returns how many entries were
// not even counted.
func (w *walk) silence(extras int) (muted uint64) {
	m := &registry.updates.muting
	l := w.lane
	if len(m.zones) == 0 {
		return 0
	}
	if l.governed == nil {
		w.governed()
	}
	g := l.governed
	if g.version != m.version {
		if !w.move { // nothing is known yet, and nothing may change
			return 0
		}
		g.version = m.version
		clear(g.silent)
		l.forgive(m.zones)
	}
	g.silent = append(g.silent, make([]silent, max(len(l.seen)-len(g.silent), 0))...)
	w.settleIn()
	switch {
	case !m.window:
		return w.carry(extras)
	case w.move && !w.frozen:
		w.learn(m.zones)
	}
	return 0
}

// forgive has nothing owed to untimed nodes of the zones that are muted now: it would be paid before what muted entries take.
func (l *Lane) forgive(muted map[int32]bool) {
	for i := range l.governed.twins {
		if t := &l.governed.twins[i]; muted[l.seen[t.untimed].zone] {
			t.owed = 0
		}
	}
}

// settleIn finds where the lane's nodes are in the frame.
func (w *walk) settleIn() {
	f := &w.lane.governed.fold
	f.place = zeroed(f.place, len(w.lane.seen))
	for i := range f.place {
		f.place[i] = -1
	}
	for i := range w.out[w.start:] {
		f.place[f.at[i]] = int32(i)
	}
}

// learn takes a window's word for what muted nodes do.
func (w *walk) learn(muted map[int32]bool) {
	nodes, g := w.out[w.start:], w.lane.governed
	f, c := &g.fold, w.costs()
	each := c.counted + c.choosing + (c.pair-c.counted)/float64(g.gap+1)
	length, kids := zeroed(f.timed, len(nodes)), zeroed(f.counted, len(nodes))
	for i := range nodes {
		f.moved[i] = int32(i)
		if n := &nodes[i]; i > 0 && muted[n.Zone] {
			f.moved[i] = f.moved[n.Parent]
			kids[n.Parent] += float64(n.Count)
			length[f.moved[i]] -= float64(n.Count) * each
		}
		length[f.moved[i]] += float64(nodes[i].Self)
	}
	for i := range nodes {
		if n := &nodes[i]; i > 0 && muted[n.Zone] {
			s := &g.silent[f.at[i]]
			if !s.known {
				*s = silent{}
			}
			s.known, s.parent, s.region = true, f.at[n.Parent], f.at[f.moved[i]]
			s.latestCount = float64(n.Count)
			s.latestSelf = max(float64(n.Self)-(s.latestCount+kids[i])*c.counted/2, 0)
		}
	}
	for i := range g.silent {
		if s := &g.silent[i]; s.known && f.place[s.region] >= 0 {
			s.learn(max(length[f.place[s.region]], 1))
		}
	}
}

func (s *silent) learn(length float64) {
	length = max(length, s.latestSelf)
	if s.length > 0 {
		d := s.latestSelf - s.self/s.length*length
		s.off = s.off*fadingWindow + d*d
	}
	s.windows = s.windows*fadingWindow + 1
	s.length = s.length*fadingWindow + length
	s.self = s.self*fadingWindow + s.latestSelf
	s.count = s.count*fadingWindow + s.latestCount
	if s.empty++; s.latestCount > 0 {
		s.empty = 0
	}
	s.latestSelf, s.latestCount = 0, 0
	s.known = s.empty < mostEmpty
}

// carry gives muted nodes what the windows before let expect.
func (w *walk) carry(extras int) (muted uint64) {
	l := w.lane
	g := l.governed
	f := &g.fold
	length, share := w.regions()
	gap := float64(registry.updates.muting.gap)
	for i := range g.silent {
		s := &g.silent[i]
		if !s.known || f.place[s.region] < 0 {
			continue
		}
		part := length[f.place[s.region]] / s.length
		took, count := platform.Ticks(s.self*part*share[f.place[s.region]]), s.count*part+s.owed
		if w.move {
			s.owed = count - float64(uint32(count))
		}
		muted += uint64(count)
		at := w.placeOf(uint32(i))
		w.out[w.start+int(f.place[s.region])].Self -= took
		n := &w.out[w.start+int(at)]
		n.Self, n.Count, n.Estimated = n.Self+took, n.Count+uint32(count), EstimatedCount
		usual := part * s.windows // how many times as long as in a window
		variance := w.within(s.off / s.windows * gap * usual * usual)
		w.extras = append(w.extras, NodeExtra{Node: at, Estimated: EstimatedCount, Variance: variance}, NodeExtra{Node: f.place[s.region], Variance: variance})
	}
	w.tidyExtras(extras)
	return muted
}

// regions returns how long the frame's nodes were, as regions, without what muted entries cost, and what part of the time that windows
// let expect their muted nodes get: less than all where together that is more than there is, as when the program does less in them.
func (w *walk) regions() (length, share []float64) {
	g, c := w.lane.governed, costs()
	f, nodes := &g.fold, w.out[w.start:]
	rate, self := zeroed(f.timed, len(nodes)), zeroed(f.variance, len(nodes))
	length = zeroed(f.counted, len(nodes))
	f.timed, f.variance, f.counted, f.at = rate, self, length, f.at[:len(nodes)]
	for i := range g.silent {
		if s := &g.silent[i]; s.known && f.place[s.region] >= 0 {
			rate[f.place[s.region]] += s.count / s.length
			self[f.place[s.region]] += s.self / s.length
		}
	}
	share = self
	for i := range nodes {
		there := max(float64(nodes[i].Self), 0)
		length[i] = there / (1 + rate[i]*c.muted)
		if want := self[i] * length[i]; want > there {
			share[i] = there / want
		} else {
			share[i] = 1
		}
	}
	return length, share
}

// placeOf returns where node i is in the frame, which gets it if it has not yet.
func (w *walk) placeOf(i uint32) int32 {
	f, s := &w.lane.governed.fold, &w.lane.seen[i]
	if f.place[i] < 0 {
		all := w.lane.governed.silent
		above := all[i].parent
		if !all[above].known {
			above = all[i].region
		}
		parent := w.placeOf(above)
		f.place[i] = int32(len(w.out) - w.start)
		w.out = append(w.out, Node{ID: s.id, Zone: s.zone, Parent: parent, Depth: s.depth})
		f.at = append(f.at, i)
	}
	return f.place[i]
}

// speaks reports whether the lane may have done something of which it has no trace, as all that it did is muted.
func (g *governed) speaks() bool {
	if g == nil || g.version != registry.updates.muting.version {
		return false
	}
	for i := range g.silent {
		if g.silent[i].known && g.silent[i].region == 0 {
			return true
		}
	}
	return false
}
