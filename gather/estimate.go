//go:build !iprof_off

package gather

// The time of untimed entries passed in the innermost zone around them that is timed. What it will have been is told by the
// timed entries of the same nodes: so much self time for each entry, less what measuring added to it. That is moved from
// the node around to the untimed node. What the node around had between the entries is known in the same way: see balance. The sum of
// all self times stays the length of the frame, and what is timed keeps its hierarchical time to the tick.

// fading is what is left of a frame's weight a frame later, in the mean that serves frames without timed entries.
const fading = 0.9

// fewTimed is how many timed entries make a mean of their own.
const fewTimed = 4

// fold is what estimating needs room for: one value for each node of the lane's part of the frame.
type fold struct {
	at             []uint32  // index in the lane's seen
	timed, counted []float64 // entries of its children
	variance       []float64 // of its self time
	owing          []int32   // by twin: the timed node around it, -1 if it is not in the frame
	guess          []float64 // by twin: the self time it should have
	moved          []int32   // where it is now, -1 for nowhere
	place          []int32   // by index in the lane's seen: where it is now
	busy           []bool
	strays         map[childKey]uint32 // index of the node that others are told as: see sameAs
}

// estimate gives the untimed nodes of the frame their time, and makes one node of them and the timed ones. The lane's extras
// begin at the index given. It returns how many entries were not timed.
func (w *walk) estimate(extras int) (untimed uint64) {
	l, nodes := w.lane, w.out[w.start:]
	f := &l.governed.fold
	f.locate(l, nodes)
	any := false
	for i := 1; i < len(nodes); i++ {
		n := &nodes[i]
		if l.node(f.at[i]).flag&flagUntimed == 0 {
			f.timed[n.Parent] += float64(n.Count)
			continue
		}
		any = true
		untimed += uint64(n.Count)
		f.counted[n.Parent] += float64(n.Count)
	}
	if !any { // as after a limit was lifted: what is below untimed nodes is not here without them
		return 0
	}
	w.markOpen()
	w.around()
	w.hear()
	w.findCosts()
	w.guess()
	w.balance()
	w.remember()
	w.settle()
	w.merge(extras)
	return untimed
}

// markOpen marks the untimed nodes that are open: of them only the lane's stack says so.
//
//go:norace
func (w *walk) markOpen() {
	l, nodes := w.lane, w.out[w.start:]
	for n := l.at(); n != nil && !l.ended; n = n.parent {
		if n.flag&flagUntimed == 0 {
			continue
		}
		if s := &l.seen[n.idx]; told(s, nodes) {
			nodes[s.out].Open = true
		}
	}
}

// locate finds the nodes of the frame in the lane.
func (f *fold) locate(l *Lane, nodes []Node) {
	f.at, f.moved, f.busy = zeroed(f.at, len(nodes)), zeroed(f.moved, len(nodes)), zeroed(f.busy, len(nodes))
	f.timed, f.counted, f.variance = zeroed(f.timed, len(nodes)), zeroed(f.counted, len(nodes)), zeroed(f.variance, len(nodes))
	for i := range l.seen {
		if at := l.seen[i].out; told(&l.seen[i], nodes) {
			f.at[at] = uint32(i)
		}
	}
}

// zeroed returns n zeros, in the memory of s if that suffices.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, 2*n)
	}
	s = s[:n]
	clear(s)
	return s
}

// told reports whether a node of the lane is in the frame.
func told(s *seen, nodes []Node) bool {
	return s.out >= 0 && int(s.out) < len(nodes) && nodes[s.out].ID == s.id
}

