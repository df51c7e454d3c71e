package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/tables"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

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
	focus  string        // the zone that is an argument

	json, all bool
}

// addTo adds the flags for rows of a kind.
func (p *selection) addTo(f *flag.FlagSet, kind *tables.Kind) {
	f.StringVar(&p.frames, "frames", p.frames, "only the frames of `CHOICE`, such as 100-200,over,worst:10 or "+
		`section:"level 3"`)
	f.DurationVar(&p.budget, "budget", 0, "the frame budget is `5ms`, in place of the capture's")
	f.Func("id", "only the zone, lane, frame or call of `ID`, as rows and -json have it: z17, l3, f120 or c120.3.7",
		func(words string) (err error) { p.ids, err = tables.ParseIDs(words); return err })
	f.StringVar(&p.zone, "zone", "", "only the rows of `FILTER`, such as 'pkg:physics >5ms', and those above them")
	f.StringVar(&p.lane, "lane", "", "only the goroutine whose name contains `NAME`")
	f.Func("by", "a row for each `KEY`: "+strings.Join(kind.By, ", "), func(key string) (err error) {
		p.by, err = kind.Key(key)
		return err
	})
	if kind != tables.Export && kind != tables.Page {
		f.StringVar(&p.column, "sort", "", "sort the rows by `COLUMN`, such as self_ms, count or hier_p99_ms")
	}
	if kind != tables.Export {
		f.IntVar(&p.limit, "limit", p.limit, "write at most `N` rows; 0 is no limit")
	}
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

// ofThings reports whether the user chose zones or goroutines.
func (p *selection) ofThings() bool {
	_, zone := p.ids.OneZone()
	_, lane := p.ids.OneLane()
	return zone || lane || p.zone != "" || p.lane != ""
}

// rows reports whether the user chose frames or rows.
func (p *selection) rows() bool {
	return p.chosen() || p.ofThings() || p.budget > 0 || p.by != "" || p.column != "" || p.limit > 0
}

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

// lens returns the chosen frames. usual are the words for those without a choice.
func (c *opened) lens(usual string) (report.Lens, error) {
	if c.pick.budget > 0 {
		c.Session.SetFrameBudget(c.pick.budget)
	}
	if c.pick.chosen() {
		usual = c.pick.words()
	}
	l, err := c.Lens(usual)
	if err != nil {
		return l, fmt.Errorf("-frames: %w", err)
	}
	return l, nil
}

// report shows the chosen frames and rows in the session's view, and returns its report.
func (c *opened) report(v report.View) (r *report.Report, err error) {
	l, err := c.lens("")
	if err != nil {
		return nil, err
	}
	if v.Lane, err = c.lane(); err != nil {
		return nil, err
	}
	if v.Order, err = c.pick.order(); err != nil {
		return nil, err
	}
	v.Filter = report.FilterText(c.pick.zone)
	c.Session.View().Set(v)
	c.Session.View().SetLens(l)
	r = &report.Report{WantCalls: v.Mode == report.ReportSelfTime}
	c.Session.View().AppendReport(r)
	return r, nil
}

// lane returns the goroutine that the user chose, or 0.
func (c *opened) lane() (report.LaneID, error) {
	if id, one := c.pick.ids.OneLane(); one {
		return id, nil
	}
	id, err := c.Lane(c.pick.lane)
	if err != nil {
		return 0, fmt.Errorf("-lane: %w", err)
	}
	return id, nil
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
	if err := text.WriteReport(w, r, text.Options{Zone: s.Zone}); err != nil {
		return err
	}
	return leftOut(w, "rows", p.limit, left)
}
