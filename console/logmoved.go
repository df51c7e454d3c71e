package console

import "example.com/iprof/process/report"

// When a named lane ends, its time is added to an earlier lane of the same name. That time already has lines, so it is
// subtracted.

// movedZone is the time in a zone that lanes of one name have lost.
type movedZone struct {
	name string
	zone report.ZoneID
}

// withoutMoved subtracts the time that came from lanes of the same name. Lines without a rest are dropped.
func (l *logger) withoutMoved(lines []laneLine, now map[laneZone]inside) []laneLine {
	moved := map[movedZone]inside{}
	for key, was := range l.last {
		if less := was.since(now[key]); less != (inside{}) {
			from := movedZone{l.names[key.lane], key.zone}
			moved[from] = moved[from].plus(less)
		}
	}
	if len(moved) == 0 {
		return lines
	}
	kept := lines[:0]
	for _, line := range lines {
		from := movedZone{line.name, line.zone}
		if m := moved[from]; m != (inside{}) && line.ticks >= m.ticks && line.calls >= m.calls {
			line.inside = line.minus(m)
			delete(moved, from)
		}
		if line.inside != (inside{}) {
			kept = append(kept, line)
		}
	}
	return kept
}
