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
	for i := range uint32(len(l.seen)) {
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
	hier, _ := l.hierOf(n, l.read)
	l.seen[i].hier = hier - l.seen[i].hier
	l.seen[i].count = loadEntries(n) - l.seen[i].count
}

// rebase makes a node forget its measurements.
//
//go:norace
func (l *Lane) rebase(i uint32) {
	n := l.node(i)
	if l.keepsRest(n) {
		l.seen[i].hier, l.seen[i].count = 0, 0
		return
	}
	l.seen[i].hier, _ = l.hierOf(n, l.read)
	l.seen[i].count = loadEntries(n)
}

// pay gives nodes the credits of the pause. It changes their baselines, because only the lane's goroutine may write
// nodes.
//
//go:norace
func (l *Lane) pay() {
	for _, c := range l.credits {
		if c.took == 0 && c.begun == 0 {
			continue
		}
		s := &l.seen[c.node]
		if l.frozen {
			s.hier += c.took
			s.count += c.begun
		} else {
			s.hier -= c.took
			s.count -= c.begun
		}
		l.mustVisit(l.node(c.node))
	}
	l.credits = nil
}

// freeze exchanges each node's baseline, which is the reported part, with the unreported rest. A second call exchanges
// them back. So the time between the two calls is never reported.
func (l *Lane) freeze() {
	l.frozen = !l.frozen
	l.read = l.upTo(platform.Now())
	for i := range l.seen {
		s, n := &l.seen[i], l.node(uint32(i))
		if l.paused && n.inHold() {
			continue // it stays exchanged until the pause ends
		}
		if l.exchange(uint32(i)); n.flag&flagPending == 0 && !l.touched.has(uint32(i)) {
			s.hier = max(s.hier, 0)
		}
	}
}
