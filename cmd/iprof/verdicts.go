package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"time"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/moment"
	"example.com/iprof/internal/remote"
	"example.com/iprof/internal/tables"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// mostVerdicts is the greatest number of listed verdicts, on the newest frames.
const mostVerdicts = 1000

// mostSlow is the number of slowest frames to judge if none is over budget, as many as a session keeps.
const mostSlow = 16

// verdictsOn returns the verdicts on some of the frames of a history, oldest first: on the newest, at most
// mostVerdicts. left is the number of older ones.
func verdictsOn(s *process.Session, frames, some []report.FrameSummary) (list []report.Verdict, left int) {
	at := len(frames) - 1
	for i := range slices.Backward(some) {
		if len(list) == mostVerdicts {
			left = i + 1
			break
		}
		for frames[at].Index != some[i].Index {
			at--
		}
		var v report.Verdict
		if s.VerdictOf(&v, len(frames)-1-at) {
			list = append(list, v)
		}
	}
	slices.Reverse(list)
	return list, left
}

// lateOf returns the frames over budget, or the slowest ones that the session keeps if there are none, oldest first.
func lateOf(s *process.Session, frames []report.FrameSummary) []report.FrameSummary {
	if over := (report.Lens{Kind: report.LensOver}).Choose(frames); len(over) > 0 {
		return over
	}
	slow := map[uint64]bool{}
	for _, f := range s.AppendSlowest(nil) {
		slow[f.Index] = true
	}
	return slices.DeleteFunc(slices.Clone(frames), func(f report.FrameSummary) bool { return !slow[f.Index] })
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
// Without a choice they are on the frames over budget, or on the slowest.
func (c *opened) verdictsOf(s *process.Session) (list []report.Verdict, left int, err error) {
	most := mostVerdicts
	if c.pick.limit > 0 {
		most = min(most, c.pick.limit)
	}
	if c.pick.column != "" && c.pick.by == "" {
		return nil, 0, errors.New("-sort: verdicts are in the order of their frames; with -by zone, rows have columns")
	}
	list, left, err = c.judged(s)
	finds := (&tables.Choice{Zone: c.pick.zone, IDs: c.pick.ids}).Finds(tables.ZonesOf(s))
	list = slices.DeleteFunc(list, func(v report.Verdict) bool {
		_, zone, name := v.Blames()
		return !finds(zone, name)
	})
	if len(list) > most {
		left += len(list) - most
		list = list[len(list)-most:]
	}
	return list, left, err
}

// judged returns the verdicts on at most mostVerdicts frames.
func (c *opened) judged(s *process.Session) (list []report.Verdict, left int, err error) {
	l, err := c.lens(s)
	if err != nil {
		return nil, 0, err
	}
	if c.file == nil {
		frames := s.AppendFrames(nil, math.MaxInt)
		some := l.Choose(frames)
		if !c.pick.chosen() {
			some = lateOf(s, frames)
		}
		list, left = verdictsOn(s, frames, some)
		return list, left, nil
	}
	if !c.pick.chosen() {
		l = report.Lens{Kind: report.LensOver}
	}
	budget := s.FrameBudget()
	frames := c.chosen(s, l)
	if left = max(len(frames)-mostVerdicts, 0); left > 0 {
		frames = frames[left:]
	}
	if len(frames) == 0 && !c.pick.chosen() {
		frames = c.slowest()
		slices.Sort(frames)
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

// chosen returns the numbers of the frames of a file that a lens chooses, oldest first.
func (c *opened) chosen(s *process.Session, l report.Lens) []uint64 {
	return c.file.Chosen(c.sums, l, report.OverFactor*s.FrameBudget().Seconds()*1000)
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
		report.SortBySlowness(list)
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
		if err := text.WriteVerdictAt(w, &list[i], s.Zone); err != nil {
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
	pick.addTo(f, []string{"zone"})
	output := f.String("o", "-", "write to `FILE`; - is standard output")
	asJSON := f.Bool("json", false, "write one JSON object")
	if err := parseFlags(f, args); err != nil {
		return usageStatus(err)
	}
	id, byID := pick.ids.OneZone()
	if n := f.NArg(); n != 2 && !(byID && n == 1) {
		stderr.Println("usage: iprof graph [flags] ZONE CAPTURE, as: iprof graph physics game.iprof")
		return 2
	}
	return showFile(openNewest, f.Arg(f.NArg()-1), *output, func(w io.Writer, s *process.Session, c *opened) error {
		c.pick = pick
		id, err := id, error(nil)
		if f.NArg() == 2 {
			id, err = findZone(s, f.Arg(0))
		}
		if err != nil {
			return err
		}
		r, err := c.graphOf(s, id)
		if err != nil {
			return err
		}
		if *asJSON {
			return writeReport(w, s, c, r)
		}
		describeCapture(w, s, c)
		return pick.writeRows(w, s, r)
	})
}

// graphOf returns the call graph around a zone, in the mean of the chosen frames.
func (c *opened) graphOf(s *process.Session, id report.ZoneID) (*report.Report, error) {
	if err := c.show(s, report.View{Mode: report.ReportCallGraph, Focus: id}); err != nil {
		return nil, err
	}
	r := new(report.Report)
	s.View().AppendReport(r)
	return r, nil
}
