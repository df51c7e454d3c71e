package framefile

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// sectionRun is a run of consecutive frames of one section below one key.
type sectionRun struct {
	of          gather.SectionInfo
	first, last uint64 // numbers of frames in the file
	from, to    uint64 // gather.Frame.Index of these frames
	worst       float32
	worstFrame  uint64 // gather.Frame.Index
}

// addToRuns adds a frame and its time in ms to its section.
func addToRuns(runs []sectionRun, f *gather.Frame, frame uint64, ms float32) []sectionRun {
	if f.Section.Number == 0 {
		return runs
	}
	if n := len(runs); n == 0 || runs[n-1].of.Number != f.Section.Number {
		runs = append(runs, sectionRun{of: f.Section, first: frame, from: f.Index, worst: ms, worstFrame: f.Index})
	}
	r := &runs[len(runs)-1]
	r.last = frame
	r.to = f.Index
	if ms > r.worst {
		r.worst, r.worstFrame = ms, f.Index
	}
	return runs
}

// Sections returns the sections of the file, oldest first, and the number of older sections left out: see
// report.MaxSections. Their percentiles are exact.
func (s *Sums) Sections() (list []report.Section, dropped uint64) {
	var runs []sectionRun
	for _, of := range s.runs {
		runs = append(runs, of...)
	}
	times := make([]float32, 0, s.Frames)
	s.Judged(func(_ uint64, ms float32) { times = append(times, ms) })
	var own []float32
	for i := range runs {
		r := &runs[i]
		if n := len(list); n == 0 || list[n-1].Number != r.of.Number {
			own = own[:0]
			list = append(list, report.Section{Number: r.of.Number, Name: r.of.Name, First: r.first, From: r.from})
		}
		of := &list[len(list)-1]
		if own = append(own, times[r.first:r.last+1]...); float64(r.worst) > of.Worst || of.Frames == 0 {
			of.Worst, of.WorstFrame = float64(r.worst), r.worstFrame
		}
		of.Last, of.To, of.Frames = r.last, r.to, uint64(len(own))
		if i+1 == len(runs) || runs[i+1].of.Number != r.of.Number {
			of.Mean, of.P99 = meanAndP99(own)
		}
	}
	left := max(len(list)-report.MaxSections, 0)
	return list[left:], uint64(left)
}

// meanAndP99 sorts times, which must not be empty. The percentile is by nearest rank.
func meanAndP99(times []float32) (mean, p99 float64) {
	for _, ms := range times {
		mean += float64(ms)
	}
	slices.Sort(times)
	return mean / float64(len(times)), float64(times[(99*len(times)+99)/100-1])
}
