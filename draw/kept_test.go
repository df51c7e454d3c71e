package draw_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/process/report"
)

func rowsOf(n int) *report.Report {
	r := &report.Report{Title: "title"}
	r.Columns = []report.Column{report.ColumnSelf, report.ColumnHier, report.ColumnCount}
	for i := range n {
		rec := report.Record{Name: fmt.Sprint("zone ", i), Zone: report.ZoneID(i), Site: "game.go:12"}
		for _, c := range r.Columns {
			rec.Values[c] = float64(i) + 0.25
			rec.Mask.Add(c)
		}
		r.Records = append(r.Records, rec)
	}
	return r
}

// A list that draws one report after the other has what a new one has, whatever changes between them.
func TestKeptRowsLookAsNewOnes(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	r := rowsOf(30)
	var kept draw.List
	width, height, o := float32(500), float32(400), draw.ReportOptions{}
	for step := range 600 {
		rec := &r.Records[random.IntN(len(r.Records))]
		switch random.IntN(14) {
		case 0:
			rec.Name = fmt.Sprint("a longer name of a zone ", step)
		case 1:
			rec.Values[report.ColumnSelf] = random.Float64() * []float64{1, 1e4, 1e15}[random.IntN(3)]
		case 2:
			rec.Idle, rec.Heat = !rec.Idle, random.Float32()
		case 3:
			rec.Mask = report.ColumnSet{}.With(report.ColumnHier)
		case 4:
			r.Cursor = random.IntN(len(r.Records))
		case 5:
			width = 200 + 400*random.Float32()
		case 6:
			height = 100 + 500*random.Float32()
		case 7:
			o.Precision, o.Scale = 1+random.IntN(4), []float32{0, 1.5, 2}[random.IntN(3)]
		case 8:
			o.LineSpacing = []float32{0, 17, -17, 40}[random.IntN(4)]
		case 9:
			r.Columns[0], r.Columns[1] = r.Columns[1], r.Columns[0]
		case 10:
			r.Baseline.Pinned, rec.Delta = !r.Baseline.Pinned, report.Delta{Known: true, MS: random.Float64()}
		case 11:
			rec.Costly, rec.Depth, rec.Indent = !rec.Costly, random.IntN(3), random.IntN(3)
		case 12:
			r.Records = append(r.Records[1:], *rec)
		case 13:
			r.Warnings = append(r.Warnings[:0], make([]string, random.IntN(3))...)
		}
		var fresh draw.List
		kept.Reset()
		draw.AppendReport(&kept, r, 3, 5, width, height, o)
		draw.AppendReport(&fresh, r, 3, 5, width, height, o)
		if !slices.Equal(kept.V, fresh.V) {
			t.Fatalf("step %d: got %d quads; want the %d of a new list", step, kept.Quads(), fresh.Quads())
		}
	}
}

// Of 60 rows only what changed is laid out.
func TestRowsThatDidNotChangeAreCopied(t *testing.T) {
	r := rowsOf(60)
	var l draw.List
	paint := func() int {
		before := 0
		if l.V != nil {
			before = draw.LaidOut(&l)
		}
		l.Reset()
		draw.AppendReport(&l, r, 0, 0, 600, 1200, draw.ReportOptions{})
		return draw.LaidOut(&l) - before
	}
	if got := paint(); got != 60*4 {
		t.Errorf("first: got %d parts laid out; want 240", got)
	}
	if got := paint(); got != 0 {
		t.Errorf("the same: got %d parts laid out; want none", got)
	}
	r.Records[7].Values[report.ColumnHier]++
	r.Records[9].Values[report.ColumnHier] += 0.001 // which two decimals do not show
	if got := paint(); got != 1 {
		t.Errorf("one value: got %d parts laid out; want 1", got)
	}
	r.Records[8].Name = "another"
	if got := paint(); got != 1 {
		t.Errorf("one name: got %d parts laid out; want 1", got)
	}
	copied := l
	draw.AppendReport(&copied, r, 0, 0, 600, 1200, draw.ReportOptions{})
	if got := paint(); got != 0 {
		t.Errorf("after a copy of the list drew: got %d parts laid out; want none", got)
	}
	if got := allocstest.PerRun(20, func() { paint() }); got != 0 {
		t.Errorf("got %v allocations; want 0", got)
	}
}
