package runreport

import (
	"fmt"
	"io"
	"slices"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

const (
	startMS    = 1000 // of the first frames: long ones among them are the start
	startTimes = 2    // multiples of the median length that are long
	startPart  = 4    // the start has at most one of so many frames
	startFrom  = 24   // a program with fewer frames has no start apart
)

// start returns the number of frames that belong to the program's start: it loads and makes its window in them.
func start(frames []report.FrameSummary) (n int) {
	if len(frames) < startFrom {
		return 0
	}
	lengths := make([]float32, len(frames))
	for i := range frames {
		lengths[i] = frames[i].Length
	}
	slices.Sort(lengths)
	passed := float32(0)
	for i := range frames[:len(frames)/startPart] {
		if frames[i].Length > startTimes*lengths[len(lengths)/2] {
			n = i + 1
		}
		if passed += frames[i].Length; passed > startMS {
			break
		}
	}
	return max(n, 1)
}

// frames returns the dump with the frames after the start and the verdict on the slowest of them. It leaves out the
// last frame, which the end of the program cut. first are the frames of the start.
func (r *Run) frames() (d *report.Dump, first []report.FrameSummary) {
	of := *r.Dump
	d = &of
	all := d.History
	if n := len(d.History); n > 0 && r.Notes.Ended {
		d.History = d.History[:n-1]
		d.Frames--
	}
	n := start(d.History)
	first, d.History = d.History[:n], d.History[n:]
	d.Frames -= uint64(n)
	if len(d.History) == 0 || r.Session == nil {
		return d, first
	}
	slowest := 0
	for i := range d.History {
		if d.History[i].Length > d.History[slowest].Length {
			slowest = i
		}
	}
	d.Verdict = report.Verdict{}
	r.Session.VerdictOf(&d.Verdict, len(all)-1-n-slowest)
	return d, first
}

// worstFrame returns the sentence on the slowest frame after the start, or "".
func (r *Run) worstFrame() string {
	d, _ := r.frames()
	return string(d.Verdict.AppendText(nil, text.Name))
}

// writeFrames writes the lengths of the frames, the start apart. With verdict it adds the sentence on the slowest.
func (r *Run) writeFrames(w io.Writer, verdict bool) {
	d, first := r.frames()
	if !verdict {
		d.Verdict = report.Verdict{}
	}
	took := 0.0
	for i := range first {
		took += float64(first[i].Length)
	}
	switch {
	case len(first) == 1:
		fmt.Fprintf(w, "start: %s in the first frame\n", duration(took))
	case len(first) > 1:
		fmt.Fprintf(w, "start: %s in the first %s\n", duration(took), printed.Count(len(first), "frame"))
	}
	_ = text.WriteFrames(w, d)
}
