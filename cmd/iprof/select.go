package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/tables"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// framesUsage is the usage of -frames.
const framesUsage = "only the frames of `CHOICE`, such as 100-200,over,worst:10 or section:\"level 3\""

// selection chooses frames and rows of a capture: the flags that all reading commands have. See report.ParseFrames and
// report.FilterText for its languages.
type selection struct {
	frames string // "": what the command shows without a choice
	zone   string
	lane   string
	by     string
	column string // to sort by
	ids    tables.IDs
	limit  int
	budget time.Duration // in place of the capture's, unless 0
}

// addTo adds the flags of frames, and those of rows for commands that write rows by some keys.
func (p *selection) addTo(f *flag.FlagSet, by []string) {
	f.StringVar(&p.frames, "frames", "", framesUsage)
	f.DurationVar(&p.budget, "budget", 0, "the frame budget is `5ms`, in place of the capture's")
	f.Func("id", "only the zone, lane, frame or call of `ID`, as rows and -json have it: z17, l3, f120 or c120.3.7",
		func(words string) (err error) {
			if p.ids, err = tables.ParseIDs(words); err == nil {
				err = p.refuse(by)
			}
			return err
		})
	f.IntVar(&p.limit, "limit", p.limit, "write at most `N` rows; 0 is no limit")
	if by == nil {
		return
	}
	f.StringVar(&p.zone, "zone", "", "only the rows of `FILTER`, such as 'pkg:physics >5ms', and those above them")
	if choosesLanes(by) {
		f.StringVar(&p.lane, "lane", "", "only the goroutine whose name contains `NAME`")
	}
	f.StringVar(&p.by, "by", "", "a row for each `KEY`: "+strings.Join(by, ", "))
	f.StringVar(&p.column, "sort", "", "sort the rows by `COLUMN`, such as self_ms, count or hier_p99_ms")
}

// choosesLanes reports whether a command with these keys chooses rows by goroutine.
func choosesLanes(by []string) bool { return slices.Contains(by, "lane") || len(by) == 1 }

// refuse returns an error if the ids name what a command with these keys does not choose by.
func (p *selection) refuse(by []string) error {
	_, zone := p.ids.OneZone()
	_, lane := p.ids.OneLane()
	switch {
	case lane && !choosesLanes(by):
		return fmt.Errorf("%v: this command does not choose by goroutine; top, calls and lanes do", p.ids)
	case zone && by == nil:
		return fmt.Errorf("%v: this command chooses frames only, as f120; top -by frame chooses by zone, too", p.ids)
	}
	return nil
}

// order returns the order of the rows of a report.
func (p *selection) order() (report.Order, error) {
	if p.column == "" {
		return report.Order{}, nil
	}
	o, names, ok := report.OrderBy(p.column)
	if !ok {
		return o, tables.NoColumn(p.column, names)
	}
	return o, nil
}

// chosen reports whether the user chose frames.
func (p *selection) chosen() bool { return p.words() != "" }

// judges reports whether the choice of frames needs more than their ids.
func (p *selection) judges() bool { return p.frames != "" || p.budget > 0 }

// words are the words that choose frames.
func (p *selection) words() string {
	frame, one := p.ids.OneFrame()
	switch {
	case !one:
		return p.frames
	case p.frames == "":
		return strconv.FormatUint(frame, 10)
	}
	return p.frames + "," + strconv.FormatUint(frame, 10)
}

// lens returns the chosen frames. Without a choice it is every frame; where frames are only pieces of the time, all are
// one run.
func (c *opened) lens(s *process.Session) (report.Lens, error) {
	if c.pick.budget > 0 {
		s.SetFrameBudget(c.pick.budget)
	}
	if !c.pick.chosen() {
		return s.View().Info().Kind.Whole(), nil
	}
	list, _ := c.sectionsOf(s)
	l, err := report.ParseFrames(c.pick.words(), list)
	if err != nil {
		return l, fmt.Errorf("-frames: %w", err)
	}
	return l, nil
}

