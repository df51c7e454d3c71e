package process

// This file finds the causes of an excess. It follows the excess down the call tree, from the root to the path that
// explains it.
import "example.com/iprof/gather"

// The limits of the search for causes.
const (
	leastPart   = 0.25 // of the whole excess: the least part of a cause
	mainShare   = 0.40 // of a path's excess: the least part of a callee that the search follows
	moreCalls   = 1.5  // entries in relation to the usual number
	moreShare   = 0.5  // of the excess: the least part that the additional entries explain
	mainPause   = 0.5  // of the whole excess: collector pauses from that on are the main cause
	mostCallers = 8
	slackShare  = 0.8 // of a usual wait: other excess from that on may have made the frame late
	restSpreads = 3   // standard deviations above the usual busy time
)

// accuse appends the causes of an excess to a verdict.
func (s *Session) accuse(dst *Verdict, pause float64) {
	t := &s.trial
	if dst.Working {
		s.excuse()
	}
	t.suspects[0].more = dst.Excess
	wait := s.consequence(dst)
	part := leastPart * t.suspects[0].more
	first, found := s.blame(dst, part)
	switch {
	case !found:
		return
	case pause >= part:
		s.collector(dst, pause, pause >= mainPause*t.suspects[0].more)
	case dst.Causes[0].Kind != CauseSpread:
		if s.acquit(first, &dst.Causes[0]); t.suspects[0].more >= leastPart*dst.Excess {
			s.blame(dst, leastPart*dst.Excess)
		}
	}
	alone := len(dst.Causes) == 1 && dst.Causes[0].Kind != CauseSpread
	if alone && wait > 0 && t.suspects[wait].own >= leastPart*dst.Excess {
		s.cause(dst, wait, CauseWaiting, 0)
	}
	dst.rank()
}

// excuse subtracts the excess of all idle zones from the suspects.
func (s *Session) excuse() {
	t := &s.trial
	for i := range t.suspects {
		if q := &t.suspects[i]; s.tree.paths[q.path].idle {
			t.relieve(int32(i), q.own)
			q.own = 0
		}
	}
}

// consequence subtracts the excess of the usually longest wait if it follows from the rest. A frame that misses one
// refresh of the display waits for the next, which is no longer than a usual frame. The wait follows from the rest if
// the rest alone is unusual and would have used up the usual wait. It returns the waiting suspect, or 0.
func (s *Session) consequence(dst *Verdict) (wait int32) {
	t := &s.trial
	for i := range t.suspects {
		q, longest := &t.suspects[i], &t.suspects[wait]
		if s.tree.paths[q.path].idle && (wait == 0 || q.usual.self.mid > longest.usual.self.mid) {
			wait = int32(i)
		}
	}
	q := &t.suspects[wait]
	rest := t.suspects[0].more - q.own
	if wait == 0 || q.own <= 0 || q.own > t.usual.length.mid ||
		rest < max(slackShare*q.usual.self.mid, restSpreads*t.usual.busy.spread) {
		return 0
	}
	t.relieve(wait, q.own)
	return wait
}

// relieve subtracts explained time from a suspect and all above it.
func (t *trial) relieve(i int32, ms float64) {
	for ; i >= 0; i = t.suspects[i].up {
		t.suspects[i].more -= ms
	}
}

// acquit subtracts the part that a cause explains, so that the next search finds something else.
func (s *Session) acquit(i int32, c *Cause) {
	t := &s.trial
	t.relieve(i, c.Excess)
	for up := i; up >= 0; up = t.suspects[up].up {
		t.suspects[up].named = true
	}
	t.suspects[i].own = 0
	for at := i; int(at) < len(t.suspects) && !c.Self && c.Kind != CauseOutside; at++ {
		if t.below(at, i) {
			t.suspects[at].more, t.suspects[at].own = 0, 0
		}
	}
}

// below reports whether a suspect is below another.
func (t *trial) below(at, above int32) bool {
	for at > above {
		at = t.suspects[at].up
	}
	return at == above
}

// blame follows the excess down from the root, and appends the path at its end as a cause if it explains enough. It
// returns the index of the suspect.
func (s *Session) blame(dst *Verdict, part float64) (at int32, found bool) {
	t := &s.trial
	for {
		q := &t.suspects[at]
		if kind := s.whole(at, q); kind != CauseNone {
			return at, s.cause(dst, at, kind, part)
		}
		kid := t.worst(at)
		switch {
		case kid > 0 && t.suspects[kid].more >= max(mainShare*q.more, part) && t.suspects[kid].more >= q.own:
			at = kid
		case q.own >= max(mainShare*q.more, part):
			return at, s.cause(dst, at, CauseLonger, part)
		case len(dst.Causes) > 0:
			return at, false
		default:
			return at, s.cause(dst, at, CauseSpread, part)
		}
	}
}

