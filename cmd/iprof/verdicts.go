package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"time"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/moment"
	"example.com/iprof/internal/remote"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// mostVerdicts is the greatest number of listed verdicts, on the newest frames.
const mostVerdicts = 1000

// mostSlow is the number of slowest frames to judge if none is over budget, as many as a session keeps.
const mostSlow = 16

// appendVerdicts appends the verdicts on the frames over budget, oldest first, or on the slowest ones if there are
// none. left is the number of further frames over budget.
func appendVerdicts(s *process.Session) (list []report.Verdict, left int) {
	frames := s.AppendFrames(nil, int(s.View().Info().Frames))
	over := 0
	for age := range frames {
		f := &frames[len(frames)-1-age]
		if !f.Over {
			continue
		}
		if over++; len(list) == mostVerdicts {
			left++
			continue
		}
		var v report.Verdict
		if s.VerdictOf(&v, age) {
			list = append(list, v)
		}
	}
	if over == 0 {
		list = slowVerdicts(s, frames)
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list, left
}

// chosenVerdicts returns the verdicts on the newest frames that a lens chooses, oldest first.
func chosenVerdicts(s *process.Session, l report.Lens) (list []report.Verdict, left int) {
	frames := s.AppendFrames(nil, math.MaxInt)
	chosen := chosenOf(frames, l)
	left = max(len(chosen)-mostVerdicts, 0)
	at := 0
	for _, f := range chosen[left:] {
		for frames[at].Index != f.Index {
			at++
		}
		var v report.Verdict
		if s.VerdictOf(&v, len(frames)-1-at) {
			list = append(list, v)
		}
	}
	return list, left
}

// slowVerdicts returns the verdicts on the slowest frames in the history, newest first.
func slowVerdicts(s *process.Session, frames []report.FrameSummary) (list []report.Verdict) {
	slow := map[uint64]bool{}
	for _, f := range s.AppendSlowest(nil) {
		slow[f.Index] = true
	}
	for age := range frames {
		var v report.Verdict
		if slow[frames[len(frames)-1-age].Index] && s.VerdictOf(&v, age) {
			list = append(list, v)
		}
	}
	return list
}

// The frames to read around a judged one. A verdict needs the frames before it for the usual times, in the same blocks
// as in a session with all frames. The first frames need some after them, too. Frames near each other share one read.
const (
	framesBefore = 160
	framesBlock  = 16
	framesBehind = 48
	framesNear   = 64
)

// verdictsOf returns the verdicts on the frames that the user chose, oldest first, and the number of those left out.
// Without a choice it is appendVerdicts for all frames of a file.
func (c *opened) verdictsOf(s *process.Session) (list []report.Verdict, left int, err error) {
	most := mostVerdicts
	if c.pick.limit > 0 {
		most = min(most, c.pick.limit)
	}
	if list, left, err = c.judged(s); len(list) > most {
		left += len(list) - most
		list = list[len(list)-most:]
	}
	return list, left, err
}

// judged returns the verdicts on at most mostVerdicts frames.
func (c *opened) judged(s *process.Session) (list []report.Verdict, left int, err error) {
	l, err := c.lens(s)
	switch {
	case err != nil:
		return nil, 0, err
	case c.file == nil && c.pick.chosen():
		list, left = chosenVerdicts(s, l)
		return list, left, nil
	case c.file == nil:
		list, left = appendVerdicts(s)
		return list, left, nil
	}
	budget := s.FrameBudget()
	var frames []uint64
	if c.pick.chosen() {
		frames = c.file.Chosen(c.sums, l, report.OverFactor*budget.Seconds()*1000)
		left = max(len(frames)-mostVerdicts, 0)
		frames = frames[left:]
	} else {
		frames, left = c.slowFrames(budget)
	}
	for len(frames) > 0 {
		n := 1
		for n < len(frames) && frames[n]-frames[0] < framesNear {
			n++
		}
		if list, err = c.appendNear(list, frames[:n], budget); err != nil {
			return nil, 0, err
		}
		frames = frames[n:]
	}
	return list, left, nil
}

// slowFrames returns the newest frames over budget, or the slowest if there are none, the oldest first. left is the
// number of further frames over budget.
func (c *opened) slowFrames(budget time.Duration) (frames []uint64, left int) {
	c.sums.Judged(func(frame uint64, ms float32) {
		if float64(ms) > report.OverFactor*budget.Seconds()*1000 {
			frames = append(frames, frame)
			if len(frames) == 2*mostVerdicts {
				left += copy(frames, frames[mostVerdicts:])
				frames = frames[:mostVerdicts]
			}
		}
	})
	if more := len(frames) - mostVerdicts; more > 0 {
		return frames[more:], left + more
	}
	if len(frames) == 0 {
		frames = c.slowest()
		slices.Sort(frames)
	}
	return frames, left
}

// slowest returns the slowest frames of a file, the slowest first. They are the ones that a session with all frames
// keeps.
func (c *opened) slowest() (frames []uint64) {
	var times []float32
	c.sums.Judged(func(frame uint64, ms float32) {
		if n := len(times); n == mostSlow && !(ms > times[n-1]) {
			return
		}
		at := sort.Search(len(times), func(i int) bool { return times[i] < ms })
		times, frames = slices.Insert(times, at, ms), slices.Insert(frames, at, frame)
		times, frames = times[:min(len(times), mostSlow)], frames[:min(len(frames), mostSlow)]
	})
	return frames
}

// slowestFrames returns the frames that the user chose, else the slowest of all, the slowest first. left is the number
// of those left out.
func (c *opened) slowestFrames(s *process.Session) (list []report.FrameSummary, left int, err error) {
	l := report.Lens{Kind: report.LensSlowest, Slowest: mostSlow}
	if c.pick.chosen() {
		if l, err = c.lens(s); err != nil {
			return nil, 0, err
		}
	} else if c.file == nil {
		list = s.AppendSlowest(nil)
	}
	if list == nil {
		list, left, err = c.summaries(s, l)
		bySlowness(list)
	}
	if most := c.pick.limit; most > 0 && len(list) > most {
		left += len(list) - most
		list = list[:most]
	}
	return list, left, err
}

// ofAllFrames turns a dump of the newest frames into a dump of all frames, with the verdict on the slowest.
func (c *opened) ofAllFrames(d *report.Dump, s *process.Session) error {
	if c.file == nil || c.file.Frames() == 0 {
		return nil
	}
	c.sums.Fill(d)
	list, err := c.appendNear(nil, c.slowest()[:1], s.FrameBudget())
	if d.Verdict.Clear(); len(list) > 0 {
		d.Verdict = list[0]
	}
	return err
}

// appendNear appends the verdicts on frames of a file that are near each other.
func (c *opened) appendNear(list []report.Verdict, frames []uint64, budget time.Duration) ([]report.Verdict, error) {
	from := (frames[0] - min(frames[0], framesBefore)) / framesBlock * framesBlock
	to := min(frames[len(frames)-1]+framesBehind, c.file.Frames())
	s := process.NewSession()
	s.SetHistoryLimits(process.HistoryLimits{Frames: int(to - from)})
	if _, err := c.file.Load(s, from, to); err != nil {
		return nil, err
	}
	s.SetFrameBudget(budget)
	for _, frame := range frames {
		var v report.Verdict
		if s.VerdictOf(&v, int(to-1-frame)) {
			list = append(list, v)
		}
	}
	return list, nil
}

// verdicts writes a sentence about each frame over budget.
func verdicts(w io.Writer, s *process.Session, c *opened) error {
	describeCapture(w, s, c)
	list, left, err := c.verdictsOf(s)
	if err != nil {
		return err
	}
	if left > 0 {
		fmt.Fprintf(w, "older frames left out: %d\n", left)
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "no frame is over budget or unusual")
		return err
	}
	for i := range list {
		if err := text.WriteVerdict(w, &list[i]); err != nil {
			return err
		}
	}
	if link := c.worst(list); link != "" {
		_, err = fmt.Fprintln(w, "see the slowest:", link)
	}
	return err
}

