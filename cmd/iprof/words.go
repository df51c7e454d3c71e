package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/moment"
	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/remote"
	"example.com/iprof/internal/tables"
	"example.com/iprof/process/report"
)

// topReport returns the zones in the order of their self time. Values are means of all frames, or of the frame that
// triggered a black box.
func topReport(c *opened) (*report.Report, error) {
	if c.showsTrigger() {
		return c.trigger(report.ReportSelfTime), nil
	}
	return c.report(report.View{Mode: report.ReportSelfTime})
}

// showsTrigger shows the frame that triggered a black box, and reports whether there is one.
func (c *opened) showsTrigger() bool { return c.HasFrame && c.Session.View().ShowFrame(c.Frame) }

// trigger returns the report of the session's shown frame.
func (c *opened) trigger(mode report.ReportMode) *report.Report {
	c.Session.View().SetReportMode(mode)
	c.Session.View().SetAverage(report.AverageInstant)
	r := &report.Report{WantCalls: true}
	c.Session.View().AppendReport(r)
	return r
}

// writeTrigger writes the session's shown frame and its verdict.
func (c *opened) writeTrigger(w io.Writer, mode report.ReportMode) error {
	r := c.trigger(mode)
	describeCapture(w, c)
	fmt.Fprintf(w, "this is frame %d; -all shows all frames\n", c.Frame)
	return c.pick.writeRows(w, c.Session, r)
}

// top writes the zones in the order of their self time.
func top(w io.Writer, c *opened) error {
	if c.showsTrigger() {
		return c.writeTrigger(w, report.ReportSelfTime)
	}
	r, err := topReport(c)
	if err != nil {
		return err
	}
	describeCapture(w, c)
	if d := c.disturbed(); d != nil && d.Frames > 0 {
		words := report.DisturbedWords(d.Frames, d.Among)
		fmt.Fprintln(w, strings.Replace(words, "frame", c.Kind().Frame(), 1))
	}
	if err := c.pick.writeRows(w, c.Session, r); err != nil {
		return err
	}
	return c.slowCallLine(w, r)
}

// slowCallLine names the command that shows the slow call behind a p99: the one with the greatest excess.
func (c *opened) slowCallLine(w io.Writer, r *report.Report) error {
	if len(r.SlowCalls) == 0 {
		return nil
	}
	worst := slices.MaxFunc(r.SlowCalls, func(a, b *report.SlowCall) int { return cmp.Compare(a.Excess(), b.Excess()) })
	link := c.link(worst.Frame, worst.Name)
	if link == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "the slowest, in the viewer: %s; Shift+Q there lists those of a zone\n", link)
	return err
}

// tree writes the call trees, or the rows of the merged one that the user chose.
func tree(w io.Writer, c *opened) error {
	if c.showsTrigger() {
		return c.writeTrigger(w, report.ReportCallTree)
	}
	if c.pick.rows() {
		return c.writeReport(w, treeReport)
	}
	d := c.Session.Dump(report.DumpOptions{NoFrames: true})
	if c.File != nil && c.File.Frames() > 0 {
		c.Sums.Fill(d)
		list, _, err := c.Verdicts(report.Lens{Kind: report.LensSlowest, Slowest: 1}, 1)
		if err != nil {
			return err
		}
		if d.Verdict.Clear(); len(list) > 0 {
			d.Verdict = list[0]
		}
	}
	describeCapture(w, c)
	return text.WriteTree(w, d, text.Options{})
}

// treeReport returns the call tree of the chosen frames.
func treeReport(c *opened) (*report.Report, error) {
	return c.report(report.View{Mode: report.ReportCallTree})
}

// graph writes the callers and the callees of a zone.
func graph(w io.Writer, c *opened) error { return c.writeReport(w, graphReport) }

// graphReport returns the call graph around a zone, in the mean of the chosen frames.
func graphReport(c *opened) (*report.Report, error) {
	id, err := c.focus()
	if err != nil {
		return nil, err
	}
	return c.report(report.View{Mode: report.ReportCallGraph, Focus: id})
}

// focus returns the zone that is an argument, or has an id.
func (c *opened) focus() (report.ZoneID, error) {
	if id, one := c.pick.ids.OneZone(); one {
		return id, nil
	}
	return findZone(c.Session, c.pick.focus)
}

