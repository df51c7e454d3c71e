//go:build !iprof_off

package gather

// What measuring takes in place, in the program, is not what Calibrate has found: the processor does some of it while it waits
// for something else, and less of the program meanwhile, and how much of that depends on what else the machine does. The runs tell
// what timing adds to counting, and what counting more often adds to that.

// What is believed of what timing and counting take before runs were compared, in parts of what Calibrate has found; and what
// they say at most. At least timing adds nothing to counting: some processors hide nearly all of the clock.
const (
	doubtedPair  = 1 // standard deviation
	doubtedCount = 1
	mostPair     = 4
)

// moreIsLeft is how much of counting is left for what counting again takes beyond a loop.
const moreIsLeft = 1.2

// leastCost is the least that a pair is believed to take: some clocks tick every 40 ns only.
const leastCost = 1.0 / costFraction

// costs returns what measuring takes in the subtree.
func (d *draw) costs() cost {
	c := costs()
	loop := max(c.counted/leftOfCount, leastCost)
	again, _ := d.again.estimate(loop, doubtedCount*loop)
	again = max(again, 0)
	counted := countedCost(loop, again)
	more, doubt := d.timed.estimate(max(c.pair-counted, leastCost), doubtedPair*c.pair)
	c = c.dearer(min((max(more, 0)+counted)/max(c.pair, leastCost), mostPair))
	c.counted, c.again, c.doubt = min(counted, c.pair), again, doubt
	return c
}

// countedCost is what counting takes where to count some entries again takes so long, and so long in a loop. That comes in one go, which
// nothing of the program's hides; of what is counted anyway leftOfCount is left on a quiet machine, where to count again takes as long
// as in a loop. The more else the processor does, the longer that takes, and the less is hidden. Builds of bench/flake differ by more
// than a machine's hours: where to count again takes 26 ticks and a loop 19, 16 to 22 of counting are left, where it takes 30, 22 to 28.
// The line goes through the middle. So it does no harm that what the machine does may change more often than the means that this goes by.
func countedCost(loop, again float64) float64 {
	return leftOfCount*min(again, loop) + moreIsLeft*max(again-loop, 0)
}

// findCosts says what timing and counting an entry take on the lane, in the mean of the entries that are counted.
func (w *walk) findCosts() {
	l, nodes := w.lane, w.out[w.start:]
	entries, c := 0.0, cost{}
	for t, p := range l.governed.fold.owing {
		tw := &l.governed.twins[t]
		if d := l.drawOf(tw); p >= 0 && d != nil {
			n := float64(nodes[l.seen[tw.untimed].out].Count)
			entries += n
			c.pair, c.counted, c.choosing = c.pair+n*d.cost.pair, c.counted+n*d.cost.counted, c.choosing+n*d.cost.choosing
		}
	}
	if entries > 0 {
		w.inPlace = cost{pair: c.pair / entries, counted: c.counted / entries, choosing: c.choosing / entries}
	}
}

// costs returns what measuring takes on the lane.
func (w *walk) costs() cost {
	c := costs()
	if w.inPlace.pair > 0 && c.pair > 0 {
		c = c.dearer(w.inPlace.pair / c.pair)
		c.counted, c.choosing = w.inPlace.counted, w.inPlace.choosing
	}
	return c
}

// dearer is c with pairs that take so many times as long, inside and outside.
func (c cost) dearer(times float64) cost {
	c.pair, c.inside, c.outside = c.pair*times, c.inside*times, c.outside*times
	return c
}

// hear takes in what the runs of the lane's demoted subtrees say, and how many entries they speak for.
func (w *walk) hear() {
	l, nodes := w.lane, w.out[w.start:]
	g := l.governed
	for i := range g.twins {
		if d := l.drawFrom(&g.twins[i]); d != nil {
			d.cost, d.heard.untimed = d.costs(), 0
			d.read(d.cost, w.move)
		}
	}
	for t, p := range g.fold.owing {
		if d := l.drawOf(&g.twins[t]); p >= 0 && d != nil {
			untimed := float64(nodes[l.seen[g.twins[t].untimed].out].Count)
			d.heard.untimed += untimed
			if m := d.member(g.twins[t].timed); m != nil {
				m.heard.untimed += untimed
			}
		}
	}
	for i := range g.twins {
		if d := l.drawFrom(&g.twins[i]); d != nil {
			d.heard.timed = w.pairsTimed(d)
			d.cost.choosing = d.choosing(w.move) / max(d.heard.untimed, 1)
		}
	}
}

// pairsTimed is how many entries were timed of what is demoted in the subtree.
//
//go:norace
func (w *walk) pairsTimed(d *draw) (pairs float64) {
	nodes := w.out[w.start:]
	for _, m := range d.members {
		if s := &w.lane.seen[m.n.idx]; told(s, nodes) && m.n.flag&flagDemoted != 0 {
			pairs += float64(nodes[s.out].Count)
		}
	}
	return pairs
}

// drawFrom returns the draw of the subtree that a twin begins, nil if it begins none. So each is met once.
func (l *Lane) drawFrom(tw *twin) *draw {
	if tw.timed != tw.top {
		return nil
	}
	return l.drawOf(tw)
}

// drawOf returns the draw of a twin's subtree, nil if there is none.
func (l *Lane) drawOf(tw *twin) *draw {
	if x := l.node(tw.top).extra.Load(); x != nil {
		return x.draw
	}
	return nil
}

// read takes in what the runs since the last frame say. Only if the frame ends is it used up.
func (d *draw) read(c cost, move bool) {
	d.around.read(c.outside, move)
	for _, m := range d.members {
		m.read(c.inside, move)
		if h := &m.heard; m.parent >= 0 {
			d.members[m.parent].heard.self -= h.entries * c.outside
		}
	}
}

// read takes in what the runs say of one member, without what measuring each entry takes of that.
func (m *member) read(each float64, move bool) {
	h := &m.heard
	y, entries := loadFloat(&m.y), loadFloat(&m.c)
	h.entries, h.self, h.untimed = entries-h.c, y-h.y-(entries-h.c)*each, 0
	if move {
		h.y, h.c = y, entries
	}
}

// remember adds the frame's runs to those that later frames go by.
func (d *draw) remember() {
	d.around.remember()
	for _, m := range d.members {
		m.remember()
	}
}

func (m *member) remember() {
	if h := &m.heard; h.entries > 0 {
		h.usual.entries = h.usual.entries*fading + h.entries
		h.usual.self = h.usual.self*fading + h.self
	}
}

// says estimates the self time of the member's untimed entries in the frame, and returns what part of these each timed one speaks
// for. It is not ok if nothing is known yet.
//
// It is the difference estimator (Särndal, Swensson, Wretman, Model Assisted Survey Sampling, section 6.3): what the runs have,
// times as many entries of the top as there are to one of theirs, and for each entry of the member that this is off by, what one
// usually takes. The ratio of the runs' time to their entries alone would be biased where frames have few runs. Freaks come on top.
func (d *draw) says(m *member) (self, each float64, ok bool) {
	h, top := &m.heard, &d.members[0].heard
	usual := h.usual.self / h.usual.entries
	switch {
	case top.entries < fewTimed && h.usual.entries > 0:
		return h.untimed * usual, 0, true
	case top.entries == 0 || h.usual.entries == 0 && h.entries == 0:
		return 0, 0, false
	case h.usual.entries == 0:
		usual = h.self / h.entries
	}
	each = top.untimed / top.entries
	return each*h.self + usual*(h.untimed-each*h.entries), each, true
}
