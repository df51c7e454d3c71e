package draw_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/process/report"
)

var ink = color.NRGBA{255, 255, 255, 255}

func TestNumbersRound(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{
		{9.999, 2, "10.00"}, {100.999, 2, "101.00"}, {0.005, 2, "0.01"}, {-0.001, 2, "0.00"}, {-1.5, 1, "-1.5"},
		{0.12345, 4, "0.1235"}, {12345.6, 1, "12345.6"}, {0, 3, "0.000"}, {math.NaN(), 2, "-"}, {math.Inf(1), 2, "-"},
		{1e18, 2, "1e+18"},
	} {
		t.Run(fmt.Sprint(c.v), func(t *testing.T) {
			if got := string(draw.AppendFixed(nil, c.v, c.decimals)); got != c.want {
				t.Errorf("%v to %d decimals: got %q; want %q", c.v, c.decimals, got, c.want)
			}
		})
	}
	for v, want := range map[float64]string{3: "3", 3.25: "3.25", 2.9999: "3", 1234.5: "1235"} {
		t.Run(fmt.Sprint(v), func(t *testing.T) {
			if got := string(draw.AppendCount(nil, v)); got != want {
				t.Errorf("count %v: got %q; want %q", v, got, want)
			}
		})
	}
	for v, want := range map[float64]string{0: "0 B", 999: "999 B", 3400: "3.4 kB", 12e6: "12 MB", 999.6e3: "1.0 MB"} {
		t.Run(fmt.Sprint(v), func(t *testing.T) {
			if got := string(draw.AppendBytes(nil, v)); got != want {
				t.Errorf("%v bytes: got %q; want %q", v, got, want)
			}
		})
	}
}

func TestTextWidthAndCut(t *testing.T) {
	var l draw.List
	const s = "render_world é → \u4e2d\xff\n"
	want := l.Width(draw.FaceText, s)
	if got := l.Text(0, 20, draw.FaceText, s, ink); math.Abs(float64(got-want)) > 0.01 {
		t.Errorf("advance: got %v; want Width's %v", got, want)
	}
	missing := l.Width(draw.FaceMono, "\u4e2d")
	escape := l.Width(draw.FaceMono, `\u4e2d`)
	if missing != escape {
		t.Errorf("width of a missing character: got %v; want that of its escape, %v", missing, escape)
	}
	for width := float32(0); width < want+10; width += 3 {
		l.Reset()
		if got := l.TextCut(0, 20, width, draw.FaceText, s, ink); got > width {
			t.Errorf("cut to %v: got %v", width, got)
		}
		for _, v := range l.V {
			if v.X > width+2 {
				t.Fatalf("cut to %v: got ink at %v", width, v.X)
			}
		}
	}
}

func TestRectanglesSnap(t *testing.T) {
	var l draw.List
	l.Rect(0.4, 0.6, 9.7, 4.2, ink)
	a := l.V[0]
	b := l.V[2]
	if a.X != 0 || a.Y != 1 || b.X != 10 || b.Y != 4 {
		t.Errorf("edges: got %v,%v to %v,%v; want 0,1 to 10,4", a.X, a.Y, b.X, b.Y)
	}
	l.Reset()
	l.Rect(3.1, 0, 3.4, 10, ink)
	l.Line(1, 1, 1, 1, 1, ink)
	l.Line(1, 1, float32(math.NaN()), 1, 1, ink)
	if len(l.V) != 0 {
		t.Errorf("empty shapes: got %d vertices; want 0", len(l.V))
	}
}

func TestAtlasIsCachedPerScale(t *testing.T) {
	a := draw.NewAtlas(1)
	if a != draw.NewAtlas(0) || a != draw.NewAtlas(1.01) || a != draw.NewAtlas(float32(math.NaN())) {
		t.Error("scales 0, 1.01 and NaN: got other atlases; want that of 1")
	}
	b := draw.NewAtlas(1.5)
	if a == b || a.Generation == b.Generation || b.Scale() != 1.5 {
		t.Errorf("scale 1.5: got scale %v, generation %d; want 1.5 and not %d", b.Scale(), b.Generation, a.Generation)
	}
	if got := draw.NewAtlas(99).Scale(); got != 4 {
		t.Errorf("scale 99: got %v; want 4", got)
	}
}

func TestZoneColors(t *testing.T) {
	seen := map[color.NRGBA]int{}
	for i := range 29 {
		seen[draw.ZoneColor("", fmt.Sprint("zone ", i))]++
	}
	if len(seen) < 12 {
		t.Errorf("colours of 29 zones: got %d; want at least 12", len(seen))
	}
	if got, want := draw.ZoneColor("main", "physics_solve"), (color.NRGBA{60, 251, 186, 255}); got != want {
		t.Errorf("colour of physics_solve: got %v; want %v in every run", got, want)
	}
}

