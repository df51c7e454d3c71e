//go:build !iprof_off

package measure

import (
	"slices"

	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/platform"
)

// This file estimates the time of counted entries. That time is part of the enclosing zone's measured self time. The
// timed entries of the same node give the mean self time of an entry, without the cost of timing. The product of this
// mean and the number of counted entries moves from the enclosing zone to the node. So the self times still sum to the
// length of the frame. The error of the estimate stays in the enclosing zone, and both zones get the same standard
// error.

const (
	costShares   = 64  // frames share the error of the cost of timing, so variances of sums exceed sums of variances
	doubtedSplit = 0.5 // standard error of the part of the cost that lies inside the zone, as a share of the cost
)

// scratch is memory for governing one lane. The registry's mutex guards it.
type scratch struct {
	spots []spot
	forms []formSpot // by node in the frame; only of a lane with forms
	place []int32    // by index in the lane's base: index in the frame, or -1

	entered   []governor.Node
	extras    []NodeExtra
	enclosers []int32 // of muted nodes
}

// spot is the governor's data on a node in the frame.
type spot struct {
	_        incomparable
	node     *node
	encloser int32          // index of the enclosing zone
	gives    bool           // it encloses a muted node
	busy     bool           // the node, or one below, has something to report
	muted    uint64         // entries of a muted zone that were not timed
	bias     *governor.Bias // of a muted node
	guess    float64        // estimated self time
	variance float64        // of guess

	total  float64 // of an enclosing zone: the sum of the guesses, then the share of them that it can give
	excess float64 // of an enclosing zone: the sum of the variances, then the ticks beyond the usual rest and the error
	usual  float64 // of an enclosing zone: all other ticks
}

// formSpot is further data of a node in a frame that has forms.
type formSpot struct {
	_     incomparable
	form  *form   // if the node counts entries, else nil
	moved int32   // index after merge, or -1
	inner float64 // counted entries below it
	cost  governor.Cost
}

// locate finds the nodes of the frame in the lane. Each has a spot, which is written once: a frame may have thousands.
func (w *walk) locate() {
	s, l, nodes := &reading.scratch, w.lane, w.out[w.start:]
	s.spots = slices.Grow(s.spots[:0], len(nodes))[:len(nodes)]
	for i := range l.base {
		if inFrame(&l.base[i], nodes) {
			s.spots[l.base[i].out] = spot{node: l.node(uint32(i))}
		}
	}
}

// locatePlaces finds the places of the lane's nodes in the frame.
func (w *walk) locatePlaces() {
	s, l, nodes := &reading.scratch, w.lane, w.out[w.start:]
	s.place = slices.Grow(s.place[:0], len(l.base))[:len(l.base)]
	for i := range l.base {
		if s.place[i] = -1; inFrame(&l.base[i], nodes) {
			s.place[i] = l.base[i].out
		}
	}
}

// estimate gives the forms in the frame their time, and merges them with the nodes that they mirror. It returns the
// number of counted entries.
func (w *walk) estimate() (untimed uint64) {
	s, nodes := &reading.scratch, w.out[w.start:]
	all := s.spots
	s.forms = slices.Grow(s.forms[:0], len(nodes))[:len(nodes)]
	clear(s.forms)
	w.locatePlaces()
	for i := range all {
		if all[i].node.flag&flagUntimed != 0 {
			untimed += uint64(nodes[i].Count)
			w.lend(i)
		}
	}
	for n := w.lane.at(); n != nil && !w.lane.ended; n = n.parent { // only the stack shows which forms are open
		if at := reading.scratch.place[n.idx]; n.flag&flagUntimed != 0 && at >= 0 {
			nodes[at].Open, nodes[at].Estimated = true, EstimatedTime
		}
	}
	for i := range all {
		if s.forms[i].form != nil {
			w.guess(i)
		}
	}
	for p := range all {
		if all[p].total > 0 {
			w.settle(p, &w.lane.governed.enclosers)
		}
	}
	var mean governor.Mean
	for i := range all {
		if f := s.forms[i].form; f != nil {
			w.take(i, &f.bias)
			mean.Add(float64(nodes[i].Count), w.spend(i))
		}
	}
	w.inPlace = mean.Cost()
	w.merge()
	return untimed
}

