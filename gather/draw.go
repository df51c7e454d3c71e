//go:build !iprof_off

package gather

import "example.com/iprof/platform"

// blockLength is how many entries a block has, at most: fewer where so many would not make runsPerFrame. A variable for the tests.
var blockLength = uint32(16)

const (
	runsPerFrame = 4
	warmBlocks   = 2 // timed first
	blockPairs   = 4 // of a timed and a counted block
	timedBlocks  = warmBlocks + blockPairs
)

// draw chooses the entries of a demoted subtree that are timed. The lane's goroutine writes it.
//
// They are timed in runs. A processor has to learn the way through the clock again each time, so the entries of the first two
// blocks are timed, but left out of the sums. Then blocks that are timed and blocks that are only counted take turns, with the
// clock read at their ends; which of two comes first is drawn at random, and the first quarter of each is left out. What timing
// adds is known from how much longer the timed ones take, where the program uses the caches and the processor otherwise than the
// loop that Calibrate measures. Blocks side by side do much the same: many small ones tell more than a few large ones.
type draw struct {
	sample
	random  uint64
	gap     uint32 // mean number of entries to count for each that is timed
	length  uint32 // of a block
	rest    uint32 // entries of the stretch after its run, which the next begins behind
	phase   phase
	left    int            // blocks of the run
	timing  bool           // the block, or what comes before them
	at      platform.Ticks // when the phase began
	behind  uint64         // untimed pairs before the counted block
	timed   block
	counted block
	found   comparison
	cost    cost // what measuring takes in place: the reader's
}

// phase is what the entries are that a draw is asked about next.
type phase uint8

const (
	between   phase = iota // counted, until the next run
	warming                // timed, before the blocks
	leading                // the first of a block
	measuring              // the others
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
	if d.timing {
		x.time = entries - 1
	} else {
		x.skip = entries - 1
	}
	d.at = platform.Now() // without all that, which takes long where it is seldom done
	return d.timing
}

// turn ends a phase, and begins the next, of so many entries.
//
//go:norace
func (d *draw) turn() (entries uint32) {
	took := platform.Now() - d.at
	switch d.phase {
	case between:
		d.phase, d.timing, d.left = warming, true, 2*blockPairs
		return warmBlocks * d.length
	case leading:
		d.phase = measuring
		d.begin()
		return d.length - d.lead()
	case measuring:
		d.end(took)
	}
	if d.left == 0 {
		d.phase, d.timing = between, false
		d.tell()
		return d.draw()
	}
	if d.timing = !d.timing; d.left%2 == 0 {
		d.timing = d.upTo(1) == 0
	}
	d.phase = leading
	d.left--
	return d.lead()
}

// lead is how many entries of a block are not measured.
//
//go:norace
func (d *draw) lead() uint32 { return d.length / 4 }

// begin begins to measure a block.
//
//go:norace
func (d *draw) begin() {
	if d.timing {
		d.mark()
	} else {
		d.behind = d.untimed()
	}
}

// end ends that. Two blocks are compared.
//
//go:norace
func (d *draw) end(took platform.Ticks) {
	if d.timing {
		d.timed = block{took, d.note()}
	} else {
		d.counted = block{took, d.untimed() - d.behind}
	}
	if d.left%2 == 0 {
		d.found.add(d.timed, d.counted)
	}
}

// draw says how many entries to count before the next run, besides those that belong to the last. The entries are cut into
// stretches, each with a run anywhere in it at an even chance: where a program's work changes slowly, that tells more than if
// runs might crowd. The stretches are of half to one and a half times the mean length, so no rhythm of the program's can hide
// from it.
//
//go:norace
func (d *draw) draw() uint32 {
	mean := (d.gap*timedBlocks - blockPairs) * d.length
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
