//go:build !iprof_off

package gather

// What is timed has to be chosen, and what is counted again takes time, too. That is a tick or two for each entry that is counted, in
// bursts, which the zone around would have; so it is measured, told as a part of what counting takes, and moved to what was counted.

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

// choosing is what it took since the last frame to choose which entries are timed, and to count some again.
func (d *draw) choosing(move bool) float64 {
	spent, extra := d.spent.Load(), d.extra.Load()
	took := float64(spent-d.heard.spent) + float64(extra-d.heard.extra)*d.cost.again
	if move {
		d.heard.spent, d.heard.extra = spent, extra
	}
	return took
}