// worst returns the command that shows the slowest of some frames.
func (c *opened) worst(list []report.Verdict) string {
	v := slices.MaxFunc(list, func(a, b report.Verdict) int { return cmp.Compare(a.Time, b.Time) })
	return c.link(v.Index, v.Target().Name)
}

// link returns the command that shows a frame of the capture, and a zone in it; "" if no file has the name.
func (c *opened) link(frame uint64, zone string) string {
	if c.name == "" || c.name == "-" || remote.Is(c.name) {
		return ""
	}
	m := moment.Of(frame)
	m.Zone = zone
	return moment.Command(c.name, m.String())
}

// graph is the command graph. It writes the callers and the callees of a zone.
func graph(args []string) int {
	f, pick := newFlags("graph"), selection{}
	pick.addTo(f, true)
	output := f.String("o", "-", "write to `FILE`; - is standard output")
	asJSON := f.Bool("json", false, "write one JSON object")
	if err := parseFlags(f, args); err != nil {
		return usageStatus(err)
	}
	if f.NArg() != 2 {
		stderr.Println("usage: iprof graph [flags] ZONE CAPTURE, as: iprof graph physics game.iprof")
		return 2
	}
	zone := f.Arg(0)
	return showFile(openNewest, f.Arg(1), *output, func(w io.Writer, s *process.Session, c *opened) error {
		c.pick = pick
		r, err := c.graphOf(s, zone)
		if err != nil {
			return err
		}
		if *asJSON {
			return writeReport(w, s, c, r)
		}
		describeCapture(w, s, c)
		return pick.writeRows(w, r)
	})
}

// graphOf returns the call graph around a zone, in the mean of the chosen frames.
func (c *opened) graphOf(s *process.Session, name string) (*report.Report, error) {
	id, err := findZone(s, name)
	if err != nil {
		return nil, err
	}
	if err := c.show(s, report.View{Mode: report.ReportCallGraph, Focus: id}); err != nil {
		return nil, err
	}
	r := new(report.Report)
	s.View().AppendReport(r)
	return r, nil
}
