package viewer_test

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/golden"
	"example.com/iprof/process/report"
)

// reportOf returns the demo's report of a mode, with a warning.
func reportOf(m report.ReportMode, cursor int) *report.Report {
	d := newDemo()
	d.view.Mode, d.view.Cursor = m, cursor
	d.warn = []string{"measuring costs 5.1 % of the frame"}
	var r report.Report
	d.AppendReport(&r)
	return &r
}

func TestReportPicture(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 760, 300))
	host(m)
	var l draw.List
	draw.AppendReport(&l, reportOf(report.ReportCallGraph, 2), 10, 10, 420, 180, draw.ReportOptions{})
	draw.AppendReport(&l, reportOf(report.ReportSelfTime, 9), 450, 10, 300, 280,
		draw.ReportOptions{Precision: 3, LineSpacing: 20})
	draw.AppendGraph(&l, newDemo().AppendSeries(nil, demoFrames)[:12], 93, 10, 290, 1.4, 8, draw.GraphOptions{})
	soft.Render(m, &l)
	golden.Picture(t, "report-and-graph.png", m)
}

// bounds returns the part of the screen that a list covers.
func bounds(l *draw.List) (x0, y0, x1, y1 float32) {
	x0, y0 = 1e9, 1e9
	x1, y1 = -1e9, -1e9
	for _, v := range l.V {
		x0, y0 = min(x0, v.X), min(y0, v.Y)
		x1, y1 = max(x1, v.X), max(y1, v.Y)
	}
	return
}

func TestReportStaysWithinItsHeight(t *testing.T) {
	r := reportOf(report.ReportSelfTime, 20)
	for _, spacing := range []float32{0, 20, -20, 0.5, -0.5} {
		t.Run(fmt.Sprint(spacing), func(t *testing.T) {
			for lines := float32(0); lines < 40; lines += 3.7 {
				unit := spacing
				if unit == 0 {
					unit = 17
				}
				height := lines * max(unit, -unit)
				var l draw.List
				draw.AppendReport(&l, r, 5, 7, 40*max(unit, -unit), height, draw.ReportOptions{LineSpacing: spacing})
				if len(l.V) == 0 {
					continue
				}
				_, y0, _, y1 := bounds(&l)
				low, high := 7-height, float32(7)
				if unit > 0 {
					low, high = 7, 7+height
				}
				if slack := 0.06 * max(unit, -unit); y0 < low-slack || y1 > high+slack {
					t.Errorf("spacing %v, %v lines: got y %v..%v; want within %v..%v", spacing, lines, y0, y1, low,
						high)
				}
			}
		})
	}
}

// notes is a host's text output that records its text.
type notes struct{ lines []string }

func (n *notes) Print(x, y float32, s string, _ color.RGBA) {
	n.lines = append(n.lines, fmt.Sprintf("%.0f %.0f %s", x, y, s))
}
func (n *notes) Width(s string) float32 { return float32(len(s)) }

func TestReportThroughTheHostsText(t *testing.T) {
	r := reportOf(report.ReportCallGraph, 2)
	r.Records[0].Name = "evil\n\x1b[0m\u202e" + strings.Repeat("x", 1<<20)
	var n notes
	var l draw.List
	draw.AppendReport(&l, r, 0, 0, 80, 20, draw.ReportOptions{LineSpacing: 1, Text: &n})
	all := strings.Join(n.lines, "\n")
	golden.Text(t, "host-text.golden", []byte(all+"\n"))
	if strings.ContainsAny(all, "\x1b\u202e") {
		t.Error("the host was given control characters; want them spelt out")
	}
}

func TestReportAllocatesNothing(t *testing.T) {
	r := reportOf(report.ReportSelfTime, 3)
	var l draw.List
	step := func() {
		l.Reset()
		draw.AppendReport(&l, r, 0, 0, 600, 600, draw.ReportOptions{})
	}
	step()
	if got := allocstest.PerRun(50, step); got != 0 {
		t.Errorf("got %v allocations; want 0", got)
	}
}
