//go:build !iprof_off

package gather

// What measuring takes in place, in the program, is not what Calibrate has found: the processor does some of it while it waits
// for something else, and less of the program meanwhile. The runs tell what timing adds to counting.

// What timing takes, in parts of what Calibrate has found.
const (
	doubtedPair         = 0.25 // standard deviation, before runs were compared
	leastPair, mostPair = 0.5, 4
)

// costs returns what measuring takes in the subtree.
func (d *draw) costs(l *Lane) cost {
	c := costs()
	pairs := d.pairs(l.governed)
	dear, cheap := pairs*(c.pair+c.asked), pairs*c.counted
	if dear <= 0 || len(d.members) == mostMembers {
		return c
	}
	found := cheap + d.timed.estimate(dear-cheap, doubtedPair*dear)
	times := min(max(found/dear, leastPair), mostPair)
	c.pair, c.inside, c.outside, c.asked = c.pair*times, c.inside*times, c.outside*times, c.asked*times
	return c
}

// pairs is how many entries are demoted in one of the subtree. What is not demoted is timed in all runs.
func (d *draw) pairs(g *governed) (pairs float64) {
	top := loadFloat(&d.members[0].c)
	for i := range d.members {
		if m := &d.members[i]; top > 0 && (i == 0 || g.wants(int(m.n.idx))) {
			pairs += loadFloat(&m.c) / top
		}
	}
	return pairs
}

// hear takes in what the runs of the lane's demoted subtrees say.
func (w *walk) hear() {
	l := w.lane
	for i := range l.governed.twins {
		tw := &l.governed.twins[i]
		if d := l.drawOf(tw); d != nil && tw.timed == tw.top {
			d.cost = d.costs(l)
			d.read(l, d.cost, w.move)
		}
	}
}

// drawOf returns the draw of a twin's subtree, nil if there is none.
func (l *Lane) drawOf(tw *twin) *draw {
	if x := l.node(tw.top).extra.Load(); x != nil {
		return x.draw
	}
	return nil
}

// read takes in what the runs since the last frame say. Only if the frame ends is it used up.
func (d *draw) read(l *Lane, c cost, move bool) {
	for i := range d.members {
		m := &d.members[i]
		y, entries := loadFloat(&m.y), loadFloat(&m.c)
		m.heard.entries, m.heard.self = entries-m.heard.c, y-m.heard.y-(entries-m.heard.c)*c.inside
		if move {
			m.heard.y, m.heard.c = y, entries
		}
		if m.parent >= 0 {
			around := c.outside
			if l.governed.wants(int(m.n.idx)) {
				around += c.asked
			}
			d.members[m.parent].heard.self -= m.heard.entries * around
		}
	}
	for i := range d.members {
		m := &d.members[i].heard
		if move && m.entries > 0 {
			m.usual.entries = m.usual.entries*fading + m.entries
			m.usual.self = m.usual.self*fading + m.self
		}
	}
}

// says returns what the runs say that so many untimed entries of the member go by: timed ones, and their self time.
func (m *member) says() (entries, self float64) {
	if m.heard.entries < fewTimed && m.heard.usual.entries > 0 {
		return m.heard.usual.entries, max(m.heard.usual.self, 0)
	}
	return m.heard.entries, max(m.heard.self, 0)
}
