//go:build !iprof_off

package measure

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// A program may have several sets of frames over the same lanes, such as fixed steps beside pictures. Each set has its
// own beginnings and ends. The lanes have one baseline: a frame that ends in any set ends a piece of the frames of all
// sets. A set adds the pieces up until its own frame ends. So Begin, End, parking and the end of goroutines do not know
// of sets, and a lane that ends needs to be kept for none. A program with one set pays nothing for others.

// MostSets is the number of sets of frames that a program may have, the first included.
const MostSets = 4

// Set is a set of frames. The registry's mutex guards it. Any goroutine may call its methods.
type Set struct {
	begin     platform.Ticks // of the frame in progress, 0 for the first
	between   platform.Ticks // time before it that belongs to no frame
	frames    atomic.Uint64  // that have ended
	updatedBy LaneID         // the lane that ended the last frame
	away      awayMeter
	sum       sum // of the pieces of the frame in progress, if there are several sets
}

// firstSet is the set of Collect and Peek.
var firstSet Set

// sets are the sets of the program. The registry's mutex guards them.
var sets setsState

type setsState struct {
	more  []*Set // all but the first
	piece Frame
}

// NewSet makes a set of frames. Its first frame begins at once, or if no frame has ended yet, with the program. It
// returns nil if there are MostSets.
func NewSet() *Set {
	s := new(Set)
	lockRegistry()
	if len(sets.more)+1 >= MostSets {
		unlockRegistry()
		return nil
	}
	sets.more = append(sets.more, s)
	begun := registry.updates.frames.Load() > 0
	unlockRegistry()
	if begun {
		s.Begin()
		s.between = 0
	}
	return s
}

// Collect is like the function Collect, for the frames of the set.
func (s *Set) Collect(f *Frame) { s.collect(f, noTurn) }

// Peek is like the function Peek, for the frames of the set.
func (s *Set) Peek(f *Frame) { s.peek(f, noTurn, nil) }

// PeekEach is like the function PeekEach, for the frames of the set. A lane may come twice.
func (s *Set) PeekEach(f *Frame, see func(l *LaneFrame)) { s.peek(f, noTurn, see) }

// Begin begins the frame of the set anew: the time since the last frame belongs to no frame of the set.
func (s *Set) Begin() {
	own := updaterLane(noTurn)
	lockRegistry()
	defer unlockRegistry()
	reading.collect(s, &sets.piece, own, noTurn)
	sets.add(&sets.piece)
	s.sum.clear()
	s.between += sets.piece.End - s.began()
	s.begin = sets.piece.End
}

// began returns when the frame in progress began.
func (s *Set) began() platform.Ticks { return max(registry.start, s.begin) }

// next begins the next frame.
func (s *Set) next(now platform.Ticks) {
	s.begin, s.between = now, 0
	s.frames.Add(1)
}

// end fills f with the frame of the set that ends with the latest piece.
func (s *Set) end(f *Frame) {
	piece := &sets.piece
	s.sum.rest(s.began(), piece.End)
	s.sum.copyTo(f)
	s.sum.clear()
	f.Index, f.Away = s.frames.Load(), piece.Away
	f.Begin, f.Between = s.began(), s.between
	s.next(piece.End)
}

// each calls a function with each set.
func (t *setsState) each(do func(*Set)) {
	do(&firstSet)
	for _, s := range t.more {
		do(s)
	}
}

// add adds a piece to the frames of all sets.
func (t *setsState) add(piece *Frame) {
	t.each(func(s *Set) { s.sum.add(piece, s.began()) })
}

// forget begins all sets anew, because the clock was replaced.
func (t *setsState) forget() {
	t.each(func(s *Set) {
		s.sum.clear()
		s.frames.Store(0)
		s.begin, s.between = 0, 0
		s.updatedBy, s.away = 0, s.away.anew()
	})
}

// restOf returns the rest of a lane that a frame has, for sum.addLane. Without other sets nobody adds it.
func (t *setsState) restOf(l *Lane) stretch {
	if len(t.more) == 0 {
		return stretch{}
	}
	return l.rest
}

// restNow returns the rest of a lane that a piece up to now does not have, empty if the lane has no goroutine of its
// own, or has a proxy. The registry's mutex is held.
func restNow(id LaneID, now platform.Ticks) stretch {
	at, found := registry.lanes.find(id)
	if !found {
		return stretch{}
	}
	l := registry.lanes[at]
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.ended || l.foreign || l.proxy != nil || l.isNobodys():
		return stretch{}
	case l.parked:
		return stretch{l.rest.from, now}
	}
	return stretch{l.rest.from, min(l.rest.to, now)}
}
