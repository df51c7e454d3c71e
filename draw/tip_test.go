package draw_test

import (
	"math"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// restAt puts the mouse where something of a kind lies, lets it rest, and returns what the tip says.
func restAt(t *testing.T, p *draw.Panel, is func(draw.Hit) bool) (title, words string) {
	t.Helper()
	settled(t, p, 1280, 720, 1)
	for y := float32(1); y < 720; y += 3 {
		for x := float32(1); x < 1280; x += 3 {
			if is(p.HitAt(x, y)) {
				p.SetHover(x, y)
				settled(t, p, 1280, 720, 1)
				return draw.Tip(p)
			}
		}
	}
	t.Fatal("nothing of that kind is drawn")
	return "", ""
}

func TestTipsSayWhatThingsMean(t *testing.T) {
	header := func(c process.Column) func(draw.Hit) bool {
		return func(h draw.Hit) bool { return h.Kind == draw.HitHeader && h.Index == int(c) }
	}
	for _, test := range []struct {
		name        string
		at          func(draw.Hit) bool
		title, word string
	}{
		{"self", header(process.ColumnSelf), "self ms", "milliseconds"},
		{"count", header(process.ColumnCount), "count", "entered"},
		{"name", header(draw.ColumnName), "zone", "idle"},
		{"tab", func(h draw.Hit) bool { return h.Kind == draw.HitTab && h.Index == int(process.Extra) }, "Extra", "slow frames"},
		{"bar", func(h draw.Hit) bool { return h.Kind == draw.HitIcicle }, "render_world", " ms, count 1"},
	} {
		p := panelOf(newDemo(), draw.Full)
		if title, words := restAt(t, p, test.at); title != test.title || !strings.Contains(words, test.word) {
			t.Errorf("%s: got %q: %q; want %q: …%s…", test.name, title, words, test.title, test.word)
		}
	}
	for c := range process.Column(draw.Columns) {
		if name, words := draw.Explained(c); name == "" || words == "" {
			t.Errorf("column %d: got %q: %q; want a name and words", c, name, words)
		}
	}
}

func TestTipWaitsUntilTheMouseRests(t *testing.T) {
	p := panelOf(newDemo(), draw.Full)
	restAt(t, p, func(h draw.Hit) bool { return h.Kind == draw.HitHeader })
	var l draw.List
	p.SetHover(1e4, 1e4)
	for range 3 {
		p.Draw(&l, 1280, 720, 1)
		if title, _ := draw.Tip(p); title != "" {
			t.Errorf("mouse away: got a tip for %q; want none", title)
		}
	}
	if p.Settling() {
		t.Error("mouse away: got a panel that waits; want none, as nothing is to be explained there")
	}
}

// The legend tells the times that the table tells, whatever that is of.
func TestLegendAgreesWithTheTable(t *testing.T) {
	s, p := replayed(t)
	s.SetReportMode(process.SelfTime)
	at := s.Info().Index
	for name, set := range map[string]func(*process.View){
		"0.8 s":  func(v *process.View) { v.Average = process.Short },
		"2.5 s":  func(v *process.View) { v.Average = process.Long },
		"newest": func(v *process.View) { v.Average = process.Instant },
		"older":  func(v *process.View) { v.Age = 17 },
		"range":  func(v *process.View) { v.Lens = process.Lens{Kind: process.LensRange, From: at - 50, To: at - 20} },
		"over":   func(v *process.View) { v.Lens = process.Lens{Kind: process.LensOver} },
	} {
		v := s.View()
		v.Age, v.Lens = 0, process.Lens{}
		set(&v)
		s.SetView(v)
		settled(t, p, 1280, 720, 1)
		var r process.Report
		s.AppendReport(&r)
		legend, compared := draw.Legend(p), 0
		for i := range r.Records {
			want := r.Records[i].Values[process.ColumnSelf]
			got, ok := legend[r.Records[i].Zone]
			if !ok {
				continue
			}
			compared++
			if math.Abs(got-want) > 0.01+0.02*want {
				t.Errorf("%s: %s: got %.3f in the legend; want %.3f as in the table", name, r.Records[i].Name, got, want)
			}
		}
		if compared < 8 {
			t.Errorf("%s: got %d zones in both; want most of the legend's", name, compared)
		}
	}
}

func TestSparklinesEndWithTheFrameLookedAt(t *testing.T) {
	d := newDemo()
	p := panelOf(d, draw.Full)
	d.paused, d.view.Age = true, 93
	settled(t, p, 1280, 720, 1)
	if got := draw.SparkEnd(p); got != 93 {
		t.Errorf("age 93: got %d; want it", got)
	}
	d.view.Lens.Kind = process.LensAll
	settled(t, p, 1280, 720, 2)
	if got := draw.SparkEnd(p); got != 0 {
		t.Errorf("of all frames: got %d; want 0", got)
	}
}

// A display without the keys says which key gives them to it.
func TestWithoutFocusTheKeyForItIsNamed(t *testing.T) {
	for _, mode := range []draw.PanelMode{draw.Full, draw.ReportAndGraph} {
		p := panelOf(newDemo(), mode)
		with := len(settled(t, p, 1280, 720, 1).V)
		p.SetFocused(false)
		if without := len(settled(t, p, 1280, 720, 1).V); without == with {
			t.Errorf("mode %v: got the same %d vertices with and without focus; want the key named", mode, with)
		}
		p.SetKeys(demoKeys[:3])
		if none := len(settled(t, p, 1280, 720, 1).V); none > with {
			t.Errorf("mode %v, no such key: got %d vertices; want no more than the %d with focus", mode, none, with)
		}
	}
}
