//go:build !iprof_off

package gather

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// freaks are timed blocks that last very much longer than blocks usually do: the system has taken the processor away, or a table
// has grown. What one of them took, told for all the entries that are not timed as well, is more than the frame has. So freaks are
// no part of a run. What they took is spread over all entries instead, once there were several; the first few say nothing of
// others, and are told as what they are, timed entries (Hidiroglou, Srinath, Some Estimators of a Population Total from Simple
// Random Samples Containing Large Units, Biometrics 37, 1981).
type freaks struct {
	number  atomic.Uint64 // of them: this and the next are float64 bits, and fade
	entries atomic.Uint64 // of the top, of all timed blocks
	run     struct{ number, entries float64 }
}

const (
	freakLong = 32 // times as long as blocks usually are
	fewFreaks = 4  // say nothing of others
)

// isFreak reports whether a block took so long that it is one.
//
//go:norace
func (c *comparison) isFreak(took platform.Ticks) bool {
	return c.usual > 0 && float64(took) > freakLong*c.usual
}

// setApart adds what was noted to the freaks.
//
//go:norace
func (s *sample) setApart() {
	s.freaks.run.number++
	s.freaks.run.entries += float64(s.members[0].block.entries)
	for _, m := range s.members {
		publishFloat(&m.freak, loadFloat(&m.freak)+float64(m.block.self))
	}
}

// tellFreaks adds what the run had to the sums.
//
//go:norace
func (s *sample) tellFreaks() {
	f := &s.freaks
	publishFloat(&f.number, loadFloat(&f.number)*fadingRuns+f.run.number)
	publishFloat(&f.entries, loadFloat(&f.entries)*fadingRuns+f.run.entries+float64(s.members[0].entries))
	f.run.number, f.run.entries = 0, 0
	for _, m := range s.members {
		publishFloat(&m.freak, loadFloat(&m.freak)*fadingRuns)
	}
}

// freakTime is what freaks make of the member's untimed entries in the frame, and its variance: the number of rare events varies by
// as much as it is.
func (d *draw) freakTime(m *member) (self, variance float64) {
	number, entries := loadFloat(&d.freaks.number), loadFloat(&d.freaks.entries)
	if number <= fewFreaks || entries == 0 {
		return 0, 0
	}
	top := &d.members[0].heard
	self = top.untimed * loadFloat(&m.freak) / entries
	return self, self * self * entries / (number * max(top.entries, 1))
}
