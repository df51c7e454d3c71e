package verdict

import (
	"slices"

	"example.com/iprof/process/report"
)

// The limits of a step: times that are longer for good.
const (
	stepBlock   = 8             // number of times whose median is compared
	blocksApart = 4             // number of blocks before a step that are shorter
	leastStep   = 1.2           // least ratio
	stepAgain   = 2 * stepBlock // frames after which a step is looked for again
	stepReach   = 1 << 14       // frames
	stepOver    = 1.5           // a time further above the shorter ones, in differences of the step, is not part of it
)

// slower is the last step in the judged times of frames.
type slower struct {
	upTo      uint64  // sequence number of the last frame that was looked at
	frame     uint64  // sequence number of the first frame that is slower
	index     uint64  // its FrameSummary.Index
	low, high float64 // ms, 0 for no step
	comparing bool    // frames are compared with those before the step
	usual     usualTimes
	ms        []float32
}

// stepOf finds the last step in times: the index of the first time after it, and the times before and after. It
// returns 0 if there is none.
func (s *series) stepOf(ms []float32) (at int, low, high float64) {
	median := func(block int) float32 {
		s.sorted = append(s.sorted[:0], ms[len(ms)-(block+1)*stepBlock:len(ms)-block*stepBlock]...)
		slices.Sort(s.sorted)
		return s.sorted[stepBlock/2]
	}
	blocks := len(ms) / stepBlock
	if blocks <= blocksApart {
		return 0, 0, 0
	}
	last := median(0)
	for block := 1; block+blocksApart <= blocks; block++ {
		if median(block) > last/leastStep {
			continue
		}
		s.levels = s.levels[:0]
		for i := range blocksApart {
			s.levels = append(s.levels, median(block+i))
		}
		slices.Sort(s.levels)
		if before := s.levels[blocksApart-1]; before <= last/leastStep {
			end := len(ms) - block*stepBlock + stepBlock
			at := splitOf(ms, max(end-3*stepBlock, 0), min(end, len(ms)-1), (before+last)/2)
			return at, float64(s.levels[blocksApart/2]), float64(last)
		}
	}
	return 0, 0, 0
}

// splitOf returns the index from..to that best divides times below a limit from those above it.
func splitOf(ms []float32, from, to int, limit float32) (best int) {
	wrong, least := 0, 0
	best = from
	for i := from; i < to; i++ { // the first part grows by ms[i]
		if ms[i] >= limit {
			wrong++
		} else if wrong--; wrong < least {
			least, best = wrong, i+1
		}
	}
	return best
}

// step returns the step of the times of a path. The last time must be of it, and the difference at least least ms.
func (s *series) step(last float32, least float64) (p report.Pattern) {
	at, low, high := s.stepOf(s.ms)
	if at == 0 || high-low < least || float64(last) > low+stepOver*(high-low) || float64(last) < (low+high)/2 {
		return p
	}
	return report.Pattern{Kind: report.PatternStep, Since: s.index[at], Low: low, High: high}
}

// find finds the last step in the judged times of the frames up to one, without the time away.
func (s *slower) find(f *Finder, seq uint64) {
	same := s.high == 0 || s.frame >= f.Past.First() && s.frame <= seq && f.Past.At(s.frame).Index == s.index
	if same && seq >= s.upTo && seq-s.upTo < stepAgain && s.upTo > 0 {
		return
	}
	first := max(f.Past.First(), seq-min(seq, stepReach-1))
	s.upTo, s.high, s.ms = seq, 0, s.ms[:0]
	for at := first; at <= seq; at++ {
		p := f.Past.At(at)
		s.ms = append(s.ms, float32(max(p.JudgedMS()-p.AwayMS, 0)))
	}
	at, low, high := f.series.stepOf(s.ms)
	if at > 0 {
		s.frame, s.low, s.high = first+uint64(at), low, high
		s.index = f.Past.At(s.frame).Index
	}
}

// explainSlower explains late frames that are as long as usual by what became slower for good, if frames before that
// are known.
func (f *Finder) explainSlower(dst *report.Verdict) (found bool) {
	s := &f.slower
	if f.span.chosen() || s.comparing {
		return false
	}
	if s.find(f, f.newest()); s.high == 0 {
		return false
	}
	own, taken := f.own, f.away
	f.usual, s.usual = s.usual, f.usual
	f.usual.around(f.Past, s.frame)
	if f.usual.enough() && f.usual.judged.mid <= (s.low+s.high)/2 {
		s.comparing = true
		f.try(dst)
		s.comparing = false
		if found = dst.Found() && !dst.AsUsual() && hasTimes(&dst.Causes[0]); found {
			dst.Causes[0].Pattern = report.Pattern{Kind: report.PatternStep, Since: s.index, Low: s.low, High: s.high}
		}
	}
	f.usual, s.usual = s.usual, f.usual
	if !found {
		f.own, f.away, dst.Causes = own, taken, dst.Causes[:0]
	}
	return found
}

// newest returns the sequence number of the newest of the frames to explain.
func (f *Finder) newest() (seq uint64) {
	for _, p := range f.frames {
		seq = max(seq, p.Seq)
	}
	return seq
}

// usualBefore computes the usual times for a verdict that names a step, of the frames before it. It reports false for
// another verdict.
func (f *Finder) usualBefore(v *report.Verdict) bool {
	c, last := v.Cause(), f.newest()
	if c.Pattern.Kind != report.PatternStep || f.span.chosen() {
		return false
	}
	back := f.Past.At(last).Index - c.Pattern.Since
	if back > last || last-back < f.Past.First() || f.Past.At(last-back).Index != c.Pattern.Since {
		return false
	}
	f.usual.around(f.Past, last-back)
	return true
}