// whole returns the kind of a path that is to blame together with its callees, or CauseNone if the search goes on
// inside.
func (s *Session) whole(at int32, q *suspect) CauseKind {
	switch {
	case at == 0 || q.named:
	case s.tree.paths[q.path].idle:
		return CauseWaiting
	case q.usual.hier.mid <= 0 && q.often == 0:
		return CauseNewPath
	case q.often > 0 && q.count >= moreCalls*q.often && q.usual.hier.mid*(q.count/q.often-1) >= moreShare*q.more:
		return CauseMoreCalls
	}
	return CauseNone
}

// worst returns the child with the greatest excess, or 0.
func (t *trial) worst(of int32) (kid int32) {
	for i := of + 1; int(i) < len(t.suspects); i++ {
		if q := &t.suspects[i]; q.up == of && (kid == 0 || q.more > t.suspects[kid].more) {
			kid = i
		}
	}
	return kid
}

// cause appends a suspect as a cause if it explains at least part. If the excess is spread over callees, the one with
// the largest part follows.
func (s *Session) cause(dst *Verdict, at int32, kind CauseKind, part float64) bool {
	t := &s.trial
	q := &t.suspects[at]
	c := s.newCause(dst, kind, q.path)
	if kind == CauseLonger {
		c.Self, c.Time, c.Usual, c.Spread, c.Excess = true, q.self, q.usual.self.mid, q.usual.self.spread, q.own
		if leaf(q) {
			c.Self, c.Time, c.Usual, c.Spread = false, q.hier, q.usual.hier.mid, q.usual.hier.spread
		}
		if at == 0 {
			c.Kind = CauseOutside
		}
	} else {
		c.Time, c.Usual, c.Spread, c.Excess = q.hier, q.usual.hier.mid, q.usual.hier.spread, q.more
		if kind == CauseWaiting {
			c.Excess = q.own
		}
	}
	c.Count, c.Often = q.count, q.often
	if c.Excess < part {
		dst.Causes = dst.Causes[:len(dst.Causes)-1]
		return false
	}
	if kid := t.worst(at); kind == CauseSpread && kid > 0 && t.suspects[kid].more > 0 {
		s.most(dst, kid)
	}
	return true
}

// leaf reports whether a suspect spends almost no time in callees. Then its self time and hierarchical time look the
// same.
func leaf(q *suspect) bool { return q.hier-q.self <= 0.05*q.hier }

// most appends the largest part of an excess that is spread over callees: the path with the most own excess on the way
// down.
func (s *Session) most(dst *Verdict, at int32) {
	t := &s.trial
	for kid := t.worst(at); kid > 0 && t.suspects[kid].more > t.suspects[at].own; kid = t.worst(at) {
		at = kid
	}
	kind := CauseLonger
	if s.tree.paths[t.suspects[at].path].idle {
		kind = CauseWaiting
	}
	s.cause(dst, at, kind, 0)
}

// collector appends the garbage collector's pauses to the cause that names the stopped zone. If alone, they replace
// that cause.
func (s *Session) collector(dst *Verdict, pause float64, alone bool) {
	t := &s.trial
	path := dst.Causes[0].Path
	dst.Causes = dst.Causes[:1]
	if alone {
		dst.Causes = dst.Causes[:0]
	}
	c := s.newCause(dst, CauseCollector, path)
	c.Usual, c.Spread = t.usual.pause.mid, t.usual.pause.spread
	c.Excess, c.Time = pause, pause+c.Usual
}

// newCause appends a cause and reuses its memory.
func (s *Session) newCause(dst *Verdict, kind CauseKind, path int32) *Cause {
	n := len(dst.Causes)
	dst.Causes = resized(dst.Causes, n+1)
	c := &dst.Causes[n]
	*c = Cause{Kind: kind, Path: path, Zone: s.tree.paths[path].zone, Callers: c.Callers[:0]}
	c.Name = s.zone(c.Zone).Name
	for up := s.tree.paths[path].parent; up > 0 && len(c.Callers) < mostCallers; up = s.tree.paths[up].parent {
		c.Callers = append(c.Callers, s.zone(s.tree.paths[up].zone).Name)
	}
	return c
}

// pauseOf is the mean of the collector pauses beyond the usual, in ms. It is 0 if the Go heap is not measured.
func (t *trial) pauseOf() float64 {
	sum := 0.0
	for _, p := range t.frames {
		if p.Memory >= gather.MemoryHeapPerFrame {
			sum += float64(p.Pause)
		}
	}
	return sum/float64(len(t.frames)) - t.usual.pause.mid
}
