//go:build !iprof_off

package gather

import "math"

// The runs tell of two things: how long the entries of a demoted subtree last, and, where nothing else is entered beside them,
// how long the zone around takes from one to the next. The former differ from entry to entry much more than the latter. Both
// together should make the time around, which is known to the tick. What is left of that, or missing, is shared out among the
// entries, since they are what is known least. Then the little that a zone leaves to itself around many demoted entries is as
// sure as what it does between two of them.
//
// That would be wrong of a zone that does something else as well, before or after them all: what is left is its own then. But
// it is left in every frame, not left in one and missing in the next, and that shows.

// The constants of balancing.
const (
	surprise     = 2     // standard deviations: more than that is no chance
	fadingFrames = 0.998 // what is left of a frame's weight a frame later
	fewFrames    = 16    // show nothing yet
)

// balance is what was left so far, the variance it should have, and the frames; all fade.
type balance struct{ left, variance, frames float64 }

// around is what untimed entries in the same node should have in all.
type around struct {
	tops            int // subtrees they are in
	guess, variance float64
	share           float64 // of what is left, for each unit of variance
}

// balance changes the guesses where the time around is known better.
func (w *walk) balance() {
	l, nodes := w.lane, w.out[w.start:]
	g := l.governed
	f := &g.fold
	f.around = zeroed(f.around, len(nodes))
	for t, p := range f.owing {
		if p < 0 {
			continue
		}
		tw, a := &g.twins[t], &f.around[p]
		a.guess += f.guess[t]
		a.variance += f.variance[l.seen[tw.untimed].out]
		if tw.timed == tw.top {
			a.tops++
		}
	}
	for t, p := range f.owing {
		if tw := &g.twins[t]; p >= 0 && tw.timed == tw.top && f.around[p].tops == 1 {
			w.weigh(tw, p)
		}
	}
	for t, p := range f.owing {
		if p >= 0 {
			f.guess[t] += f.around[p].share * f.variance[l.seen[g.twins[t].untimed].out]
		}
	}
}

// weigh finds what is left of the time around a demoted subtree, by the guesses and by what the runs say of the time between two
// entries, and has it shared out if that can be chance.
func (w *walk) weigh(top *twin, p int32) {
	l, nodes := w.lane, w.out[w.start:]
	f := &l.governed.fold
	d, n := l.drawOf(top), &l.seen[top.timed]
	timed, untimed := 0.0, float64(nodes[l.seen[top.untimed].out].Count)
	if told(n, nodes) {
		timed = float64(nodes[n.out].Count)
	}
	if d == nil || loadFloat(&d.apart.pairs) < fewPairs || f.timed[p] != timed {
		return
	}
	a, measuring := &f.around[p], d.cost.outside+d.cost.asked
	between, doubt := d.apart.mean()
	between = max(between-measuring, 0)
	left := float64(nodes[p].Self) - untimed*(between+d.cost.counted/2) - timed*(between+measuring) - a.guess
	variance := a.variance + doubt*(untimed+timed)*(untimed+timed)
	b := top.balance
	b.left, b.variance, b.frames = b.left*fadingFrames+left, b.variance*fadingFrames+variance, b.frames*fadingFrames+1
	if w.move {
		top.balance = b
	}
	if variance > 0 && b.frames >= fewFrames && math.Abs(b.left) <= surprise*math.Sqrt(b.variance) {
		a.share = left / variance
	}
}
