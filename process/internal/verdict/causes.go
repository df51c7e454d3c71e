package verdict

import (
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// The limits of the search for causes.
const (
	leastPart   = 0.25 // least part of the whole excess that a cause explains
	leastRest   = 0.10 // least part of the whole excess that is mentioned besides causes
	mostOf      = 0.50 // share of a frame's time that counts as most of it
	mainShare   = 0.40 // least part of a path's excess in a callee that the search follows
	moreCalls   = 1.5  // ratio of entries to the usual number
	moreShare   = 0.5  // least part of the excess that the additional entries explain
	mainPause   = 0.5  // least part of the whole excess that makes collector pauses the main cause
	mostCallers = 8
	slackShare  = 0.8 // least other excess, as a share of a usual wait, that may have made the frame late
	restSpreads = 3   // standard deviations above the usual busy time
)

// findCauses appends the causes of an excess to a verdict, and takes the time away off that excess.
func (f *Finder) findCauses(dst *report.Verdict, pause float64) {
	chosen, ms := f.addChosen(dst)
	if dst.Working {
		f.subtractIdle()
	}
	f.candidates[0].excess = dst.Excess
	f.takeChosen(chosen, ms)
	wait := f.subtractWait()
	if f.away.all = !f.takeAway(dst, wait); f.away.all {
		return
	}
	if dst.Over { // no wait that the program chose is the cause
		if wait > 0 {
			f.candidates[wait].selfExcess, wait = 0, 0
		}
		f.subtractIdle()
	}
	if chosen > 0 {
		f.follow(dst, leastPart*dst.Excess)
		rankCauses(dst.Causes)
		return
	}
	part := leastPart * f.candidates[0].excess
	first, found := f.follow(dst, part)
	switch {
	case !found:
		return
	case pause >= part:
		f.collector(dst, pause, pause >= mainPause*f.candidates[0].excess)
	case dst.Causes[0].Kind != report.CauseSpread:
		if f.subtractCause(first, &dst.Causes[0]); f.candidates[0].excess >= leastPart*dst.Excess {
			f.follow(dst, leastPart*dst.Excess)
		}
	}
	alone := len(dst.Causes) == 1 && dst.Causes[0].Kind != report.CauseSpread
	if alone && wait > 0 && f.candidates[wait].selfExcess >= leastPart*dst.Excess {
		f.cause(dst, wait, report.CauseWaiting, 0)
	}
	rankCauses(dst.Causes)
}

// subtractIdle subtracts the excess of all waits that the program chose from the candidates.
func (f *Finder) subtractIdle() {
	for i := range f.candidates {
		if q := &f.candidates[i]; !f.judged(q.path) {
			f.subtract(int32(i), q.selfExcess)
			q.selfExcess = 0
		}
	}
}

// subtractProfiler subtracts the excess of the profiler's own zones from the candidates, and returns it. It has its
// place in the footer.
func (f *Finder) subtractProfiler() (sum float64) {
	for i := range f.candidates {
		if q := &f.candidates[i]; f.profilers(q.path) && q.selfExcess > 0 {
			sum += q.selfExcess
			f.subtract(int32(i), q.selfExcess)
			q.selfExcess = 0
		}
	}
	return sum
}

// profilers reports whether a path is in a zone of the profiler.
func (f *Finder) profilers(path int32) bool {
	return measure.OfProfiler(f.zone(f.Tree.Paths[path].Zone).Name)
}

// subtractWait subtracts the excess of the usually longest wait if it follows from the rest. A frame that misses one
// refresh of the display waits for the next, which is no longer than a usual frame. The wait follows from the rest if
// the rest alone is unusual and would have used up the usual wait. It returns the waiting candidate, or 0.
func (f *Finder) subtractWait() (wait int32) {
	for i := range f.candidates {
		q, longest := &f.candidates[i], &f.candidates[wait]
		if !f.judged(q.path) && (wait == 0 || q.usual.self.mid > longest.usual.self.mid) {
			wait = int32(i)
		}
	}
	q := &f.candidates[wait]
	rest := f.candidates[0].excess - q.selfExcess
	if wait == 0 || q.selfExcess <= 0 || q.selfExcess > f.usual.length.mid ||
		rest < max(slackShare*q.usual.self.mid, restSpreads*f.usual.judged.spread) {
		return 0
	}
	f.subtract(wait, q.selfExcess)
	return wait
}

// subtract subtracts explained time from a candidate and its ancestors.
func (f *Finder) subtract(i int32, ms float64) {
	for ; i >= 0; i = f.candidates[i].parent {
		f.candidates[i].excess -= ms
	}
}

// subtractCause subtracts the part that a cause explains, so that the next search finds something else.
func (f *Finder) subtractCause(i int32, c *report.Cause) {
	f.subtract(i, c.Excess)
	for up := i; up >= 0; up = f.candidates[up].parent {
		f.candidates[up].named = true
	}
	f.candidates[i].selfExcess = 0
	for at := i; int(at) < len(f.candidates) && !c.Self && c.Kind != report.CauseOutside; at++ {
		if f.below(at, i) {
			f.candidates[at].excess, f.candidates[at].selfExcess = 0, 0
		}
	}
}

// below reports whether a candidate is below another.
func (f *Finder) below(at, above int32) bool {
	for at > above {
		at = f.candidates[at].parent
	}
	return at == above
}

// follow follows the excess down from the root, and appends the last path as a cause if it explains enough. It returns
// the index of the candidate.
func (f *Finder) follow(dst *report.Verdict, part float64) (at int32, found bool) {
	for {
		q := &f.candidates[at]
		if kind := f.whole(at, q); kind != report.CauseNone {
			return at, f.cause(dst, at, kind, part)
		}
		kid := f.worst(at)
		switch {
		case kid > 0 && f.candidates[kid].excess >= max(mainShare*q.excess, part) &&
			f.candidates[kid].excess >= q.selfExcess:
			at = kid
		case q.selfExcess >= max(mainShare*q.excess, part):
			return at, f.cause(dst, at, report.CauseLonger, part)
		case len(dst.Causes) > 0:
			return at, false
		default:
			return at, f.cause(dst, at, report.CauseSpread, part)
		}
	}
}

// whole returns the kind of a path that is a cause together with its callees, or CauseNone if the search goes on
// inside.
func (f *Finder) whole(at int32, q *candidate) report.CauseKind {
	switch {
	case at == 0 || q.named:
	case f.Tree.Paths[q.path].Idle:
		return report.CauseWaiting
	case q.usual.hier.mid <= 0 && q.entries == 0:
		return report.CauseNewPath
	case q.entries > 0 && q.count >= moreCalls*q.entries &&
		q.usual.hier.mid*(q.count/q.entries-1) >= moreShare*q.excess:
		return report.CauseMoreCalls
	}
	return report.CauseNone
}

// worst returns the child with the greatest excess, or 0.
func (f *Finder) worst(of int32) (kid int32) {
	for i := of + 1; int(i) < len(f.candidates); i++ {
		if q := &f.candidates[i]; q.parent == of && (kid == 0 || q.excess > f.candidates[kid].excess) {
			kid = i
		}
	}
	return kid
}

// cause appends a candidate as a cause if it explains at least part. If the excess is spread over callees, the callee
// with the largest part follows.
func (f *Finder) cause(dst *report.Verdict, at int32, kind report.CauseKind, part float64) bool {
	q := &f.candidates[at]
	c := f.newCause(dst, kind, q.path)
	if kind == report.CauseLonger {
		c.Self = true
		c.Time = q.self
		c.Usual = q.usual.self.mid
		c.Spread = q.usual.self.spread
		c.Excess = q.selfExcess
		if leaf(q) {
			c.Self = false
			c.Time = q.hier
			c.Usual = q.usual.hier.mid
			c.Spread = q.usual.hier.spread
		}
		if at == 0 {
			c.Kind = report.CauseOutside
		}
	} else {
		c.Time = q.hier
		c.Usual = q.usual.hier.mid
		c.Spread = q.usual.hier.spread
		c.Excess = q.excess
		if kind == report.CauseWaiting {
			c.Chosen, c.Excess = !f.judged(q.path), q.selfExcess
		}
	}
	c.Count, c.Often = q.count, q.entries
	if c.Excess < part {
		dst.Causes = dst.Causes[:len(dst.Causes)-1]
		return false
	}
	if kid := f.worst(at); kind == report.CauseSpread && kid > 0 && f.candidates[kid].excess > 0 {
		f.most(dst, kid)
	}
	return true
}

// leaf reports whether a candidate spends almost no time in callees. Then its self time and hierarchical time look the
// same.
func leaf(q *candidate) bool { return q.hier-q.self <= 0.05*q.hier }

// most appends the largest part of an excess that is spread over callees: the path with the most excess of its own on
// the way down.
func (f *Finder) most(dst *report.Verdict, at int32) {
	for kid := f.worst(at); kid > 0 && f.candidates[kid].excess > f.candidates[at].selfExcess; kid = f.worst(at) {
		at = kid
	}
	kind := report.CauseLonger
	if f.Tree.Paths[f.candidates[at].path].Idle {
		kind = report.CauseWaiting
	}
	f.cause(dst, at, kind, 0)
}

// collector appends the garbage collector's pauses to the cause that names the stopped zone. With alone, they replace
// that cause.
func (f *Finder) collector(dst *report.Verdict, pause float64, alone bool) {
	path := dst.Causes[0].Path
	dst.Causes = dst.Causes[:1]
	if alone {
		dst.Causes = dst.Causes[:0]
	}
	c := f.newCause(dst, report.CauseCollector, path)
	c.Usual, c.Spread = f.usual.pause.mid, f.usual.pause.spread
	c.Excess, c.Time = pause, pause+c.Usual
}

// newCause appends a cause and reuses its memory.
func (f *Finder) newCause(dst *report.Verdict, kind report.CauseKind, path int32) *report.Cause {
	n := len(dst.Causes)
	dst.Causes = resize.To(dst.Causes, n+1)
	c := &dst.Causes[n]
	*c = report.Cause{Kind: kind, Path: path, Zone: f.Tree.Paths[path].Zone, Callers: c.Callers[:0]}
	c.Name = f.zone(c.Zone).Name
	for up := f.Tree.Paths[path].Parent; up > 0 && len(c.Callers) < mostCallers; up = f.Tree.Paths[up].Parent {
		c.Callers = append(c.Callers, f.zone(f.Tree.Paths[up].Zone).Name)
	}
	return c
}

// pauseOf returns the mean of the collector pauses above the usual, in ms. It is 0 if the Go heap is not measured.
func (f *Finder) pauseOf() float64 {
	sum := 0.0
	for _, p := range f.frames {
		if p.Memory >= gather.MemoryHeapPerFrame {
			sum += float64(p.Pause)
		}
	}
	return sum/float64(len(f.frames)) - f.usual.pause.mid
}

// rankCauses puts the greater of two causes first. The search may find the smaller one first, in a larger excess of its
// callees. A part of a spread excess, a pause and a wait that follows from the rest stay second.
func rankCauses(c []report.Cause) {
	if len(c) < 2 || c[0].Kind == report.CauseSpread || c[1].Kind == report.CauseCollector ||
		c[1].Kind == report.CauseWaiting {
		return
	}
	if c[1].Excess > c[0].Excess {
		c[0], c[1] = c[1], c[0]
	}
}
