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
	frames    atomic.Uint64  // that have ended
	updatedBy LaneID         // the lane that ended the last frame
	away      awayMeter
}

// firstSet is the set of Collect and Peek.
var firstSet Set

// several has the steps of programs with several sets. NewSet sets them, so the linker leaves them out of others.
var several struct {
	piece  *Frame
	begin  func(s *Set) platform.Ticks
	end    func(s *Set, f *Frame)
	peek   func(p *peeking, f *Frame, see func(l *LaneFrame))
	forget func()
}

// Collect is like the function Collect, for the frames of the set.
func (s *Set) Collect(f *Frame) { s.collect(f, noTurn) }

// Peek is like the function Peek, for the frames of the set.
func (s *Set) Peek(f *Frame) { s.peek(f, noTurn, nil) }

// PeekEach is like the function PeekEach, for the frames of the set. A lane may come twice.
func (s *Set) PeekEach(f *Frame, see func(l *LaneFrame)) { s.peek(f, noTurn, see) }

// Begin begins the frame of the set anew, and returns when: the time since the last frame belongs to no frame of the
// set. The set is one of NewSet.
func (s *Set) Begin() (now platform.Ticks) { return several.begin(s) }

// began returns when the frame in progress began.
func (s *Set) began() platform.Ticks { return max(registry.start, s.begin) }

// next begins the next frame.
func (s *Set) next(now platform.Ticks) {
	s.begin = now
	s.frames.Add(1)
}

// forget begins the set anew, because the clock was replaced.
func (s *Set) forget() {
	s.frames.Store(0)
	s.begin = 0
	s.updatedBy, s.away = 0, s.away.anew()
}

// refusedSets counts the sets beyond the limit.
var refusedSets atomic.Uint64

// RefusedSets returns the number of sets that NewSet has refused. Any goroutine may call it.
func RefusedSets() uint64 { return refusedSets.Load() }

// restOf returns the rest of a lane that a frame has, for sum.addLane. Without other sets nobody adds it.
func (s *Set) restOf(l *Lane) stretch {
	if several.end == nil {
		return stretch{}
	}
	return l.rest
}
