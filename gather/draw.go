//go:build !iprof_off

package gather

import "example.com/iprof/platform"

// runLength is how many entries a run has, at most: fewer where so many would not make runsPerFrame. A variable for the tests.
var runLength = uint32(128)

const (
	runsPerFrame = 4
	warmRuns     = 1 // as long as a run, that are timed before it
)

// draw chooses the entries of a demoted subtree that are timed. The lane's goroutine writes it.
//
// They are timed in runs. A processor has to learn the way through the clock again each time: as many entries in front of a run
// are timed as well, but left out of the sums. Before and after come runs of entries that are only counted, with the clock read
// at their ends: what timing adds is known from how much longer the run between them takes, where the program uses the caches
// and the processor otherwise than the loop that Calibrate measures.
type draw struct {
	sample
	random uint64
	gap    uint32 // mean number of entries to count for each that is timed
	length uint32 // of a run
	rest   uint32 // entries of the stretch after its runs, which the next begins behind
	phase  phase
	at     platform.Ticks // when the phase began
	behind uint64         // untimed pairs before it
	before run
	timed  run
	found  comparison
	cost   cost // what measuring takes in place: the reader's
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
		d.random, d.found, d.cost = old.random, old.found, old.cost
	}
	d.sample = l.newSample(n, old)
	x.skip, x.time = d.draw(), 0 // not at once: that would be wherever the program begins its frames
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
	d.at = platform.Now() // without that: a processor has to fetch all of it, as it is seldom done
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
	took := platform.Now() - d.at
	switch d.phase {
	case between:
		d.phase, d.behind = counting, d.untimed()
	case counting:
		d.phase, d.before = warming, run{took, d.untimed() - d.behind}
		return warmRuns * d.length
	case warming:
		d.phase = timing
		d.mark()
	case timing:
		d.phase, d.timed = cooling, run{took, d.note()}
		return d.cool()
	case cooling:
		d.phase, d.behind = again, d.untimed()
	case again:
		d.phase = between
		d.found.add(d.timed, d.before, run{took, d.untimed() - d.behind})
		return d.draw()
	}
	return d.length
}

// cool is how many entries are counted before they are compared with timed ones.
//
//go:norace
func (d *draw) cool() uint32 { return (d.length + 3) / 4 }

// draw says how many entries to count before the next run, besides those that belong to the last. The entries are cut into
// stretches, each with a run anywhere in it at an even chance: where a program's work changes slowly, that tells more than if
// runs might crowd. The stretches are of half to one and a half times the mean length, so no rhythm of the program's can hide
// from it.
//
//go:norace
func (d *draw) draw() uint32 {
	mean := d.gap*(warmRuns+1)*d.length - 2*d.length - d.cool()
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
