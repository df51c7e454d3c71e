package verdict

import (
	"slices"
	"time"

	"example.com/iprof/internal/measure"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// The limits above which a frame gets a verdict.
const (
	material     = 0.10 // least unusual excess, as a share of the usual length
	materialTime = 0.01 // least unusual excess, as a share of the budget
	nearly       = 0.5  // share of the least excess that is enough if a single path is far above its usual time
	frameSpreads = 3    // standard deviations above the usual time of a frame
	pathSpreads  = 2.8  // standard deviations above the usual time of a path
)

// noBudget is report.NoBudget in ms.
const noBudget = float64(report.NoBudget / time.Millisecond)

// Explain fills in the verdict on one frame, which may be nil.
func (f *Finder) Explain(dst *report.Verdict, p *history.Frame) bool {
	if p == nil || p.Lost {
		return false
	}
	if of := (question{seq: p.Seq, gen: f.Gen}); !f.last.known(of, dst) {
		f.frames, f.span = append(f.frames[:0], p), span{}
		f.usual.around(f.Past, p.Seq)
		f.try(dst)
		f.last.keep(of, dst)
	}
	return dst.Found()
}

// question identifies the frames of a verdict.
type question struct {
	seq, gen uint64
	lens     report.Lens
}

// answer is the last verdict. The next question is often the same.
type answer struct {
	to      question
	made    bool
	verdict report.Verdict
}

func (a *answer) known(q question, dst *report.Verdict) bool {
	if !a.made || a.to != q {
		return false
	}
	a.verdict.CopyTo(dst)
	return true
}

func (a *answer) keep(q question, v *report.Verdict) {
	a.to, a.made = q, true
	v.CopyTo(&a.verdict)
}

// try fills in the verdict on frames if they are over budget or unusual.
func (f *Finder) try(dst *report.Verdict) {
	length, judged := f.describe(dst)
	f.measureAway()
	f.own = 0
	dst.Budget = f.Budget
	dst.Over = f.over(judged)
	if len(f.Tree.Paths) == 0 {
		return // no frame had a zone yet
	}
	if !f.usual.enough() {
		f.asUsual(dst)
		return
	}
	least := max(material*f.usual.length.mid, materialTime*f.Wanted)
	longer, worked := length-f.usual.length.mid, judged-f.usual.judged.mid
	dst.Usual, dst.Excess = f.usual.length.mid, longer
	if longer < least && worked >= least*nearly && worked > longer || f.waitedLonger(dst, longer, worked) {
		dst.Working = true
		dst.Time = judged
		dst.Usual = f.usual.judged.mid
		dst.Excess = worked
	}
	if dst.Excess >= least*nearly {
		f.weigh()
		f.choose(f.leastCandidate(f.smallest(dst, worked, least)))
		f.compare()
		f.own = f.subtractProfiler()
		dst.Own, dst.Excess, dst.Over = f.own, dst.Excess-f.own, f.over(judged-f.own)
	}
	if dst.Excess >= least*nearly {
		if dst.Over && dst.Excess >= least || f.unusual(dst, least) {
			if f.findAll(dst); f.Budget >= noBudget && len(dst.Causes) == 1 && dst.Causes[0].Chosen {
				dst.Causes = dst.Causes[:0] // no frame is judged, and the program chose it
			}
			return
		}
	}
	f.asUsual(dst)
}

// waitedLonger reports whether waits that the program chose are much of what a late frame took longer. They did not
// make it late, so the verdict is on the rest.
func (f *Finder) waitedLonger(dst *report.Verdict, longer, worked float64) bool {
	return dst.Over && longer-worked >= leastPart*longer && f.away.excess < leastAway*longer
}

// asUsual names the machine or the largest path in a late frame in which nothing took longer than usual.
func (f *Finder) asUsual(dst *report.Verdict) {
	byAway := f.lateByAway(dst)
	if !byAway && (!dst.Over || f.explainSlower(dst)) {
		return
	}
	length, judged := f.describe(dst)
	dst.Working, dst.Usual, dst.Excess = false, f.usual.length.mid, 0
	switch more := length - dst.Usual; {
	case !f.usual.enough():
		dst.Usual = 0
	case !byAway && more >= material*dst.Usual: // of waits that the program chose, and of the profiler
		dst.Working, dst.Time, dst.Usual = true, judged-f.own, f.usual.judged.mid
	}
	if byAway {
		f.putAway(dst)
	} else {
		f.largest(dst)
	}
}

// leastCandidate returns the least time of a candidate for causes of an excess. The rest of an excess without the time
// away has smaller causes.
func (f *Finder) leastCandidate(excess float64) float64 {
	if f.away.excess >= leastAway*excess {
		return leastPart * leastRest * excess
	}
	return leastPart * excess
}

// findAll finds the causes of an excess, in the program and around it.
func (f *Finder) findAll(dst *report.Verdict) {
	excess := dst.Excess
	ms, reason := f.machineTook()
	if ms >= mainShare*excess && (reason == measure.ReasonThrottled || ms > f.away.excess) {
		f.away.excess = 0 // other than for other programs: see addMachine
	}
	f.findCauses(dst, f.pauseOf())
	switch {
	case f.addPattern(dst):
		if f.away.excess <= 0 {
			return
		}
		dst.Causes, dst.Usual, dst.Excess = dst.Causes[:0], f.usual.length.mid, 0
	case len(dst.Causes) > 0 && dst.Causes[0].State.Reason != "": // a wait that the program chose
		if dst.Causes[0].State.Reason == measure.ReasonDisplay {
			f.addGPU(dst)
		}
	default:
		f.addGPU(dst)
		if f.away.excess <= 0 && f.addMachine(dst) {
			return
		}
		f.addState(dst)
		f.addWorker(dst)
		f.addNotRunning(dst)
		f.addAllocated(dst)
		f.addWaits(dst)
	}
	f.addAway(dst, excess)
}

// smallest returns the least excess whose causes are searched. The excess of judged time may be smaller than the excess
// of the length.
func (f *Finder) smallest(dst *report.Verdict, worked, least float64) float64 {
	if worked < least*nearly {
		return dst.Excess
	}
	return min(dst.Excess, worked)
}

// describe fills in index, number and time of frames, and returns their mean length and judged time.
func (f *Finder) describe(dst *report.Verdict) (length, judged float64) {
	slowest := f.frames[0]
	for _, p := range f.frames {
		if p.JudgedMS() > slowest.JudgedMS() {
			slowest = p
		}
	}
	mean := f.mean()
	dst.Index = slowest.Index
	dst.Frames = len(f.frames)
	dst.Time = mean.LengthMS
	dst.Tick = slowest.PerTick
	return mean.LengthMS, mean.JudgedMS()
}

// mean returns the mean numbers of the frames to explain.
func (f *Finder) mean() (mean history.Times) {
	for _, p := range f.frames {
		mean.Add(&p.Times)
	}
	mean.Divide(float64(max(len(f.frames), 1)))
	return mean
}

// unusual reports whether the frames, or some of their paths, are above the usual time by more than chance.
func (f *Finder) unusual(dst *report.Verdict, least float64) bool {
	spread := f.usual.length.spread
	if dst.Working {
		spread = f.usual.judged.spread
	}
	if dst.Excess >= max(least, frameSpreads*spread) || len(f.frames) > 1 && dst.Excess >= least {
		return true
	}
	for i := range f.candidates {
		q := &f.candidates[i]
		switch {
		case dst.Working && !f.judged(q.path):
		case q.selfExcess >= max(least, pathSpreads*q.usual.self.spread):
			return true
		case i > 0 && q.excess >= max(least, pathSpreads*q.usual.hier.spread):
			return true
		}
	}
	return false
}

// largest names the path with the most self time. It is the cause if nothing took longer than usual.
func (f *Finder) largest(dst *report.Verdict) {
	f.weigh()
	at := 0
	for i := range f.times {
		if p := &f.times[i]; f.judged(p.path) && !f.profilers(p.path) && p.self > f.times[at].self {
			at = i
		}
	}
	p := &f.times[at]
	if p.self >= leastPart*dst.Time {
		c := f.newCause(dst, report.CauseLargest, p.path)
		c.Self, c.Time, c.Count = true, p.self, p.count
		f.addPattern(dst)
		return
	}
	if within := f.widest(); within > 0 {
		w := &f.times[within]
		c := f.newCause(dst, report.CauseLargest, w.path)
		c.Time, c.Count = f.rows[within], w.count
	} else {
		f.newCause(dst, report.CauseSpread, 0).Time = dst.Time
	}
	c := f.newCause(dst, report.CauseLargest, p.path)
	c.Self, c.Time, c.Count = true, p.self, p.count
}

// widest returns the innermost path with most of the judged time below it, 0 for the root.
func (f *Finder) widest() (at int) {
	f.rows = resize.To(f.rows, len(f.times))
	for i := range f.times {
		if f.rows[i] = 0; f.judged(f.times[i].path) {
			f.rows[i] = f.times[i].self
		}
	}
	for i := len(f.times) - 1; i > 0; i-- {
		f.rows[f.times[i].parent] += f.rows[i]
	}
	for i := range f.times { // parents come first
		if p := &f.times[i]; int(p.parent) == at && i > 0 && f.rows[i] >= mostOf*f.rows[0] {
			at = i
		}
	}
	return at
}

// judged reports whether the time of a path counts against the budget.
func (f *Finder) judged(path int32) bool {
	p := &f.Tree.Paths[path]
	return !p.Idle || p.Block
}

// ExplainMany fills in the verdict on frames that a lens has chosen. A range is compared with the frames before it, any
// other choice with the frames that it leaves out. If the mean of a range is as usual, it explains the late frames of
// the range.
func (f *Finder) ExplainMany(dst *report.Verdict, lens report.Lens, chosen []uint64) bool {
	of := question{gen: f.Gen, lens: lens}
	if f.last.known(of, dst) || len(chosen) == 0 {
		return dst.Found()
	}
	f.gather(lens, chosen)
	f.try(dst)
	if !dst.Found() && f.span.chosen() && f.gatherLate(chosen) {
		f.try(dst)
		dst.Among, dst.Ranged = len(chosen), true
	}
	f.last.keep(of, dst)
	return dst.Found()
}

// gatherLate takes the frames of a range that are over budget as the frames to explain, if there are any.
func (f *Finder) gatherLate(chosen []uint64) (any bool) {
	for _, seq := range slices.Backward(chosen) {
		if p := f.Past.At(seq); p.Over && !p.Lost {
			if !any {
				any, f.frames = true, f.frames[:0]
			}
			if len(f.frames) < usualFrames {
				f.frames = append(f.frames, p)
			}
		}
	}
	return any
}

// gather takes the frames that a lens has chosen as the frames to explain.
func (f *Finder) gather(lens report.Lens, chosen []uint64) {
	f.frames, f.span = f.frames[:0], span{}
	for _, seq := range chosen[max(0, len(chosen)-usualFrames):] {
		f.frames = append(f.frames, f.Past.At(seq))
	}
	if lens.Kind == report.LensRange {
		f.span = span{chosen[0], chosen[len(chosen)-1]}
		f.usual.around(f.Past, chosen[0])
	} else {
		f.usual.apart(f.Past, chosen)
	}
}

// ForgetLast drops the cached verdict.
func (f *Finder) ForgetLast() { f.last.made = false }
