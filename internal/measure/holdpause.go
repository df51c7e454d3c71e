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

// credit is a hold's time that a node gets at the end of the pause.
type credit struct {
	node  uint32
	took  platform.Ticks
	begun uint64
}

// CollectPaused is Collect at the start (paused is true) or the end of a pause, in which the host discards all frames.
// The pause's time does not count in open holds. Holds decided during the pause appear in the first frame after it. Any
// goroutine may call it.
func CollectPaused(f *Frame, paused bool) {
	t := turnResume
	if paused {
		t = turnPause
	}
	collectTurn(f, t)
}

// CollectReset is Collect when the host forgets all earlier frames. Open holds forget, too. Any goroutine may call it.
func CollectReset(f *Frame) {
	collectTurn(f, turnReset)
	forgetForeign()
}

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

// keepsRest reports whether a node's baseline is exchanged: then it holds the unreported part. That is true for all
// nodes while recording is off, and for the nodes of holds during a pause.
//
//go:norace
func (l *Lane) keepsRest(n *node) bool { return l.frozen || l.paused && n.inHold() }

// inHold reports whether a node is a hold's or below one.
//
//go:norace
func (n *node) inHold() bool {
	for ; n != nil; n = n.parent {
		if n.flag&flagHeld != 0 {
			return true
		}
	}
	return false
}

// later keeps a credit of a node until the pause ends. It returns false if the node can have it now.
//
//go:norace
func (l *laneHolds) later(n *node, took platform.Ticks, begun uint64) bool {
	if !l.paused || n.inHold() {
		return false
	}
	l.credits = append(l.credits, credit{n.idx, took, begun})
	return true
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
