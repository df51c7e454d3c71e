//go:build !iprof_off

package gather

import "math"

// The time of a subtree's untimed entries and the own time of the zone around make up a sum that is known to the tick. Runs tell both:
// how long the entries take, and how long the zone around takes behind each. What these miss of the sum, or have too much, is shared out
// by how far each may be off (Stone, Champernowne, Meade, The Precision of National Income Estimates, Review of Economic Studies 9,
// 1942). So of a zone that does the same around each entry little is wrong, however much these differ.
//
// Both also have too little where timing adds less than is believed, or too much. That is the same for many frames, and does not
// cancel out. So it counts for as much as if each frame had to find out by itself.

// mostMissing is how many standard errors may be missing; else something happened that no run has met, and stays with the zone around.
const mostMissing = 3

// ledger is such a sum, and what may be off of it.
type ledger struct {
	around   int32 // the zone around, in the frame
	missing  float64
	told     share   // of the entries
	own      share   // of the zone around
	timing   float64 // variance of what timing adds, for a frame
	balanced bool
}

// share is a part of the sum: its variance by the runs, and by how much it is too little if timing adds a tick less.
type share struct{ variance, pairs float64 }

// balance has what is told make up what there is.
func (w *walk) balance() {
	g := w.lane.governed
	f := &g.fold
	w.add()
	for t, p := range f.owing {
		if d := w.lane.drawFrom(&g.twins[t]); d != nil && p >= 0 {
			w.compare(d)
			f.variance[p] += d.ledger.variance(d.ledger.rest())
		}
	}
	for t, p := range f.owing {
		d := w.lane.drawOf(&g.twins[t])
		if d == nil || p < 0 {
			continue
		}
		s, a := w.share(t, d), d.ledger
		v := &f.variance[w.lane.seen[g.twins[t].untimed].out]
		if p == a.around {
			f.guess[t] += a.missing * a.part(s)
		} else {
			a.balanced = false // that is elsewhere
			f.variance[p] += a.variance(s)
		}
		*v = a.variance(s)
	}
}

// add begins a ledger for each subtree, and adds up what is told of its entries. Of its twins the top's comes first.
func (w *walk) add() {
	g := w.lane.governed
	for t, p := range g.fold.owing {
		d := w.lane.drawOf(&g.twins[t])
		if d == nil {
			continue
		}
		a := &d.ledger
		if w.lane.drawFrom(&g.twins[t]) != nil {
			*a = ledger{around: p}
		}
		if p >= 0 && p == a.around {
			a.missing -= g.fold.guess[t]
			a.told.add(w.share(t, d))
		}
	}
}

// compare finds what is missing of the sum, and whether to share that out.
func (w *walk) compare(d *draw) {
	l, nodes, a := w.lane, w.out[w.start:], &d.ledger
	top := d.members[0]
	untimed, timed := top.heard.untimed, 0.0
	if s := &l.seen[top.n.idx]; told(s, nodes) {
		timed = float64(nodes[s.out].Count)
	}
	d.around.heard.untimed = untimed + timed
	own, each, ok := d.says(&d.around.member)
	if each == 0 {
		each = float64(l.governed.gap)
	}
	a.missing += float64(nodes[a.around].Self) - own - untimed*(d.cost.counted+d.cost.choosing)/2 - timed*d.cost.outside
	a.timing = d.cost.doubt * d.frames()
	a.own = share{d.variance(&d.around.member, each), untimed * d.cost.outside / max(d.cost.pair, leastCost)}
	a.balanced = ok && a.missing <= mostMissing*math.Sqrt(a.doubt())
}

// share is what a twin's untimed entries are of the sum.
func (w *walk) share(t int, d *draw) share {
	l, nodes, f := w.lane, w.out[w.start:], &w.lane.governed.fold
	at := l.seen[l.governed.twins[t].untimed].out
	return share{f.variance[at], (float64(nodes[at].Count)*d.cost.inside + f.counted[at]*d.cost.outside) / max(d.cost.pair, leastCost)}
}

func (s *share) add(o share) { s.variance, s.pairs = s.variance+o.variance, s.pairs+o.pairs }

// rest is what the zone around is of the sum: what the runs say of it, or what the entries leave.
func (a *ledger) rest() share {
	if a.balanced {
		return a.own
	}
	return a.told
}

// doubt is the variance of what is missing.
func (a *ledger) doubt() float64 {
	pairs := a.told.pairs + a.own.pairs
	return a.told.variance + a.own.variance + pairs*pairs*a.timing
}

// part is how much of what is missing belongs to a share, 0..1.
func (a *ledger) part(s share) float64 {
	if doubt := a.doubt(); a.balanced && doubt > 0 {
		return (s.variance + s.pairs*(a.told.pairs+a.own.pairs)*a.timing) / doubt
	}
	return 0
}

// variance is that of a share when it has its part.
func (a *ledger) variance(s share) float64 {
	part := a.part(s)
	return max(s.variance+s.pairs*s.pairs*a.timing-part*part*a.doubt(), 0)
}

// frames is how many frames go by what timing is found to add in them all.
func (d *draw) frames() float64 {
	compared := d.members[0].heard.entries / float64(d.length-d.lead())
	return max(d.timed.weight()/max(compared, 1), 1)
}
