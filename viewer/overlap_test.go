package viewer_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// heights are those of lower-case letters by face, pixels at scale 1.
var heights = map[draw.Face]float32{draw.FaceText: 7, draw.FaceBold: 7, draw.FaceSmall: 6, draw.FaceMono: 7,
	draw.FaceTiny: 6, draw.FaceLarge: 13}

// apartOnScreen fails for texts that lie on each other, or are cut by the edge of the screen. The screen must have no
// tip and no menu.
func apartOnScreen(t *testing.T, p *viewer.Panel, width, height float32) {
	t.Helper()
	words := settled(t, p, width, height, 1).AppendWords(nil)
	if len(words) < 10 {
		t.Fatalf("got only %d texts", len(words))
	}
	for i := range words {
		a := &words[i]
		if a.X0 < 0 || a.X1 > width+1 || a.Baseline < heights[a.Face] || a.Baseline > height {
			t.Errorf("%q at %v..%v, %v leaves the screen", a.Text, a.X0, a.X1, a.Baseline)
		}
		for j := range words[:i] {
			b := &words[j]
			if a.X0 < b.X1-1 && b.X0 < a.X1-1 && a.Baseline-heights[a.Face] < b.Baseline &&
				b.Baseline-heights[b.Face] < a.Baseline {
				t.Errorf("%q at %v..%v, %v lies on %q at %v..%v, %v", a.Text, a.X0, a.X1, a.Baseline,
					b.Text, b.X0, b.X1, b.Baseline)
			}
		}
	}
}

// No text of the screen lies on another: names of lines, ages, numbers, headings.
func TestTextsDoNotOverlap(t *testing.T) {
	for _, size := range [][2]float32{{480, 320}, {640, 360}, {960, 540}, {1280, 720}, {1920, 1080}, {2560, 1440}} {
		for _, budget := range []time.Duration{0, 8, 15, 16, 17, 18, 30, 32, 34, 36, 50} {
			t.Run(fmt.Sprint(size, " budget ", int(budget)), func(t *testing.T) {
				d := newDemo()
				d.budget = budget * time.Millisecond
				apartOnScreen(t, panelOf(d, viewer.PanelFull), size[0], size[1])
			})
		}
		for mode := range report.ReportMode(report.NumReportModes) {
			t.Run(fmt.Sprint(size, " mode ", mode), func(t *testing.T) {
				d := newDemo()
				d.view.Mode = mode
				apartOnScreen(t, panelOf(d, viewer.PanelFull), size[0], size[1])
			})
		}
		for age := 0; age < 300; age += 6 {
			t.Run(fmt.Sprint(size, " baseline ", age), func(t *testing.T) {
				d := newDemo()
				p := panelOf(d, viewer.PanelFull)
				d.view.Age = age
				p.Run("baseline")
				d.view.Age = 0
				apartOnScreen(t, p, size[0], size[1])
			})
		}
	}
}

// Numbers of the table are red only if they are over the budget.
func TestRedIsForWhatIsOverBudget(t *testing.T) {
	for _, budget := range []float64{1, 2, 4, 16.7, 1000} {
		t.Run(fmt.Sprint(budget, " ms"), func(t *testing.T) {
			d := newDemo()
			d.budget = time.Duration(budget * 1e6)
			p := panelOf(d, viewer.PanelFull)
			red, numbers := draw.PaletteOf(p.Options().Theme).Red, 0
			for _, w := range settled(t, p, 1280, 720, 1).AppendWords(nil) {
				v, err := strconv.ParseFloat(w.Text, 64)
				if w.Face != draw.FaceMono || err != nil {
					continue
				}
				if numbers++; w.Color == red && v < budget-0.01 {
					t.Errorf("got %s in red; want only what is over %v ms", w.Text, budget)
				}
			}
			if numbers < 20 {
				t.Errorf("got %d numbers; want a table", numbers)
			}
		})
	}
}

// The mode of descendants names the zone that its rows are about. Its rows have averages and maxima.
func TestDescendantsNameTheirSubject(t *testing.T) {
	s, p := replayed(t)
	s.Pause()
	p.Run("descendants")
	for _, size := range [][2]float32{{640, 360}, {960, 540}, {1280, 720}} {
		var r report.Report
		s.View().AppendReport(&r)
		words, found := settled(t, p, size[0], size[1], 1).AppendWords(nil), false
		for i := range words {
			found = found || i > 0 && words[i-1].Text == "on behalf of" && words[i].Text == r.Records[r.Cursor].Name
		}
		if !found {
			t.Errorf("%v: got no \"on behalf of %s\"; want it above the rows", size, r.Records[r.Cursor].Name)
		}
		for i := range r.Records {
			if rec := &r.Records[i]; !rec.Mask.Has(report.ColumnMean) || !rec.Mask.Has(report.ColumnMax) {
				t.Errorf("%s: got no average or maximum; want both", rec.Name)
			}
		}
	}
}

// The title of the panel over a program leaves room for the key at its right.
func TestTheTitleOverAProgramLeavesRoomForTheKey(t *testing.T) {
	for width := float32(300); width < 1400; width += 23 {
		d := newDemo()
		d.warn = []string{strings.Repeat("measuring costs much of the frame  ", 6)}
		p := panelOf(d, viewer.PanelReportAndGraph)
		viewer.SetHints(p, []viewer.KeyHint{{Keys: "F2", Action: viewer.FocusAction}})
		p.Change(func(o *viewer.Options) { o.Focused = false })
		apartOnScreen(t, p, width, 560)
	}
}

// Names beside the bands of a timeline end where the scopes begin, however long they are.
func TestNamesEndWhereTheScopesBegin(t *testing.T) {
	d := newDemo()
	paused(d, nil)
	lanes := goroutines(d)
	for i := range lanes.lanes {
		name := &lanes.lanes[i].Name
		*name = strings.Replace(*name, "loader.go", "the_loader_of_all_the_chunks_in_the_world.go", 1)
	}
	p := onTimeline(lanes, viewer.TimelineLarge, 1000, 560, 1)
	l := settled(t, p, 1000, 560, 1)
	seen := 0
	for _, w := range l.AppendWords(nil) {
		for _, a := range viewer.Areas(p) {
			if a.Hit.Kind == hit.TimelineLane && a.Contains(w.X0, w.Baseline-2) {
				if seen++; w.X1 > a.X1+1 {
					t.Errorf("%q ends at %v; want it before %v", w.Text, w.X1, a.X1)
				}
			}
		}
	}
	if seen < 4 {
		t.Errorf("got %d names; want some", seen)
	}
}