// lend finds the enclosing zone of form i, and leaves the form's time there for now.
func (w *walk) lend(i int) {
	all, nodes := reading.scratch.spots, w.out[w.start:]
	s, p, forms := &all[i], nodes[i].Parent, reading.scratch.forms
	if forms[p].inner += float64(nodes[i].Count); all[p].node.flag&flagUntimed != 0 {
		p = all[p].encloser
	}
	s.encloser = p
	if nodes[i].Count > 0 {
		forms[i].form = s.node.extra.Load().form
	}
	nodes[p].Self += nodes[i].Self
	nodes[i].Self = 0
	if w.move {
		w.lane.base[s.node.idx].setOpen(true) // the reader must visit it in every frame
	}
}

// guess estimates the self time of a form. Its variance comes from the scatter of the bursts and the error of the cost
// of timing.
func (w *walk) guess(i int) {
	s, f := &reading.scratch.spots[i], &reading.scratch.forms[i]
	f.cost = f.form.costs()
	n, c, bursts := float64(w.out[w.start+i].Count), f.cost, f.form.of.extra.Load().form.Latest()
	inside := 0.0
	if c.Pair > 0 { // of a clock that stands still, it is 0
		inside = c.Inside / c.Pair
	}
	pairs := n*inside + f.inner*(1-inside)
	more := c.Pair - c.Counted
	s.guess = max(n*bursts.Mean()-pairs*more, 0)
	doubt := c.Doubt*c.Doubt + governor.Square(doubtedSplit*more)
	s.variance = bursts.Variance(n, s.guess) + pairs*pairs*doubt*costShares
	a := &reading.scratch.spots[s.encloser]
	a.total, a.excess = a.total+s.guess, a.excess+s.variance
}

// settle decides how much time the enclosing zone at index p gives away, at most its self time. It owes the rest, which
// moves in later frames.
func (w *walk) settle(p int, all *enclosers) {
	s := &reading.scratch.spots[p]
	a, there := all.of(s.node.idx), float64(max(w.out[w.start+p].Self, 0))
	s.total, s.excess = a.Give(there, s.total, s.excess)
	if s.usual = max(there-s.excess, 1); w.move {
		all.set(s.node.idx, a)
	}
}

// take moves the estimated time to node i. Unusual time that remains in the enclosing zone may have passed in a counted
// entry, for example in an interrupt. The form misses its share of that time in every frame, so these errors add up.
func (w *walk) take(i int, bias *governor.Bias) {
	all, nodes := reading.scratch.spots, w.out[w.start:]
	s, n := &all[i], &nodes[i]
	a, p := &all[s.encloser], &nodes[s.encloser]
	moved := platform.Ticks(s.guess * a.total)
	n.Self, p.Self = n.Self+moved, p.Self-moved
	n.Estimated, p.Estimated = EstimatedTime, EstimatedTime
	missed := 0.0
	if moved > 0 { // else the usual rest may be 0, too
		missed = float64(moved) / a.usual * a.excess
	}
	s.variance = min(s.variance+missed*(a.excess-missed), governor.Square(float64(w.length))) +
		bias.Add(missed, w.move)
	a.variance += s.variance
}

// spend returns the cost of measuring an entry of form i, including the cost of choosing. It makes the frame's bursts
// earlier ones.
func (w *walk) spend(i int) governor.Cost {
	s, f := &reading.scratch.spots[i], &reading.scratch.forms[i]
	c, b, of := f.cost, f.form.burst, &f.form.of.extra.Load().form.Sample
	if b != nil {
		c.Counted += b.frameChoiceTime / float64(w.out[w.start+i].Count)
		reading.scratch.spots[s.encloser].variance += governor.Square(b.frameChoiceTime) // the choosing passed there
		if w.move {
			b.frameChoiceTime = 0
		}
	}
	if w.move {
		of.EndFrame()
	}
	return c
}

// costs returns the cost of measuring on the lane: measured in place, else calibrated.
func (w *walk) costs() governor.Cost {
	if w.inPlace.Pair > 0 {
		return w.inPlace
	}
	return calibrated().Cost()
}

// costs returns the cost of measuring at a form.
func (f *form) costs() governor.Cost {
	return calibrated().Cost().InPlace(f.top.extra.Load().form.burst.compared)
}