// around leaves the time of untimed entries where it was measured, in the timed node around, and notes that.
func (w *walk) around() {
	l, nodes := w.lane, w.out[w.start:]
	g := l.governed
	f := &g.fold
	f.owing, f.guess = zeroed(f.owing, len(g.twins)), zeroed(f.guess, len(g.twins))
	for t := range g.twins {
		f.owing[t] = -1
		u := &l.seen[g.twins[t].untimed]
		if !told(u, nodes) {
			continue
		}
		if w.move {
			u.setOpen(true)
		}
		p := nodes[u.out].Parent
		for p > 0 && l.node(f.at[p]).flag&flagUntimed != 0 {
			p = nodes[p].Parent
		}
		f.owing[t] = p
		nodes[p].Self += nodes[u.out].Self
		nodes[u.out].Self = 0
	}
}

// guess says how much self time each untimed node should get.
func (w *walk) guess() {
	l, nodes := w.lane, w.out[w.start:]
	g := l.governed
	f := &g.fold
	for t := range g.twins {
		tw := &g.twins[t]
		u := &l.seen[tw.untimed]
		d := l.drawOf(tw)
		if f.owing[t] < 0 || nodes[u.out].Count == 0 || d == nil {
			continue
		}
		count, m := float64(nodes[u.out].Count), d.member(tw.timed)
		self, each, ok := 0.0, 0.0, false
		freak, freaks := 0.0, 0.0
		if m != nil {
			self, each, ok = d.says(m)
			freak, freaks = d.freakTime(m)
			self = (self + freak) * count / m.heard.untimed
		}
		if !ok {
			if self, ok = w.ofFrame(tw, d, count); !ok {
				continue
			}
		}
		if each == 0 {
			each = float64(g.gap) // the same few serve several frames
		}
		// Of a pair, which self is without, counting is a part, and half of one is inside: so what counting is believed to take is
		// taken off and put on again, and how long the program counted is told whatever is believed.
		f.guess[t] = self + (count+f.counted[u.out])*(d.cost.counted+d.cost.choosing)/2 + f.timed[u.out]*d.cost.outside
		if m != nil {
			f.variance[u.out] = w.within(d.variance(m, each) + freaks)
		}
	}
}

// remember has later frames go by this one, too. It comes after all says.
func (w *walk) remember() {
	for t := range w.lane.governed.twins {
		if d := w.lane.drawFrom(&w.lane.governed.twins[t]); d != nil && w.move {
			d.remember()
		}
	}
}

// ofFrame estimates the self time of a twin's untimed entries by all timed ones of the frame: before there were runs, and for a
// subtree's members beyond those sampled.
func (w *walk) ofFrame(tw *twin, d *draw, count float64) (self float64, ok bool) {
	nodes, n := w.out[w.start:], &w.lane.seen[tw.timed]
	if !told(n, nodes) || nodes[n.out].Count == 0 {
		return 0, false
	}
	timed := float64(nodes[n.out].Count)
	measuring := timed*d.cost.inside + w.lane.governed.fold.timed[n.out]*d.cost.outside
	return max(float64(nodes[n.out].Self)-measuring, 0) * count / timed, true
}

// within bounds a variance: what was done in a frame took no longer than the frame.
func (w *walk) within(variance float64) float64 {
	return min(variance, float64(w.length)*float64(w.length))
}

// variance is how far an untimed node's time may be off, squared: the scatter of the timed runs, for as many as are not; each
// of the former speaks for so many of the latter. That of freaks comes on top.
func (d *draw) variance(m *member, each float64) float64 {
	top := d.members[0]
	runs := top.heard.untimed * loadFloat(&top.spread[spreadRuns]) / max(loadFloat(&top.spread[spreadC]), 1)
	return m.scatter() * runs * (1 + each)
}

// scatter is the variance, from one run of timed entries to another, of the member's self time about what its own number
// of entries lets expect.
func (m *member) scatter() float64 {
	var s [spreads]float64
	for i := range s {
		s[i] = loadFloat(&m.spread[i])
	}
	if s[spreadRuns] < 2 || s[spreadC] <= 0 {
		return 0
	}
	r := s[spreadY] / s[spreadC]
	return max(s[spreadYY]-2*r*s[spreadYC]+r*r*s[spreadCC], 0) / (s[spreadRuns] - 1)
}
