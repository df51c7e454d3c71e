//go:build !iprof_off

package gather

import "example.com/iprof/platform"

// runLength is how many entries a run has, at most: fewer where so many would not make runsPerFrame. A variable for the tests.
var runLength = uint32(64)

const runsPerFrame = 4

// draw chooses the entries of a demoted subtree that are timed. The lane's goroutine writes it.
//
// They are timed in runs. A processor has to learn the way through the clock again each time: the entries in front of a run are
// timed as well, but left out of the sums. Before and after come runs of entries that are only counted, with the clock read at
// their ends: what timing adds is known from how much longer the run between them takes, where the program uses the caches and
// the processor otherwise than the loop that Calibrate measures.
type draw struct {
	sample
	random uint64
	gap    uint32 // mean number of entries to count for each that is timed
	length uint32 // of a run
	rest   uint32 // entries of the stretch after its runs, which the next begins behind
	phase  phase
	at     platform.Ticks // when the phase began
	before platform.Ticks // that the counted run took
	took   platform.Ticks // that the timed run took
	timed  comparison     // of a timed run with counted ones
	apart  comparison     // of the time around a timed run's entries with none
	cost   cost           // what measuring takes in place: the reader's
}

// phase is what the entries are that a draw is asked about next.
type phase uint8

const (
	between  phase = iota // counted, until the runs begin
	counting              // a run of counted ones
	warming               // timed
	timing                // the run that counts
	cooling               // counted
	again                 // a run of counted ones
)

// newDraw makes the draw of a subtree, with what the one before it has found.
//
//go:norace
func (l *Lane) newDraw(n *node) *draw {
	d := &draw{random: uint64(platform.Now())*0x9E3779B97F4A7C15 | 1, gap: l.governed.gap, length: max(l.governed.length, 1)}
	x := n.more()
	old := x.draw
	if old != nil {
		d.random, d.timed, d.apart, d.cost = old.random, old.timed, old.apart, old.cost
	}
	d.sample = l.newSample(n, old)
	x.skip, x.time = 0, 0
	return d
}

// next is asked when no more entries are to be counted or timed without asking. It reports whether the one at hand is to be
// timed, and leaves in x how many go the same way after it.
//
//go:norace
//go:noinline
func (d *draw) next(x *extra) (timed bool) {
	entries := d.turn()
	for entries == 0 {
		entries = d.turn()
	}
	if timed = d.phase == warming || d.phase == timing; timed {
		x.time = entries - 1
	} else {
		x.skip = entries - 1
	}
	return timed
}

// turn ends a phase, and begins the next, of so many entries.
//
//go:norace
func (d *draw) turn() (entries uint32) {
	now := platform.Now()
	took := now - d.at
	d.at = now
	switch d.phase {
	case between:
		d.phase = counting
	case counting:
		d.phase, d.before = warming, took
	case warming:
		d.phase = timing
		d.mark()
	case timing:
		d.phase, d.took = cooling, took
		if around, alone := d.note(took); alone {
			d.apart.add(around, 0, d.length)
		}
	case cooling:
		d.phase = again
	case again:
		d.phase = between
		d.timed.add(d.took, (d.before+took)/2, d.length)
		return d.draw()
	}
	return d.length
}

// draw says how many entries to count before the next run, besides those that belong to the last. The entries are cut into
// stretches, each with a run anywhere in it at an even chance: where a program's work changes slowly, that tells more than if
// runs might crowd. The stretches are of half to one and a half times the mean length, so no rhythm of the program's can hide
// from it.
//
//go:norace
func (d *draw) draw() uint32 {
	const timed, counted = 2, 3 // runs
	mean := (max(d.gap*timed, counted+1) - counted) * d.length
	most := mean/2 + d.upTo(mean)
	at := d.upTo(most)
	skip := d.rest + at
	d.rest = most - at
	return skip
}

// upTo is a random number from 0 to most.
//
//go:norace
func (d *draw) upTo(most uint32) uint32 {
	d.random ^= d.random << 13
	d.random ^= d.random >> 7
	d.random ^= d.random << 17
	return uint32(d.random >> 32 * (uint64(most) + 1) >> 32)
}
