package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// topArguments are the arguments of the tool top.
type topArguments struct {
	Capture string `json:"capture,omitempty" jsonschema:"path of the capture; without it, the one asked last"`
	By      string `json:"by,omitempty" jsonschema:"zone (the default) or path: the call tree"`
	pick
}

// topHead is the head of an answer of top.
type topHead struct {
	Unit string `json:"unit"`
	Of   string `json:"of,omitempty"`
	Mean number `json:"frame_ms,omitempty"`
}

// zoneRow is a zone, or a path of the call tree.
type zoneRow struct {
	place
	Level int     `json:"level,omitempty"`
	Group string  `json:"is,omitempty"` // of a call graph
	Self  number  `json:"self_ms"`
	Hier  number  `json:"hier_ms"`
	Share number  `json:"hier_percent,omitempty"`
	Count number  `json:"calls"`
	P99   *number `json:"hier_p99_ms,omitempty"`
	Idle  bool    `json:"idle,omitempty"`
}

func (s *Server) topTool(_ context.Context, in *topArguments) (*answer, error) {
	c, err := s.capture(in.Capture)
	if err != nil {
		return nil, err
	}
	var a *answer
	switch in.By {
	case "", "zone":
		a, err = c.rows(&in.pick, report.View{Mode: report.ReportSelfTime})
	case "path":
		a, err = c.paths(&in.pick)
	default:
		err = fmt.Errorf("by: there is no %s; use zone or path", quoted(in.By))
	}
	if err != nil {
		return nil, err
	}
	if a.next = []string{"calls with a zone: who calls it"}; c.Kind().HasFrames() {
		a.next = append(a.next, "top with frames=over: where the time of late frames goes", "compare with base=FILE")
	}
	return a, nil
}

// rows answers with the rows of a report of the chosen frames. hier_ms has all callees.
func (c *capture) rows(p *pick, v report.View) (*answer, error) {
	if err := c.show(p, v); err != nil {
		return nil, err
	}
	r := &report.Report{}
	if c.File == nil || strings.Contains(p.Sort, "p99") { // else it would read a long file once more
		r.Want = report.ColumnsOf(report.ColumnP99)
	}
	c.Session.View().AppendReport(r)
	a := &answer{head: topHeadOf(p, r)}
	for i := range r.Len() {
		rec, at := r.Line(i)
		if at < 0 {
			continue // the heading of a package
		}
		a.rows = append(a.rows, zoneRowOf(rec, r, c.Session))
	}
	a.limit(p.Limit)
	return a, nil
}

// topHeadOf says which frames a report is of, and in which unit.
func topHeadOf(p *pick, r *report.Report) *topHead {
	if r.View.Lens.Sums() {
		return &topHead{Unit: "ms, sum of the run"}
	}
	return &topHead{Unit: "ms, mean of a frame", Mean: number(r.Frame.Length),
		Of: fmt.Sprintf("%s: %d", quoted(cmp.Or(p.Frames, "all frames")), r.Frame.LensFrames)}
}

// paths answers with the call tree of the chosen frames.
func (c *capture) paths(p *pick) (*answer, error) {
	if p.Filter != "" || p.Sort != "" {
		return nil, errors.New("filter and sort are for by=zone; a call tree is whole, callers before callees")
	}
	if err := c.show(p, report.View{Mode: report.ReportCallTree}); err != nil {
		return nil, err
	}
	r := new(report.Report)
	c.Session.View().AppendReport(r)
	head := topHeadOf(p, r)
	head.Unit += "; stacks of at least 1 %"
	a := &answer{head: head, rows: treeRows(c.Session, c.Session.View().Get())}
	a.limit(p.Limit)
	return a, nil
}

func zoneRowOf(rec *report.Record, r *report.Report, s *process.Session) zoneRow {
	row := zoneRow{place: placeOf(rec.Name, rec.Zone, s.Zone), Level: rec.Indent, Idle: rec.Idle,
		Self: number(rec.Values[report.ColumnSelf]), Hier: number(rec.Values[report.ColumnHier]),
		Share: number(rec.Values[report.ColumnHierPercent]), Count: number(rec.Values[report.ColumnCount])}
	if p99 := number(rec.Values[report.ColumnP99]); rec.Mask.Has(report.ColumnP99) && p99 > 0 {
		row.P99 = &p99
	}
	if r.View.Mode == report.ReportCallGraph {
		row.Group = [...]string{report.GroupParent: "caller", report.GroupFocus: "zone",
			report.GroupChild: "callee"}[min(rec.Group, report.GroupChild)]
	}
	return row
}
