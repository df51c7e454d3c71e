package iproftest

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Check is a condition on the frames of a Run. It returns an error if the condition does not hold. Any function of this
// type may be a Check.
type Check func(r *Result) error

// Result has the frames of a Run. It is for one goroutine at a time.
type Result struct {
	session *process.Session
	frames  []frame
	zones   map[string]*zone
	file    bytes.Buffer // the frames as a capture
	writer  *framefile.Writer
	fn      func()
	loop    time.Duration // time of the calibration loop; 0 is not known
	sums    sums
}

// frame is a frame as a whole.
type frame struct {
	index     uint64
	judged    time.Duration
	away      time.Duration
	disturbed bool
}

// zone has the numbers of a zone by frame. The slices end at the last frame with an entry.
type zone struct {
	own    bool // not the program's work: an idle zone or a zone of the profiler
	times  []time.Duration
	counts []float64
}

// Run calls fn once for each frame, and then the checks. A failed check fails the test, which goes on. Run calls fn
// once before the first frame without measuring it. The frames are in a session of their own; the program's own session
// lacks them. Frames that other programs on the machine disturbed do not count: see [Result.Disturbed]. A test in a
// program built with the tag iprof_off is skipped.
func Run(t testing.TB, frames int, fn func(), checks ...Check) *Result {
	t.Helper()
	if !gather.Enabled {
		t.Skip("zones measure nothing in a program built with the tag iprof_off")
	}
	fn()
	r := newResult()
	info := framefile.ThisProgram()
	if r.loop = calibrate(); r.loop > 0 {
		info.Reason = fmt.Sprintf(calibrated, r.loop)
	}
	r.fn, r.writer = fn, framefile.NewWriter(&r.file, info)
	r.session.SetHistory(frames, frames)
	runFrames(r.session, r, func() bool { frames--; return frames >= 0 }, fn)
	if err := r.writer.Close(); err != nil {
		t.Error(err)
	}
	if words := report.DisturbedWords(r.Disturbed(), len(r.frames)); words != "" {
		t.Logf("iproftest: %s", words)
	}
	for _, check := range checks {
		if err := check(r); err != nil {
			t.Error(err)
		}
	}
	return r
}

func newResult() *Result { return &Result{session: process.NewSession(), zones: map[string]*zone{}} }

// runFrames hands the frames of calls of fn to a sink.
func runFrames(s *process.Session, sink gather.Sink, more func() bool, fn func()) {
	s.Update() // ends the frame before the calls
	s.Reset()
	defer s.AddSink(sink)()
	for more() {
		fn()
		s.Update()
	}
}

// WriteFrame does nothing: the session calls WriteJudged.
func (r *Result) WriteFrame(*gather.Frame) error { return nil }

// WriteJudged takes the numbers of a frame. The session calls it.
func (r *Result) WriteJudged(f *gather.Frame, j *process.Judged) error {
	at := len(r.frames)
	r.frames = append(r.frames, frame{f.Index, j.Time, f.Away.Time, f.Disturbed()})
	r.sums.each(f, func(n *gather.Node, took time.Duration) {
		info := &f.Zones[n.Zone]
		z := r.zone(info.Name, at)
		z.own = info.Idle || info.Name == updateZone
		z.counts[at] += float64(n.Count)
		z.times[at] += took
	})
	if r.writer == nil {
		return nil
	}
	return r.writer.WriteJudged(f, j)
}

// updateZone is the zone in which the profiler computes.
const updateZone = "iprof update"

// sums adds up the times of nodes. It has the memory for that.
type sums struct{ ticks []platform.Ticks }

// each calls visit for each node of a frame but the roots, with its hierarchical time. The outermost node has the time
// of recursion.
func (s *sums) each(f *gather.Frame, visit func(n *gather.Node, took time.Duration)) {
	for at := range f.Lanes {
		nodes := f.Lanes[at].Nodes
		s.ticks = s.ticks[:0]
		for i := range nodes {
			s.ticks = append(s.ticks, nodes[i].Self)
		}
		for i := len(nodes) - 1; i > 0; i-- {
			s.ticks[nodes[i].Parent] += s.ticks[i]
		}
		for i := range nodes {
			n, took := &nodes[i], time.Duration(0)
			if n.Depth == 0 {
				took = report.DurationOf(float64(s.ticks[i]) / f.TicksPerSecond)
			}
			if n.Zone != 0 {
				visit(n, took)
			}
		}
	}
}

// zone returns the zone of a name, with numbers up to a frame.
func (r *Result) zone(name string, at int) *zone {
	z := r.zones[name]
	if z == nil {
		z = new(zone)
		r.zones[name] = z
	}
	for len(z.times) <= at {
		z.times, z.counts = append(z.times, 0), append(z.counts, 0)
	}
	return z
}

// Times returns the hierarchical time of a zone in each frame, summed over all goroutines. Zones with the same name
// count as one. The zone "" is the frame without its idle zones. It returns nil for a zone that was never entered.
func (r *Result) Times(zone string) []time.Duration {
	if zone == "" {
		times := make([]time.Duration, len(r.frames))
		for i, f := range r.frames {
			times[i] = f.judged
		}
		return times
	}
	if r.zones[zone] == nil || len(r.frames) == 0 {
		return nil
	}
	return slices.Clone(r.zone(zone, len(r.frames)-1).times)
}

// Counts returns the number of entries of a zone in each frame. It returns nil for a zone that was never entered.
func (r *Result) Counts(zone string) []float64 {
	if r.zones[zone] == nil || len(r.frames) == 0 {
		return nil
	}
	return slices.Clone(r.zone(zone, len(r.frames)-1).counts)
}

// verdict returns the verdict on a frame after a colon, or "".
func (r *Result) verdict(frame int) string {
	var v report.Verdict
	if !r.session.View().ShowFrame(r.frames[frame].index) {
		return ""
	}
	r.session.Pause() // so that the view is the frame itself, not an average
	defer r.session.Resume()
	r.session.View().SetAverage(report.AverageInstant)
	if !r.session.View().Verdict(&v) {
		return ""
	}
	return ": " + v.String()
}