// writeReport writes a report.
func (c *opened) writeReport(w io.Writer, of func(c *opened) (*report.Report, error)) error {
	r, err := of(c)
	if err != nil {
		return err
	}
	describeCapture(w, c)
	return c.pick.writeRows(w, c.Session, r)
}

// reported returns a function that gives a report to JSON.
func reported(of func(c *opened) (*report.Report, error)) func(c *opened, f *asjson.File) error {
	return func(c *opened, f *asjson.File) error {
		r, err := of(c)
		if err != nil {
			return err
		}
		left := c.pick.cut(r)
		f.Report = asjson.ReportOf(r, c.Session.Zone)
		f.Report.Left = left
		return nil
	}
}

// mostSlow is the number of slowest frames without a choice, as many as a session keeps, and slowestWords chooses them.
const (
	mostSlow     = 16
	slowestWords = "worst"
)

// mostVerdicts is the greatest number of listed frames.
const mostVerdicts = 1000

// most returns the greatest number of listed frames.
func (p *selection) most() int {
	if p.limit > 0 {
		return min(p.limit, mostVerdicts)
	}
	return mostVerdicts
}

// slowestFrames returns the frames that the user chose, else the slowest of all, the slowest first. left is the number
// of those left out.
func (c *opened) slowestFrames() (list []report.FrameSummary, left int, err error) {
	l, err := c.lens(slowestWords)
	if err != nil {
		return nil, 0, err
	}
	list, all, err := c.Summaries(l, c.pick.most())
	return list, all - len(list), err
}

// slowest lists the slowest frames, and the sections.
func slowest(w io.Writer, c *opened) error {
	list, left, err := c.slowestFrames()
	if err != nil {
		return err
	}
	describeCapture(w, c)
	fmt.Fprintf(w, "%10s %10s %10s %10s\n", "frame", "ms", "busy ms", "blocked")
	for _, f := range list {
		if _, err := fmt.Fprintf(w, "%10d %10.2f %10.2f %10.2f\n", f.Index, f.Length, f.Busy, f.Blocked); err != nil {
			return err
		}
	}
	if err := leftOut(w, "frames", len(list), left); err != nil {
		return err
	}
	sections, dropped := c.Sections()
	return writeSections(w, sections, dropped)
}

// framesJSON gives the slowest frames and the sections to JSON.
func framesJSON(c *opened, f *asjson.File) error {
	list, left, err := c.slowestFrames()
	f.Slowest, f.SlowestLeft = []asjson.Frame{}, left
	for i := range list {
		f.Slowest = append(f.Slowest, asjson.FrameOf(list[i]))
	}
	sections, dropped := c.Sections()
	f.Sections, f.SectionsDropped = asjson.SectionsOf(sections), dropped
	return err
}

// writeSections writes a line for each section, if there are any.
func writeSections(w io.Writer, list []report.Section, dropped uint64) error {
	if len(list) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\n%10s %10s %10s %10s  %s\n", "frames", "average ms", "p99 ms", "worst ms", "section")
	for i := range list {
		s := &list[i]
		_, err := fmt.Fprintf(w, "%10d %10.2f %10.2f %10.2f  %s (frames %d to %d)\n", s.Frames, s.Mean, s.P99, s.Worst,
			shownText(s.Name), s.From, s.To)
		if err != nil {
			return err
		}
	}
	if dropped > 0 {
		fmt.Fprintf(w, "older sections left out: %d\n", dropped)
	}
	return nil
}

// judged returns the verdicts on the frames that the user chose, oldest first, and the number of those left out.
// Without a choice they are on the frames over budget, or on the slowest.
func (c *opened) judged() (list []report.Verdict, left int, err error) {
	l, err := c.lens("over")
	if err != nil {
		return nil, 0, err
	}
	list, left, err = c.Verdicts(l, mostVerdicts)
	if len(list)+left == 0 && err == nil && !c.pick.chosen() {
		list, left, err = c.Verdicts(report.Lens{Kind: report.LensSlowest, Slowest: mostSlow}, mostSlow)
	}
	return list, left, err
}

