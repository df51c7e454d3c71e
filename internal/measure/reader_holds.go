//go:build !iprof_off

package measure

import "example.com/iprof/platform"

// This file handles holds that are open while frames are discarded, or when all measurements are forgotten. A hold may
// be decided long after such a moment. The reader does not visit a hold's nodes, so their baselines are moved here.

// turn is a change that a Collect makes to the following or earlier frames.
type turn uint8

const (
	noTurn     turn = iota
	turnPause       // the following frames are discarded
	turnResume      // the following frames count again
	turnReset       // the earlier frames are forgotten
	turnGovern      // no frame changes: the governor judges the current one
)

// turnHolds moves the baselines of holds. The lane has just been reported, and its mutex is held.
//
//go:norace
func (l *Lane) turnHolds(t turn) {
	switch t {
	case turnPause, turnResume:
		if l.paused == (t == turnPause) {
			return
		}
		l.paused = !l.paused
		if l.holds && !l.frozen {
			l.eachHeld(l.exchange)
		}
		if !l.paused {
			l.pay()
		}
	case turnReset:
		l.credits = nil
		if l.holds {
			l.eachHeld(l.rebase)
		}
	}
}

// eachHeld calls do for each hold's node and all nodes below.
//
//go:norace
func (l *Lane) eachHeld(do func(i uint32)) {
	l.turned = true
	for i := range uint32(len(l.base)) {
		if l.node(i).inHold() {
			do(i)
		}
	}
}

// exchange exchanges a node's baseline with the rest: see freeze.
//
//go:norace
func (l *Lane) exchange(i uint32) {
	n := l.node(i)
	hier, _ := l.hierOf(n, l.reportedAt)
	l.base[i].hier = hier - l.base[i].hier
	l.base[i].count = loadEntries(n) - l.base[i].count
}

// rebase makes a node forget its measurements.
//
//go:norace
func (l *Lane) rebase(i uint32) {
	n := l.node(i)
	if l.keepsRest(n) {
		l.base[i].hier, l.base[i].count = 0, 0
		return
	}
	l.base[i].hier, _ = l.hierOf(n, l.reportedAt)
	l.base[i].count = loadEntries(n)
}

// pay gives nodes the credits of the pause. It changes their baselines, because only the lane's goroutine may write
// nodes.
//
//go:norace
func (l *Lane) pay() {
	for _, c := range l.credits {
		if c.time == 0 && c.entries == 0 {
			continue
		}
		s := &l.base[c.node]
		if l.frozen {
			s.hier += c.time
			s.count += c.entries
		} else {
			s.hier -= c.time
			s.count -= c.entries
		}
		l.mustVisit(l.node(c.node))
	}
	l.credits = nil
}

// freeze exchanges each node's baseline, which is the reported part, with the unreported rest. A second call exchanges
// them back. So the time between the two calls is never reported.
func (l *Lane) freeze() {
	l.frozen = !l.frozen
	l.reportedAt = l.upTo(platform.Now())
	for i := range l.base {
		s, n := &l.base[i], l.node(uint32(i))
		if l.paused && n.inHold() {
			continue // it stays exchanged until the pause ends
		}
		if l.exchange(uint32(i)); n.flag&flagPending == 0 && !l.touched.has(uint32(i)) {
			s.hier = max(s.hier, 0)
		}
	}
}
