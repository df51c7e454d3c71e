package verdict

import (
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// The limits of the parts of a frame.
const (
	leastShown = 0.01 // least share of the frame's time; smaller paths count in their callers
	mostParts  = 10   // greatest number of parts besides the rest
)

// AppendParts appends the parts of a frame: see report.Part. The verdict is on that frame.
func (f *Finder) AppendParts(dst []report.Part, v *report.Verdict, p *history.Frame) []report.Part {
	f.frames, f.span = append(f.frames[:0], p), span{}
	if !f.usualBefore(v) {
		f.usual.around(f.Past, p.Seq)
	}
	return f.divide(dst, v)
}

// AppendPartsOf appends the parts of the mean of the frames that a lens has chosen.
func (f *Finder) AppendPartsOf(dst []report.Part, v *report.Verdict, lens report.Lens, chosen []uint64) []report.Part {
	if len(chosen) == 0 {
		return dst
	}
	if f.gather(lens, chosen); v.Ranged {
		f.gatherLate(chosen)
	}
	f.usualBefore(v)
	return f.divide(dst, v)
}

// divide appends the parts of the frames to explain.
func (f *Finder) divide(dst []report.Part, v *report.Verdict) []report.Part {
	if len(f.Tree.Paths) == 0 || len(f.frames) == 0 {
		return dst
	}
	f.weigh()
	f.choose(leastShown * f.mean().LengthMS)
	f.compare()
	f.rows = resize.To(f.rows, 2*len(f.candidates))
	clear(f.rows)
	own, usual := f.rows[:len(f.candidates)], f.rows[len(f.candidates):]
	for i := range f.candidates {
		q := &f.candidates[i]
		own[i], usual[i] = own[i]+q.hier, usual[i]+q.usual.hier.mid
		if q.parent >= 0 {
			own[q.parent], usual[q.parent] = own[q.parent]-q.hier, usual[q.parent]-q.usual.hier.mid
		}
	}
	first := len(dst)
	for k := range v.Causes {
		dst = append(dst, f.causePart(v, k))
	}
	for i := range f.candidates {
		at := f.partOf(v, int32(i))
		if at < 0 {
			at = len(dst) - first
			path := f.candidates[i].path
			dst = append(dst, report.Part{Path: path, Zone: f.Tree.Paths[path].Zone, Idle: !f.judged(path)})
		}
		part := &dst[first+at]
		part.Time, part.Usual = part.Time+max(own[i], 0), part.Usual+max(usual[i], 0)
	}
	return f.sumRest(dst, first)
}

// causePart returns the part of a cause, without its time.
func (f *Finder) causePart(v *report.Verdict, k int) report.Part {
	c := &v.Causes[k]
	return report.Part{Path: c.Path, Zone: c.Zone, Cause: k + 1, Idle: c.Chosen || ownsPath(c) && !f.judged(c.Path),
		Count: c.Count, Often: c.Often}
}

// ownsPath reports whether the time of a cause is the time of its path on the lane that ends the frames.
func ownsPath(c *report.Cause) bool {
	switch c.Kind {
	case report.CauseAway, report.CauseGPU, report.CauseWorker, report.CauseProcessor, report.CauseLocks,
		report.CauseAllocated, report.CauseState, report.CauseNotRunning, report.CauseNone:
		return false
	}
	return true
}

// partOf returns the index of the innermost cause that a candidate belongs to, or -1.
func (f *Finder) partOf(v *report.Verdict, at int32) int {
	for i := at; i >= 0; i = f.candidates[i].parent {
		for k := len(v.Causes) - 1; k >= 0; k-- { // a collector's pauses go before the rest of the zone
			c := &v.Causes[k]
			if !ownsPath(c) || c.Kind == report.CauseCollector && k > 0 || c.Path != f.candidates[i].path {
				continue
			}
			if i == at || !c.Self && c.Kind != report.CauseOutside && c.Path > 0 {
				return k
			}
		}
	}
	return -1
}

// sumRest puts the parts into drawing order, drops parts without time, and sums the small parts.
func (f *Finder) sumRest(dst []report.Part, first int) []report.Part {
	parts, rest := dst[first:], report.Part{Path: report.RestPath}
	for i := range parts { // a generic sort would make programs larger
		for k := i; k > 0 && drawnBefore(&parts[k], &parts[k-1]); k-- {
			parts[k], parts[k-1] = parts[k-1], parts[k]
		}
	}
	kept, others := first, 0
	for i := range parts {
		switch p := &parts[i]; {
		case p.Time+p.Usual <= 0:
		case p.Cause == 0 && !p.Idle && (others == mostParts || f.profilers(p.Path)):
			rest.Time, rest.Usual = rest.Time+p.Time, rest.Usual+p.Usual
		default:
			if p.Cause == 0 && !p.Idle {
				others++
			} else if p.Idle && rest.Time+rest.Usual > 0 {
				dst[kept], rest = rest, report.Part{} // at least one part was left out before
				kept++
			}
			dst[kept] = *p
			kept++
		}
	}
	if dst = dst[:kept]; rest.Time+rest.Usual > 0 {
		dst = append(dst, rest)
	}
	return dst
}

// drawnBefore reports whether a part comes before another: causes, zones by their time, waits that the program chose.
func drawnBefore(a, b *report.Part) bool {
	x := rankOf(a)
	y := rankOf(b)
	if x != y {
		return x < y
	}
	return a.Usual+a.Time > b.Usual+b.Time
}

// rankOf puts causes before other parts, and waits last.
func rankOf(p *report.Part) int {
	switch {
	case p.Cause > 0:
		return p.Cause
	case p.Idle:
		return 1 << 20
	}
	return 1 << 10
}
