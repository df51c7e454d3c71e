//go:build !iprof_off

package gather

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// blockLength is how many entries a block has, at most: fewer where so many would not make runsPerFrame. A variable for the tests.
var blockLength = uint32(64)

const (
	runsPerFrame = 4
	warmBlocks   = 1 // timed first
	blockPairs   = 2 // of a timed and a counted block
	countPairs   = 1 // of blocks that tell what counting takes
	pairedBlocks = 2 * (blockPairs + countPairs)
	calmBlocks   = 1 // counted, the last of a run
	runBlocks    = warmBlocks + pairedBlocks + calmBlocks
	timedBlocks  = warmBlocks + blockPairs
	otherBlocks  = 2*runBlocks - timedBlocks // of a run, and beside it

	fewAgain  = 1 // times an entry is counted again beside others
	manyAgain = 4 // that are so many times: to begin with it takes half as much as once, which is no part of counting
)

// draw chooses the entries of a demoted subtree that are timed. The lane's goroutine writes it.
//
// They are timed in runs. Before each, as many entries as it has are counted, so that it is known what the run takes in all (choosing).
// A processor has to learn the way through the clock again each time, so the entries of the first block are timed, but left out of the
// sums. Then blocks that are timed and blocks that are only counted take turns, with the clock read at their ends; which of two comes
// first is drawn at random, and the first eighth of each is left out. What timing adds is known from how much longer the timed ones
// take, where the program uses the caches and the processor otherwise than the loop that Calibrate measures. What counting takes there
// is known in the same way, from blocks whose entries are counted again once or several times. What is side by side does much the same:
// many small blocks tell more than a few large ones. But to begin a block takes as long as to time several entries, and blocks of 8 are
// too short to get used to anything, as bench/flake shows.
type draw struct {
	sample
	progress
	random uint64
	gap    uint32        // mean number of entries to count for each that is timed
	length uint32        // of a block
	timed  comparison    // of timed blocks with counted ones
	again  comparison    // of blocks counted several times with blocks counted once
	whole  comparison    // of runs with what is counted beside them, for each pair that is timed
	spent  atomic.Uint64 // ticks in which what is next was chosen
	extra  atomic.Uint64 // times that entries were counted again

	// The reader's:
	cost   cost // what measuring takes in place
	ledger ledger
	heard  struct {
		spent, extra uint64
		untimed      float64 // pairs in this frame
		timed        float64 // pairs in this frame
	}
}

// progress is where a draw is.
type progress struct {
	rest   uint32 // entries of the stretch after its run, which the next begins behind
	phase  phase
	left   int            // blocks of the run
	pair   [2]kind        // of the blocks at hand, the second one first
	kind   kind           // of the block, or what comes before them
	asked  uint32         // entries to come that the draw is asked about each
	at     platform.Ticks // when the phase began
	behind uint64         // untimed pairs before the block
	more   block          // of the two, the one that is timed or counted again
	less   block
	run    run // that is at hand, or comes next
}

// phase is what the entries are that a draw is asked about next.
type phase uint8

const (
	between   phase = iota // counted, until the next run
	beside                 // counted, as many as a run has
	warming                // timed, before the blocks
	leading                // the first of a block
	measuring              // the others
	calming                // counted, after the blocks
)

// kind is what becomes of a block's entries.
type kind uint8

const (
	counting kind = iota
	timing
	recounting     // counted, and the draw is asked about each, which counts it fewAgain times more,
	recountingMore // or manyAgain
)

// newDraw makes the draw of a subtree, or has the one that it had begin anew, with what that has found.
//
//go:norace
func (l *Lane) newDraw(n *node, d *draw) *draw {
	if d == nil {
		seed := uint64(platform.Now()) ^ uint64(n.idx)<<32 // not the same for all of a lane that begin within a tick of the clock
		d = &draw{random: seed*0x9E3779B97F4A7C15 | 1}
	}
	if length := max(l.governed.length, 1); d.length != length {
		d.length = length
		d.whole.forget() // runs of other lengths
	}
	d.gap, d.progress = l.governed.gap, progress{}
	d.list(l, n)
	return d
}

// next is asked when no more entries are to be counted or timed without asking. It reports whether the one at hand is to be
// timed, and leaves in x how many go the same way after it.
//
//go:norace
//go:noinline
func (d *draw) next(x *extra) (timed bool) {
	if d.asked > 0 {
		d.asked--
		d.recount()
		return false
	}
	begun := platform.Now()
	entries := d.turn(x, begun)
	for entries == 0 {
		entries = d.turn(x, begun)
	}
	switch d.kind {
	case timing:
		x.startTiming(entries)
	case counting:
		x.skip = entries - 1
	default:
		d.asked = entries - 1
	}
	d.at = platform.Now() // without all that, which takes long where it is seldom done
	bump(&d.spent, uint64(max(d.at-begun, 0)))
	if d.kind >= recounting {
		d.recount()
	}
	return d.kind == timing
}

// turn ends a phase, and begins the next, of so many entries.
//
//go:norace
func (d *draw) turn(x *extra, now platform.Ticks) (entries uint32) {
	took := now - d.at
	switch d.phase {
	case between:
		d.phase = beside
		d.beginBeside()
		return runBlocks * d.length
	case beside:
		d.beginRun(now)
		d.phase, d.kind, d.left = warming, timing, pairedBlocks
		return warmBlocks * d.length
	case leading:
		d.phase = measuring
		d.begin()
		return d.length - d.lead()
	case measuring:
		d.end(x, took)
	case calming:
		d.endRun(now)
		d.phase = between
		return d.draw()
	}
	if d.left == 0 {
		d.phase, d.kind = calming, counting
		d.tell()
		return calmBlocks * d.length
	}
	if d.left%2 == 0 {
		d.nextPair()
	}
	d.left--
	d.phase, d.kind = leading, d.pair[d.left%2]
	return d.lead()
}

// draw says how many entries to count before the next run, besides those that belong to the last. The entries are cut into
// stretches, each with a run anywhere in it at an even chance: where a program's work changes slowly, that tells more than if
// runs might crowd. The stretches are of half to one and a half times the mean length, so no rhythm of the program's can hide
// from it.
//
//go:norace
func (d *draw) draw() uint32 {
	mean := (d.gap*timedBlocks - otherBlocks) * d.length
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