func TestHeatIsClamped(t *testing.T) {
	if got, want := draw.Heat(-1), draw.Heat(0); got != want {
		t.Errorf("below 0: got %v; want %v", got, want)
	}
	hottest := draw.Heat(1)
	if got := draw.Heat(7); got != hottest || got.R < 200 || got.G > 150 {
		t.Errorf("above 1: got %v; want red, as of 1: %v", got, hottest)
	}
}

func TestTheWindowOfRowsHasTheCursor(t *testing.T) {
	for _, c := range [][5]int{{10, 4, 0, 0, 4}, {10, 4, 3, 0, 4}, {10, 4, 4, 1, 5}, {10, 4, 9, 6, 10}, {3, 9, 2, 0, 3},
		{5, 0, 2, 3, 3}, {0, 4, -1, 0, 0}} {
		if first, end := draw.Window(c[0], c[1], c[2]); first != c[3] || end != c[4] {
			t.Errorf("%d rows in %d lines, cursor %d: got %d..%d; want %d..%d",
				c[0], c[1], c[2], first, end, c[3], c[4])
		}
	}
}

// lineAt finds the ends of the lines of a graph, by their first vertices.
func TestGraphCursorStandsOnItsFrame(t *testing.T) {
	values := []float32{0, 0, 1, 3, 1, 0, 0, 5}
	for age := range values {
		var l draw.List
		draw.AppendGraph(&l, []report.Series{{Name: "z", Values: values}}, age, 100, 50, 10, 2, draw.GraphOptions{})
		if x := (l.V[0].X + l.V[3].X) / 2; math.Abs(float64(x)-float64(100+10*(7-age))) > 0.01 {
			t.Errorf("age %d: got the cursor at %v; want %d", age, x, 100+10*(7-age))
		}
	}
}

func TestGraphGoesUpInBothDirectionsOfY(t *testing.T) {
	s := []report.Series{{Name: "z", Values: []float32{1, 8, 8, 1}}}
	for spacing, want := range map[float32]float32{20: 100 - 80, -20: 100 + 80} {
		t.Run(fmt.Sprint(spacing), func(t *testing.T) {
			var l draw.List
			draw.AppendGraph(&l, s, -1, 0, 100, 40, 10, draw.GraphOptions{LineSpacing: spacing})
			v := l.V[4] // the second line runs level at 8 ms
			if math.Abs(float64(v.Y-want)) > 3 {
				t.Errorf("line spacing %v: got 8 ms at y %v; want %v", spacing, v.Y, want)
			}
		})
	}
}

func TestGraphHasNoGapAndNoIdleEnds(t *testing.T) {
	count := func(v ...float32) int {
		var l draw.List
		draw.AppendGraph(&l, []report.Series{{Name: "z", Values: v}}, -1, 0, 0, 1, 1, draw.GraphOptions{})
		return l.Quads()
	}
	nan := float32(math.NaN())
	for got, want := range map[int]int{
		count(1, 2, 3, 4): 3, count(0.1, 0.1, 1, 0.1, 0.1): 2, count(0.1, 0.19): 0, count(): 0,
		count(nan, nan, 1, 2, 1, 1, 1): 4,
	} {
		t.Run(fmt.Sprint(got), func(t *testing.T) {
			if got != want {
				t.Errorf("lines: got %d; want %d", got, want)
			}
		})
	}
}

// TestRoundsFromTheAtlasLookTheSame draws rectangles of those heights that are there as a whole, and some that are not,
// both ways.
func TestRoundsFromTheAtlasLookTheSame(t *testing.T) {
	for _, scale := range []float32{0.5, 1, 1.25, 2, 4} {
		t.Run(fmt.Sprint(scale), func(t *testing.T) {
			fewer := 0
			for _, shape := range [][2]float32{{7, 2}, {8, 3}, {7, 3.5}, {17, 3}, {19, 3}, {12, 4}, {20, 8}} {
				for _, wide := range []float32{1, 3, 6, 7, 8, 9, 17, 40} {
					x1, y1, radius := 3+rounded(wide*scale), 2+rounded(shape[0]*scale), shape[1]*scale
					translucent := color.NRGBA{200, 120, 40, 150}
					whole, parts := draw.List{Atlas: draw.NewAtlas(scale)}, draw.List{Atlas: draw.NewAtlas(scale)}
					whole.Round(3, 2, x1, y1, radius, translucent)
					draw.RoundParts(&parts, 3, 2, x1, y1, radius, translucent)
					if !bytes.Equal(drawn(&whole), drawn(&parts)) {
						t.Errorf("%v high, %v wide at %v: got another picture; want that of the parts",
							shape, wide, scale)
					}
					fewer += parts.Quads() - whole.Quads()
				}
			}
			if fewer < 50 {
				t.Errorf("scale %v: got %d quads fewer; want at least 50", scale, fewer)
			}
		})
	}
}