// verdictsOf returns the chosen verdicts, and the number of those left out.
func (c *opened) verdictsOf() (list []report.Verdict, left int, err error) {
	if c.pick.column != "" {
		return nil, 0, errors.New("-sort: verdicts are in the order of their frames; with -by zone, rows have columns")
	}
	list, left, err = c.judged()
	finds := (&tables.Choice{Zone: c.pick.zone, IDs: c.pick.ids}).Finds(tables.ZonesOf(c.Session))
	list = slices.DeleteFunc(list, func(v report.Verdict) bool {
		_, zone, name := v.Blames()
		return !finds(zone, name)
	})
	if more := len(list) - c.pick.most(); more > 0 {
		list, left = list[more:], left+more
	}
	return list, left, err
}

// verdicts writes a sentence about each frame over budget.
func verdicts(w io.Writer, c *opened) error {
	list, left, err := c.verdictsOf()
	if err != nil {
		return err
	}
	describeCapture(w, c)
	if left > 0 {
		fmt.Fprintf(w, "older frames left out: %d\n", left)
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "no frame is over budget or unusual")
		return err
	}
	for i := range list {
		if err := text.WriteVerdictAt(w, &list[i], c.Session.Zone); err != nil {
			return err
		}
	}
	v := slices.MaxFunc(list, func(a, b report.Verdict) int { return cmp.Compare(a.Time, b.Time) })
	if link := c.link(v.Index, v.Target().Name); link != "" {
		_, err = fmt.Fprintln(w, "see the slowest:", link)
	}
	return err
}

// verdictsJSON gives the verdicts to JSON.
func verdictsJSON(c *opened, f *asjson.File) error {
	list, left, err := c.verdictsOf()
	f.Verdicts, f.VerdictsLeft = []asjson.Verdict{}, left
	for i := range list {
		if v := asjson.VerdictOf(&list[i], c.Session.Zone); v != nil {
			for k := range v.Causes {
				v.Causes[k].Path = -1 // the file has no trees
			}
			f.Verdicts = append(f.Verdicts, *v)
		}
	}
	return err
}

// blamed returns the table of what the verdicts blame.
func (c *opened) blamed(choice *tables.Choice) (*tables.Table, error) {
	list, left, err := c.judged()
	if err != nil {
		return nil, err
	}
	var things []tables.Thing
	for i := range list {
		v := &list[i]
		kind, zone, name := v.Blames()
		if name == "" && zone <= 0 {
			name = kind.String()
		}
		things = append(things, tables.Thing{Zone: zone, Name: name, Frame: v.Index,
			Values: [7]float64{v.Target().Excess, v.Time}})
	}
	t, err := tables.List(choice, tables.ZonesOf(c.Session), uint64(len(list)), things)
	if err == nil && left > 0 {
		t.Notes = append(t.Notes, printed.Count(left, "older frame")+" left out")
	}
	return t, err
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

func describeCapture(w io.Writer, c *opened) {
	state := ""
	if !c.Complete {
		state = "; cut off at its end"
	}
	from := ""
	if !c.Start.IsZero() {
		from = c.Start.Format(" from 2006-01-02 15:04:05")
	}
	frames := printed.Count(c.Frames, "frame")
	switch c.Frames {
	case 0:
		frames = "no frame: the program ended none (iprof.Update ends one)"
	case 1:
		frames = "1 frame"
	}
	fmt.Fprint(w, shownText(c.Program))
	for _, known := range []string{c.GoVersion, c.Machine} {
		if known != "" && known != importer.NotKnown {
			fmt.Fprint(w, ", ", shownText(known))
		}
	}
	if kind := c.Kind(); c.Frames > 0 && !kind.HasFrames() {
		frames = kind.String()
	}
	fmt.Fprintf(w, ": %s%s%s\n", frames, from, state)
	if c.Reason != "" {
		fmt.Fprintf(w, "written by %s\n", text.Name(writer(c.Reason)))
	}
	if c.LeftOut > 0 {
		fmt.Fprintf(w, "triggers without a file since the previous file: %d\n", c.LeftOut)
	}
}

// writer returns the reason of a file with what wrote it. Package iproftest names itself.
func writer(reason string) string {
	if strings.HasPrefix(reason, "iproftest: ") {
		return reason
	}
	return "a black box: " + reason
}

// mostText is the greatest width of a printed text from a file, in terminal cells.
const mostText = 100

// shownText makes a text from a file safe to print on one line.
func shownText(s string) string { return text.Cut(string(printed.Of(s)), mostText) }
