//go:build !iprof_off

package gather

import (
	"math"
	"sync/atomic"

	"example.com/iprof/platform"
)

// mostMembers bounds the nodes of a demoted subtree whose scatter is known.
const mostMembers = 32

// runLength is how many entries are timed in a row, at most: fewer where so many would not make runsPerFrame. A variable for the tests.
var runLength = uint32(64)

const runsPerFrame = 4

// draw chooses the entries of a demoted subtree that are timed, and keeps the sums that tell how much they differ. The lane's
// goroutine writes it, the reader reads it.
//
// A run of timed entries is followed by one of the same length that are only counted, and the clock is read once before, between
// and after: what timing adds is known from how much longer the first takes, where the program uses the caches and the
// processor otherwise than the loop that Calibrate measures.
type draw struct {
	random  uint64
	gap     uint32 // mean number of entries to count for each that is timed
	length  uint32 // of a run
	left    uint32 // to time in this one
	rest    uint32 // entries of the stretch after it, which the next begins behind
	phase   phase
	at      platform.Ticks // when the run began
	took    platform.Ticks // by the run of timed entries
	usual   float64        // ticks that a run takes: half of them take longer
	runs    uint64         // timed, that is: rows of the sums below
	pairs   uint64         // float64 bits: of a timed run and a counted one, fading
	timed   uint64         // what the former took
	counted uint64         // and the latter
	members []member
}

// phase is what the entries are that a draw is asked about next.
type phase uint8

const (
	between  phase = iota // counted, until a run begins
	timing                // a run of timed ones
	counting              // as many counted ones
)

// member is a node of the subtree. Its sums are float64 bits: of its entries c and its self time y in each run of entries.
type member struct {
	n                *node
	parent           int // in members
	acc              platform.Ticks
	count            uint64
	self             platform.Ticks // of the latest
	y, c, yy, yc, cc uint64
}

// newDraw makes the draw of a subtree anew.
//
//go:norace
func (l *Lane) newDraw(n *node) *draw {
	d := &draw{random: uint64(platform.Now())*0x9E3779B97F4A7C15 | 1, gap: l.governed.gap, length: max(l.governed.length, 1)}
	if old := n.more().draw; old != nil {
		d.random = old.random
	}
	d.members = append(d.members, member{n: n, parent: -1})
	for i := 0; i < len(d.members); i++ {
		for kid := l.seen[d.members[i].n.idx].kid; kid != 0 && len(d.members) < mostMembers; kid = l.seen[kid].next {
			d.members = append(d.members, member{n: l.node(kid), parent: i})
		}
	}
	d.mark()
	return d
}

// next is asked when no more entries are to be counted without asking. It reports whether the one at hand is to be timed; if not,
// that is counted, and so are as many as it leaves in x.skip.
//
//go:norace
//go:noinline
func (d *draw) next(x *extra) (timed bool) {
	switch {
	case d.phase == between:
		d.mark()
		d.phase, d.left, d.at = timing, d.length, platform.Now()
	case d.phase == counting:
		d.compare(platform.Now() - d.at)
		d.phase = between
		if x.skip = d.draw(); x.skip > 0 {
			x.skip--
			return false
		}
		return d.next(x)
	case d.left == 0:
		now := platform.Now()
		d.note()
		d.phase, d.took, d.at = counting, now-d.at, now
		x.skip = d.length - 1
		return false
	}
	d.left--
	return true
}

// draw says how many entries to count before the next run, besides those after the last. The entries are cut into stretches, each with
// a run anywhere in it at an even chance: where a program's work changes slowly, that tells more than if runs might crowd. The
// stretches are of half to one and a half times the mean length, so no rhythm of the program's can hide from it.
//
//go:norace
func (d *draw) draw() uint32 {
	mean := (max(d.gap, 1) - 1) * d.length
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

// Comparing runs.
const (
	mostUsual   = 4            // times as long as they usually are one of a pair may last, else something came between
	usualStep   = 1.125        // by which what is usual follows
	fadingPairs = 1 - 1.0/4096 // what is left of a pair's weight with the next
	pairsToTell = 16           // as much as these say, Calibrate said before
)

// compare adds a timed run and the counted one that followed and took so long.
//
//go:norace
func (d *draw) compare(counted platform.Ticks) {
	long := float64(max(d.took, counted))
	if d.usual == 0 {
		d.usual = long
	}
	far := long > mostUsual*d.usual
	if d.usual /= usualStep; long > d.usual {
		d.usual *= usualStep * usualStep
	}
	if far {
		return
	}
	publishFloat(&d.timed, loadFloat(&d.timed)*fadingPairs+float64(d.took))
	publishFloat(&d.counted, loadFloat(&d.counted)*fadingPairs+float64(counted))
	publishFloat(&d.pairs, loadFloat(&d.pairs)*fadingPairs+1)
}

// dearer is how many times as much as Calibrate found it takes to time entries of the subtree.
func (d *draw) dearer(l *Lane) float64 {
	c, dear, cheap := costs(), 0.0, 0.0
	rows := float64(max(atomic.LoadUint64(&d.runs), 1))
	for i := range d.members {
		if m := &d.members[i]; i == 0 || l.governed.wants(int(m.n.idx)) { // what is not demoted is timed in both
			dear += loadFloat(&m.c) / rows * c.pair
			cheap += loadFloat(&m.c) / rows * c.counted
		}
	}
	pairs := loadFloat(&d.pairs)
	if pairs < 1 || dear <= 0 || len(d.members) == mostMembers {
		return 1
	}
	found := cheap + (loadFloat(&d.timed)-loadFloat(&d.counted))/pairs
	return min(max((found*pairs+dear*pairsToTell)/(dear*(pairs+pairsToTell)), leastDearer), mostDearer)
}

// The bounds of what dearer tells.
const leastDearer, mostDearer = 0.5, 4

// mark begins a run: what the members have now does not belong to it.
//
//go:norace
func (d *draw) mark() {
	for i := range d.members {
		m := &d.members[i]
		m.acc, m.count = m.n.acc, m.n.count
	}
}

// note adds the run that was timed to the sums.
//
//go:norace
func (d *draw) note() {
	top := &d.members[0]
	if top.n.count == top.count || top.n.acc < 0 {
		return
	}
	for i := len(d.members) - 1; i >= 0; i-- {
		m := &d.members[i]
		took := m.n.acc - m.acc
		m.self += took
		if m.parent >= 0 {
			d.members[m.parent].self -= took
		}
		m.add(float64(m.self), float64(m.n.count-m.count))
		m.self = 0
	}
	publish(&d.runs, d.runs+1)
}

//go:norace
func (m *member) add(y, c float64) {
	for _, s := range [...]struct {
		sum *uint64
		v   float64
	}{{&m.y, y}, {&m.c, c}, {&m.yy, y * y}, {&m.yc, y * c}, {&m.cc, c * c}} {
		publishFloat(s.sum, loadFloat(s.sum)+s.v)
	}
}

//go:norace
func publishFloat(p *uint64, v float64) { publish(p, math.Float64bits(v)) }

func loadFloat(p *uint64) float64 { return math.Float64frombits(atomic.LoadUint64(p)) }