func rounded(v float32) float32 { return float32(int(v + 0.5)) }

func drawn(l *draw.List) []byte {
	m := image.NewRGBA(image.Rect(0, 0, 180, 90))
	for i := range m.Pix {
		m.Pix[i] = uint8(40 + i%4*70)
	}
	soft.Render(m, l)
	return m.Pix
}

// The unit of a time suits its size, and a place that has ms in its heading has only other units.
func TestTimesHaveTheUnitOfTheirSize(t *testing.T) {
	for _, c := range []struct {
		ms         float64
		with, bare string
	}{
		{0, "0.000 ms", "0.000"}, {12.3456, "12.346 ms", "12.346"}, {9999.9, "9999.900 ms", "9999.900"},
		{10_000, "10.00 s", "10.00 s"}, {-12_345, "-12.35 s", "-12.35 s"}, {599_999, "600.0 s", "600.0 s"},
		{600_000, "10.00 min", "10.00 min"}, {7.2e6, "120.0 min", "120.0 min"}, {7.2e7, "20.00 h", "20.00 h"},
		{1e12, "277777.8 h", "277777.8 h"}, {math.NaN(), "- ms", "-"}, {math.Inf(1), "- h", "- h"},
	} {
		if got := string(draw.AppendTime(nil, c.ms, 3)); got != c.with {
			t.Errorf("%v: got %q; want %q", c.ms, got, c.with)
		}
		if got := string(draw.AppendMilliseconds(nil, c.ms, 3)); got != c.bare {
			t.Errorf("%v: got %q; want %q", c.ms, got, c.bare)
		}
	}
}

// Line spacings below 1, as in a projection of one unit, divided by zero. The header's lines were not counted in the
// height, so the last records were drawn below it.
func TestAnyLineSpacingFitsTheHeight(t *testing.T) {
	const lines = 12
	r := &report.Report{Title: "title", Columns: []report.Column{report.ColumnSelf}, Cursor: -1}
	for i := range 40 {
		r.Records = append(r.Records, report.Record{Name: fmt.Sprint("zone ", i)})
	}
	var quads int
	for _, spacing := range []float32{1, 0.5, 0.04, -0.04, -0.5, -1} {
		t.Run(fmt.Sprint(spacing), func(t *testing.T) {
			size := float32(math.Abs(float64(spacing)))
			var l draw.List
			draw.AppendReport(&l, r, 3, 5, 60*size, lines*size,
				draw.ReportOptions{LineSpacing: spacing, Scale: 20 / size})
			low, high := float32(math.Inf(1)), float32(math.Inf(-1))
			for _, v := range l.V {
				low, high = min(low, v.Y), max(high, v.Y)
			}
			if spacing < 0 { // y grows up, so the report hangs below its corner
				low, high = 10-high, 10-low
			}
			if slack := size / 100; low < 5-slack || high > 5+lines*size+slack || high < 5+(lines-1.5)*size {
				t.Errorf("got y from %v to %v; want the lines to fill 5 to %v", low, high, 5+lines*size)
			}
			if quads == 0 {
				quads = l.Quads()
			}
			if l.Quads() != quads || quads < lines {
				t.Errorf("got %d quads; want the %d of every spacing", l.Quads(), quads)
			}
		})
	}
}

// What was drawn can be read: in each face, at each scale, with spaces, symbols and numbers.
func TestAppendWordsReadsTexts(t *testing.T) {
	for _, scale := range []float32{1, 1.5, 2, 3} {
		var l draw.List
		l.Begin(scale)
		want := []string{"Frame 1237: +105 ms.", "sprites 121.7 (usually 3.5)", "ø 16.67 −3 µs…", "left", "right"}
		for i, s := range want[:3] {
			l.Text(10.3, float32(20+30*i), draw.FaceText, s, color.NRGBA{255, 255, 255, 255})
			l.Rect(0, 0, 5, 5, color.NRGBA{1, 2, 3, 255})
		}
		l.Text(10, 200, draw.FaceMono, want[3], color.NRGBA{255, 255, 255, 255})
		l.Text(300, 200, draw.FaceMono, want[4], color.NRGBA{255, 255, 255, 255})
		got := l.AppendWords(nil)
		if len(got) != len(want) {
			t.Fatalf("scale %v: got %d texts, %v; want %d", scale, len(got), got, len(want))
		}
		for i := range want {
			if got[i].Text != want[i] {
				t.Errorf("scale %v: got %q; want %q", scale, got[i].Text, want[i])
			}
		}
	}
}
