//go:build !iprof_off

package measure

import "example.com/iprof/platform"

// pieces are the frames in progress of a program with several sets. The registry's mutex guards them.
var pieces piecesState

type piecesState struct {
	sets   []*setSum
	latest Frame
}

// setSum is the frame in progress of a set.
type setSum struct {
	*Set
	sum     sum
	between platform.Ticks // time before the frame that belongs to none
}

// NewSet makes a set of frames. Its first frame begins at once, or if no frame has ended yet, with the program. It
// returns nil if there are MostSets.
func NewSet() *Set {
	s := new(Set)
	runningPeek.one.Lock() // a Peek of the only set so far goes on without pieces
	defer runningPeek.one.Unlock()
	lockRegistry()
	if len(pieces.sets) >= MostSets {
		refusedSets.Add(1)
		unlockRegistry()
		return nil
	}
	if len(pieces.sets) == 0 {
		pieces.sets = append(pieces.sets, &setSum{Set: &firstSet})
		several.piece = &pieces.latest
		several.begin, several.end = beginAnew, endPieces
		several.peek, several.forget = peekPieces, forgetPieces
	}
	pieces.sets = append(pieces.sets, &setSum{Set: s})
	begun := registry.updates.frames.Load() > 0
	unlockRegistry()
	if begun {
		s.Begin()
	}
	return s
}

// of returns the frame in progress of a set.
func (p *piecesState) of(s *Set) *setSum {
	for _, in := range p.sets {
		if in.Set == s {
			return in
		}
	}
	return nil
}

// add adds the latest piece to the frames of all sets.
func (p *piecesState) add() {
	for _, s := range p.sets {
		s.sum.add(&p.latest, s.began())
	}
}

// beginAnew begins the frame of a set now.
func beginAnew(s *Set) (now platform.Ticks) {
	own := updaterLane(noTurn)
	lockRegistry()
	defer unlockRegistry()
	reading.collect(s, &pieces.latest, own, noTurn)
	pieces.add()
	in := pieces.of(s)
	in.sum.clear()
	now = pieces.latest.End
	if s.begin > 0 || s.frames.Load() > 0 {
		in.between += now - s.began()
	}
	s.begin = now
	return now
}

// endPieces fills f with the frame of the set that ends with the latest piece.
func endPieces(s *Set, f *Frame) {
	pieces.add()
	in, end := pieces.of(s), pieces.latest.End
	in.sum.rest(s.began(), end)
	in.sum.copyTo(f)
	in.sum.clear()
	f.Index, f.Away = s.frames.Load(), pieces.latest.Away
	f.Begin, f.Between = s.began(), in.between
	s.next(end)
	in.between = 0
}

// peekPieces is peek for a set whose frame in progress has pieces.
func peekPieces(p *peeking, f *Frame, see func(l *LaneFrame)) {
	var before Frame
	p.began = func() {
		before = Frame{Index: p.set.frames.Load(), Begin: p.set.began()}
		pieces.of(p.set).sum.copyTo(&before)
	}
	give := see
	if see != nil {
		give = func(l *LaneFrame) {
			l.addRest(before.Begin)
			see(l)
		}
	}
	for !p.readAll(f, noTurn, give) {
	}
	p.began = nil
	before.give(see)
	var s sum
	s.add(&before, before.Begin)
	s.add(f, before.Begin)
	s.head.Away = Away{} // of another set's frame, if it has ended
	f.Index, f.Begin = before.Index, before.Begin
	s.copyTo(f)
	s.clear()
}

// addRest adds the rest of a lane in a frame that began at begin: see sum.addLane.
func (l *LaneFrame) addRest(begin platform.Ticks) {
	if rest := l.rest.since(begin); rest > 0 && len(l.Nodes) > 0 {
		l.Nodes[0].Self += rest
		l.Begin -= rest
	}
	l.rest = stretch{}
}

// forgetPieces begins all sets anew, because the clock was replaced.
func forgetPieces() {
	for _, s := range pieces.sets {
		s.sum.clear()
		s.between = 0
		s.forget()
	}
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
