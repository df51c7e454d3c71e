package viewer_test

import (
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

func TestTableText(t *testing.T) {
	d := newDemo()
	d.hostile = map[string]string{"lighting": "=cmd|'/c'!A0", "gbuffer": "a\tb\nc\x1b",
		"audio": strings.Repeat("x", 1<<20)}
	p := panelOf(d, viewer.PanelFull)
	setColumns(p, report.ColumnSelf, report.ColumnCount, viewer.ColumnSpark)
	laidOut(p, 1280, 720)
	lines := strings.Split(p.TableText(), "\n")
	if len(lines) != 16 || lines[15] != "" {
		t.Fatalf("lines: got %d; want headings, 14 rows, and nothing after the last line's end", len(lines))
	}
	for i, want := range []string{"zone\tself ms\tcalls", "render_world\t0.14\t1", "  '=cmd|'/c'!A0\t2.11\t1",
		`  a\x09b\x0ac\x1b` + "\t1.73\t1"} {
		t.Run(want, func(t *testing.T) {
			if lines[i] != want {
				t.Errorf("line %d: got %q; want %q", i, lines[i], want)
			}
		})
	}
	viewer.SetFilter(p, "skel")
	p.Run("baseline")
	laidOut(p, 1280, 720)
	if got, want := p.TableText(),
		"zone\tself ms\tΔ ms\tΔ %\tcalls\n"+
			"simulate\t0.08\t~0.00\t~0.0\t2\n  skeletal_anim\t1.15\t~0.00\t~0.0\t118\n"; got != want {
		t.Errorf("filtered and compared: got %q; want %q", got, want)
	}
}

func TestCopyNeedsAClipboard(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	settled(t, p, 1280, 720, 1)
	if p.Run("copy"); p.Settling() {
		t.Error("without a clipboard: got a note; want none")
	}
	var got string
	// The Clipboard function may call methods of the panel.
	p.Change(func(o *viewer.Options) { o.Clipboard = func(text string) { got = text; p.Options() } })
	if p.Run("copy"); got != p.TableText() {
		t.Errorf("copied: got %q; want the table", got)
	}
	for n := 0; p.Settling(); n++ {
		if laidOut(p, 640, 360); n > 100 {
			t.Fatal("the note stays; want it to go")
		}
	}
}

func TestUIScale(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	for _, c := range [][2]float32{{1.3, 1.25}, {0.1, 0.75}, {99, 3}, {0, 1}} {
		p.Change(func(o *viewer.Options) { o.Scale = c[0] })
		if got := p.Options().Scale; got != c[1] {
			t.Errorf("scale %v: got %v; want %v", c[0], got, c[1])
		}
	}
	p.Change(func(o *viewer.Options) { o.Scale = 1.5 })
	var l draw.List
	p.Draw(&l, 1280, 720, 2)
	if got := l.Atlas.Scale(); got != 3 {
		t.Errorf("1.5 on a screen of scale 2: got %v; want 3", got)
	}
}
