package verdict

import (
	"slices"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// The limits of patterns in the times of a path.
const (
	patternFrames = 512 // greatest number of frames, the frame to explain included
	leastFrames   = 32
	leastTurns    = 4    // least number of changes to the higher of two times
	leastShare    = 0.08 // least share of the frames with either of two times
	between       = 0.08 // greatest share of the frames with times in the middle between two
	apart         = 1.3  // least ratio of the higher of two times to the lower
	oftener       = 1.5  // least ratio of frequencies that counts as more often
	leastPeriod   = 3    // frames
	fewPeriods    = 2    // enough if the period is at least:
	longPeriod    = 30   // frames
	manyPeriods   = 4    // enough for shorter periods
	riseBlock     = 8    // number of frames whose median is compared
	riseBlocks    = 5    // least number of blocks
	leastRise     = 1.5  // least ratio
)

// series has the time of a path by frame, ms, oldest first. The last frame is the frame to explain, or the last of a
// range.
type series struct {
	ms     []float32
	index  []uint64 // FrameSummary.Index of the frames
	sorted []float32
	levels []float32
	from   int // index of the first frame of the range
}

// span has the sequence numbers of the first and last frame of a range. The zero value means no range.
type span struct{ first, last uint64 }

// chosen reports whether frames of a range are to be explained.
func (s *span) chosen() bool { return s.last > s.first }

// timesOf fills f.series with the times of a cause's path in the frames up to the frame to explain.
func (f *Finder) timesOf(c *report.Cause) *series {
	s, seq := &f.series, f.newest()
	if f.span.chosen() {
		seq = f.span.last
	}
	s.ms, s.index, s.from = s.ms[:0], s.index[:0], 0
	if seq < f.Past.First() || seq >= f.Past.Next {
		return s
	}
	f.restart(len(f.Tree.Paths))
	f.places[0] = stamped{f.stamp, 0}
	f.places[c.Path] = stamped{f.stamp, 1}
	for at := max(f.Past.First(), seq-min(seq, patternFrames-1)); at <= seq; at++ {
		if p := f.Past.At(at); !p.Lost {
			if at < f.span.first {
				s.from++
			}
			s.ms, s.index = append(s.ms, float32(f.timeIn(p, c))), append(s.index, p.Index)
		}
	}
	return s
}

// timeIn returns the time of a cause's path in a frame: self time if the cause has self time, else hierarchical time.
func (f *Finder) timeIn(p *history.Frame, c *report.Cause) (ms float64) {
	ownLanes(p, func(records []history.Record) {
		for i := range records {
			r := &records[i]
			path := int32(r.Path & history.PathMask)
			if path == c.Path || !c.Self && c.Path > 0 && int(path) < len(f.places) && f.nearest(path) == 1 {
				ms += float64(r.Self) * p.PerTick
			}
		}
	})
	return ms
}

// addPattern adds the pattern of the main cause's path over the frames: it alternates between two times, takes long at
// regular distances, or grows. It reports whether the frame is as usual because its time is one of two alternating
// times.
func (f *Finder) addPattern(dst *report.Verdict) (asUsual bool) {
	if len(dst.Causes) == 0 || !hasTimes(&dst.Causes[0]) {
		return false
	}
	c := &dst.Causes[0]
	s := f.timesOf(c)
	if len(s.ms) < leastFrames {
		return false
	}
	if dst.Frames != 1 && !f.span.chosen() {
		c.Pattern = s.step(float32(c.Time), c.Excess/2)
		return false
	}
	before, last, of := s.ms[:len(s.ms)-1], s.ms[len(s.ms)-1], s.ms
	limit := c.Usual + c.Excess/2
	if f.span.chosen() { // the mean of the range is not one of the times
		before, of = s.ms, s.ms[s.from:]
		for _, ms := range of {
			last = max(last, ms)
		}
		limit = (c.Usual + float64(last)) / 2
	}
	if p := s.turns(before, last); p.Kind == report.PatternTurns && dst.Excess <= (1+mostOf)*(p.High-p.Low) {
		return f.byTurns(dst, p)
	}
	if c.Pattern = periodOf(of, limit); c.Pattern.Kind == report.PatternNone {
		c.Pattern = s.rise(c.Excess / 2)
	}
	if c.Pattern.Kind == report.PatternNone {
		c.Pattern = s.step(s.ms[len(s.ms)-1], c.Excess/2)
	}
	return false
}

// hasTimes reports whether a cause has the times of a path.
func hasTimes(c *report.Cause) bool {
	switch c.Kind {
	case report.CauseLonger, report.CauseMoreCalls, report.CauseNewPath, report.CauseWaiting, report.CauseOutside:
		return true
	}
	return c.Kind == report.CauseLargest && c.Path > 0
}

// byTurns judges a frame in which a path had the higher of two alternating times. That is unusual only if the higher
// time is more frequent now.
func (f *Finder) byTurns(dst *report.Verdict, p report.Pattern) (asUsual bool) {
	dst.Causes[0].Pattern = p
	if p.Oftener {
		return false
	}
	if len(dst.Causes) > 1 && hasTimes(&dst.Causes[1]) && dst.Causes[1].Excess >= leastPart*dst.Excess {
		dst.Causes[0], dst.Causes[1] = dst.Causes[1], dst.Causes[0] // the second cause is the unusual one
		dst.Causes = dst.Causes[:1]
		return f.addPattern(dst)
	}
	dst.Causes = dst.Causes[:1]
	dst.Time, _ = f.describe(dst)
	dst.Working, dst.Usual, dst.Excess = false, f.usual.length.mid, 0
	if !dst.Over {
		dst.Causes = dst.Causes[:0]
	}
	return true
}

// turns reports whether times alternate between two values, and the last is the higher one.
func (s *series) turns(before []float32, last float32) (p report.Pattern) {
	s.sorted = append(s.sorted[:0], before...)
	slices.Sort(s.sorted)
	n := float64(len(before))
	low, high := s.sorted[int(0.05*n)], s.sorted[int(0.95*n)]
	for range 4 {
		at, _ := slices.BinarySearch(s.sorted, (low+high)/2)
		if at == 0 || at == len(before) {
			return p
		}
		low, high = s.sorted[at/2], s.sorted[(at+len(before))/2]
	}
	quarter, middle := (high-low)/4, (low+high)/2
	up, turns, inside := 0, 0, 0
	for i, ms := range before {
		if ms > low+quarter && ms < high-quarter {
			inside++
		}
		if ms >= middle {
			if up++; i > 0 && before[i-1] < middle {
				turns++
			}
		}
	}
	share := float64(up) / n
	if high < apart*low || last < middle || last > high+2*quarter || turns < leastTurns ||
		float64(inside) > between*n || min(share, 1-share) < leastShare {
		return p
	}
	p = report.Pattern{Kind: report.PatternTurns, Low: float64(low), High: float64(high)}
	p.Oftener = oftenerNow(before, middle)
	return p
}

// oftenerNow reports whether times are above a limit clearly more often in the newest quarter than before.
func oftenerNow(ms []float32, middle float32) bool {
	from := len(ms) - max(len(ms)/4, leastFrames/2)
	above := func(ms []float32) (n float64) {
		for _, v := range ms {
			if v >= middle {
				n++
			}
		}
		return n / float64(len(ms))
	}
	now, before := above(ms[from:]), above(ms[:from])
	return now >= oftener*before && now-before >= leastPart
}

// periodOf finds whether times are above a limit at regular distances.
func periodOf(times []float32, limit float64) (p report.Pattern) {
	newest := -1
	last := -1
	every := 0
	periods := 0
	for i, ms := range slices.Backward(times) {
		if float64(ms) < limit {
			continue
		}
		if newest = max(newest, i); last >= 0 {
			gap := last - i
			if every == 0 {
				every = gap
			}
			if off := max(gap-every, every-gap); off > max(1, every/32) {
				return p
			}
			periods++
		}
		last = i
	}
	if every < leastPeriod || periods < fewPeriods || every < longPeriod && periods < manyPeriods ||
		last > every+1 || len(times)-1-newest > every+1 {
		return p
	}
	return report.Pattern{Kind: report.PatternPeriod, Every: (newest - last + periods/2) / periods}
}

// rise finds since when the times have grown steadily, by at least least ms.
func (s *series) rise(least float64) (p report.Pattern) {
	end := len(s.ms) - 1
	block := func(at int) float64 {
		s.sorted = append(s.sorted[:0], s.ms[at:at+riseBlock]...)
		slices.Sort(s.sorted)
		return float64(s.sorted[riseBlock/2])
	}
	first, blocks := end-riseBlock, 1
	high := block(first)
	low := high
	for first-riseBlock >= 0 {
		before := block(first - riseBlock)
		if before >= 0.99*low { // not clearly less than after it
			break
		}
		low, first, blocks = before, first-riseBlock, blocks+1
	}
	for blocks > riseBlocks && block(first+riseBlock)-low < 0.05*(high-low) { // the times were still flat
		first, blocks = first+riseBlock, blocks-1
	}
	if blocks < riseBlocks || high < leastRise*low || high-low < least {
		return p
	}
	return report.Pattern{Kind: report.PatternRise, Since: s.index[first], Low: low, High: high}
}
