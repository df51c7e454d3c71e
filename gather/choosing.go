//go:build !iprof_off

package gather

import "example.com/iprof/platform"

// What is timed has to be chosen, and what is counted again takes time, too. The processor has to find its way into each block besides,
// and back, which takes longer than both. The zone around would have all that; so it is measured, told as a part of what counting
// takes, and moved to what was counted. What it takes to choose is seen each time. The rest is what a run takes longer than as many
// entries before it that are counted, less what timing adds.

// doubtedWhole is the standard deviation of what is believed that a run takes for each pair that it times, in pairs.
const doubtedWhole = 2

// unseenTurns are the turns that are no part of what a run takes longer than what is beside it: where that begins and ends, and where
// the run does.
const unseenTurns = 3

// run is what was there when a run began, or the entries beside it.
type run struct {
	begun          platform.Ticks
	spent          uint64
	untimed, timed uint64 // pairs
	beside         block  // those entries
}

// recount counts some entries besides, of no zone of the program's.
//
//go:norace
func (d *draw) recount() {
	s, times := &d.lane.governed.spare, fewAgain
	if d.kind == recountingMore {
		times = manyAgain
	}
	for range times {
		if k := countOn(s, &calibratedZone); k != nil {
			uncountOn(s, k)
		}
	}
	bump(&d.extra, uint64(times))
}

// beginBeside begins what is counted before a run.
//
//go:norace
func (d *draw) beginBeside() { d.run.untimed = d.untimed() }

// beginRun ends that, and begins the run.
//
//go:norace
func (d *draw) beginRun(now platform.Ticks) {
	untimed := d.untimed()
	d.run = run{now, d.spent.Load(), untimed, d.pairsTimed(), block{now - d.at, untimed - d.run.untimed}}
}

// endRun ends the run, and compares the two.
//
//go:norace
func (d *draw) endRun(now platform.Ticks) {
	timed := d.pairsTimed() - d.run.timed
	took := now - d.run.begun - platform.Ticks(d.spent.Load()-d.run.spent)
	d.whole.add(block{took, d.untimed() - d.run.untimed + timed}, d.run.beside, float64(timed))
}

// choosing is what it took since the last frame to choose which entries are timed, and what their runs took besides to time them.
func (d *draw) choosing(move bool) float64 {
	spent, extra := d.spent.Load(), d.extra.Load()
	took, again := float64(spent-d.heard.spent), float64(extra-d.heard.extra)*d.cost.again
	if move {
		d.heard.spent, d.heard.extra = spent, extra
	}
	if timed := d.heard.timed; timed > 0 {
		seen := d.cost.pair - d.cost.counted + again/timed
		each, _ := d.whole.estimate(seen, doubtedWhole*d.cost.pair)
		again = max(again+timed*(each-seen)*d.turns()/(d.turns()-unseenTurns), 0)
	}
	return took + again
}

// turns is how often the draw turns to other entries from one run to the next: to those of the phases that are not of paired blocks,
// and of these to what leads them, if anything does, and to what is measured.
func (d *draw) turns() float64 {
	const others = 4
	if d.lead() == 0 {
		return others + pairedBlocks
	}
	return others + 2*pairedBlocks
}