// show shows the chosen frames and rows in the session's view.
func (c *opened) show(s *process.Session, v report.View) error {
	l, err := c.lens(s)
	if err != nil {
		return err
	}
	if v.Lane, err = c.lane(s); err != nil {
		return err
	}
	if v.Order, err = c.pick.order(); err != nil {
		return err
	}
	v.Filter = report.FilterText(c.pick.zone)
	s.View().Set(v)
	s.View().SetLens(l)
	return nil
}

// lane returns the goroutine that the user chose, or 0.
func (c *opened) lane(s *process.Session) (report.LaneID, error) {
	if id, one := c.pick.ids.OneLane(); one {
		return id, nil
	}
	if c.pick.lane == "" {
		return 0, nil
	}
	var now process.Snapshot
	s.View().Snapshot(&now, process.SnapshotOptions{Lanes: true})
	var found []report.LaneID
	var names []string
	for i := range now.Lanes {
		if l := &now.Lanes[i]; strings.Contains(l.Name, c.pick.lane) {
			found, names = append(found, l.ID), append(names, shownText(l.Name))
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return 0, fmt.Errorf("-lane: no goroutine has %q in its name", c.pick.lane)
	}
	return 0, fmt.Errorf("-lane: %d goroutines have %q in their names; give more of one: %s", len(found), c.pick.lane,
		strings.Join(names[:min(len(names), 5)], ", "))
}

// cut leaves the first rows of a report, and returns the number of rows left out.
func (p *selection) cut(r *report.Report) (left int) {
	p.onlyZone(r)
	all := r.Len()
	if p.limit <= 0 || all <= p.limit {
		return 0
	}
	if r.Lines == nil {
		r.Records = r.Records[:p.limit]
	} else {
		r.Lines = r.Lines[:p.limit]
	}
	return all - p.limit
}

// onlyZone leaves the rows of the zone that an id chose, and those above them.
func (p *selection) onlyZone(r *report.Report) {
	zone, one := p.ids.OneZone()
	if !one || r.View.Mode == report.ReportCallGraph {
		return
	}
	var some []report.Record
	below := 0
	for i := range slices.Backward(r.Records) {
		if k := &r.Records[i]; k.Zone == zone || k.Indent < below {
			some, below = append(some, *k), k.Indent
		}
	}
	slices.Reverse(some)
	r.Records, r.Lines = some, nil
}

// writeRows writes a report with at most the chosen number of rows.
func (p *selection) writeRows(w io.Writer, s *process.Session, r *report.Report) error {
	left := p.cut(r)
	err := text.WriteReport(w, r, text.Options{Zone: s.Zone})
	if err == nil && left > 0 {
		_, err = fmt.Fprintf(w, "rows %d of %d\n", p.limit, p.limit+left)
	}
	return err
}

// summaries returns the frames that a lens chooses, oldest first, but only the slowest mostVerdicts of them. left is
// the number of others.
func (c *opened) summaries(s *process.Session, l report.Lens) (list []report.FrameSummary, left int, err error) {
	if c.file == nil {
		list = l.Choose(s.AppendFrames(nil, math.MaxInt))
		if left = max(len(list)-mostVerdicts, 0); left > 0 {
			list = report.Lens{Kind: report.LensSlowest, Slowest: mostVerdicts}.Choose(list)
		}
		return list, left, nil
	}
	frames := c.chosen(s, l)
	if left = max(len(frames)-mostVerdicts, 0); left > 0 {
		first, last, some := l.Range()
		frames = c.chosen(s, report.Lens{Kind: report.LensSlowest, Slowest: mostVerdicts, Of: l.OfBudget(),
			Ranged: some, From: first, To: last})
	}
	for _, frame := range frames {
		one := process.NewSession()
		one.SetFrameBudget(s.FrameBudget())
		if _, err := c.file.Load(one, frame, frame+1); err != nil {
			return nil, 0, err
		}
		list = one.AppendFrames(list, 1)
	}
	return list, left, nil
}

// rows reports whether the user chose frames or rows.
func (p *selection) rows() bool { return *p != selection{} }
