package text

import (
	"io"
	"math"
	"slices"
	"strconv"

	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

// WriteFrames writes one line with the times of the frames in d.History: the median, the 99th percentile, the slowest,
// and the number of frames over budget. If d has a verdict, it is a second line. WriteFrames writes nothing for a
// program without frames. Errors are the writer's. Any goroutine may call it.
func WriteFrames(w io.Writer, d *report.Dump) error {
	if len(d.History) == 0 {
		return nil
	}
	p := newPrinter(w)
	p.put(printed.Count(d.Frames, "frame"))
	if uint64(len(d.History)) < d.Frames {
		p.put("; of the newest ", strconv.Itoa(len(d.History)))
	}
	lengths := lengthsOf(d.History)
	p.put(": median ", fit(rank(lengths, 0.5), true), ", 99 % within ", fit(rank(lengths, 0.99), true),
		", slowest ", fit(rank(lengths, 1), true))
	if d.Budget > 0 {
		p.put("; ", strconv.Itoa(overBudget(d.History)), " over the budget of ", fit(float64(d.Budget)/1e6, true))
	}
	p.put("\n")
	if d.Verdict.Found() {
		p.put(verdictAt(&d.Verdict, inZones(d.Zones)), "\n")
	}
	return p.flush()
}

// lengthsOf returns the lengths of frames in ms, sorted.
func lengthsOf(frames []report.FrameSummary) (sorted []float64) {
	for i := range frames {
		sorted = append(sorted, float64(frames[i].Length))
	}
	slices.Sort(sorted)
	return sorted
}

// rank returns the smallest value that a share of the values does not exceed.
func rank(sorted []float64, share float64) float64 {
	return sorted[max(0, int(math.Ceil(share*float64(len(sorted))))-1)]
}

func overBudget(frames []report.FrameSummary) (n int) {
	for i := range frames {
		if frames[i].Over {
			n++
		}
	}
	return n
}
