//go:build !iprof_off

package gather

import (
	"math"

	"example.com/iprof/platform"
)

// mostOwed bounds what a node may be owed, in units of what it is estimated to have in a frame.
const mostOwed = 64

// settle moves the time. No more of it can be moved than there is: the rest waits for later frames.
func (w *walk) settle() {
	l, nodes := w.lane, w.out[w.start:]
	g := l.governed
	f := &g.fold
	total := f.counted // which is not needed any more
	clear(total)
	for t, p := range f.owing {
		if p >= 0 {
			total[p] += w.due(t)
		}
	}
	for t, p := range f.owing {
		if p < 0 {
			continue
		}
		want := w.due(t)
		if there := float64(max(nodes[p].Self, 0)); total[p] > there {
			want *= there / total[p]
		}
		tw := &g.twins[t]
		at := l.seen[tw.untimed].out
		nodes[at].Self = platform.Ticks(want)
		if w.move {
			tw.owe(f.guess[t], float64(nodes[at].Self))
		}
	}
	for t, p := range f.owing {
		if p >= 0 {
			nodes[p].Self -= nodes[l.seen[g.twins[t].untimed].out].Self
		}
	}
}

// due is what an untimed node should get now: nothing if all entries were timed, which are told as they are.
func (w *walk) due(t int) float64 {
	l, nodes, tw := w.lane, w.out[w.start:], &w.lane.governed.twins[t]
	timed := &l.seen[tw.timed]
	if nodes[l.seen[tw.untimed].out].Count == 0 && told(timed, nodes) && nodes[timed.out].Count > 0 {
		return 0
	}
	return max(l.governed.fold.guess[t]+tw.owed, 0)
}

// owe remembers what is still to be given.
func (t *twin) owe(guess, got float64) {
	t.owed += guess - got
	if most := mostOwed * math.Abs(guess); most > 0 {
		t.owed = min(max(t.owed, -most), most)
	}
}
