package viewer_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// restAt rests the mouse on a hit that satisfies a condition, and returns the text of the tip.
func restAt(t *testing.T, p *viewer.Panel, is func(viewer.Hit) bool) (title, words string) {
	t.Helper()
	settled(t, p, 1280, 720, 1)
	for y := float32(1); y < 720; y += 3 {
		for x := float32(1); x < 1280; x += 3 {
			if is(p.HitAt(x, y)) {
				p.SetHover(x, y)
				settled(t, p, 1280, 720, 1)
				return viewer.Tip(p)
			}
		}
	}
	t.Fatal("nothing of that kind is drawn")
	return "", ""
}

func TestTipsSayWhatThingsMean(t *testing.T) {
	header := func(c report.Column) func(viewer.Hit) bool {
		return func(h viewer.Hit) bool { return h.Kind == hit.Header && h.Index == int(c) }
	}
	for _, test := range []struct {
		name        string
		at          func(viewer.Hit) bool
		title, word string
	}{
		{"self", header(report.ColumnSelf), "self ms", "milliseconds"},
		{"count", header(report.ColumnCount), "calls", "called"},
		{"name", header(viewer.ColumnName), "zone", "idle"},
		{"tab", func(h viewer.Hit) bool { return h.Kind == hit.Tab && h.Index == int(report.ReportExtra) },
			"Slow frames", "slow frames"},
		{"bar", func(h viewer.Hit) bool { return h.Kind == hit.Icicle }, "render_world", " ms, calls 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := panelOf(newDemo(), viewer.PanelFull)
			if title, words := restAt(t, p, test.at); title != test.title || !strings.Contains(words, test.word) {
				t.Errorf("%s: got %q: %q; want %q: …%s…", test.name, title, words, test.title, test.word)
			}
		})
	}
	for c := range report.Column(viewer.Columns) {
		if name, words := viewer.Explained(c); name == "" || words == "" {
			t.Errorf("column %d: got %q: %q; want a name and words", c, name, words)
		}
	}
}

func TestTipWaitsUntilTheMouseRests(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	restAt(t, p, func(h viewer.Hit) bool { return h.Kind == hit.Header })
	var l draw.List
	p.SetHover(1e4, 1e4)
	for range 3 {
		p.Draw(&l, 1280, 720, 1)
		if title, _ := viewer.Tip(p); title != "" {
			t.Errorf("mouse away: got a tip for %q; want none", title)
		}
	}
	if p.Settling() {
		t.Error("mouse away: got a panel that waits; want none, as nothing is to be explained there")
	}
}

// The legend has the same times as the table, for every choice of frames.
func TestLegendAgreesWithTheTable(t *testing.T) {
	s, p := replayed(t)
	s.View().SetReportMode(report.ReportSelfTime)
	at := s.View().Info().Index
	for name, set := range map[string]func(*report.View){
		"0.8 s":  func(v *report.View) { v.Average = report.AverageShort },
		"2.5 s":  func(v *report.View) { v.Average = report.AverageLong },
		"newest": func(v *report.View) { v.Average = report.AverageInstant },
		"older":  func(v *report.View) { v.Age = 17 },
		"range":  func(v *report.View) { v.Lens = report.Lens{Kind: report.LensRange, From: at - 50, To: at - 20} },
		"over":   func(v *report.View) { v.Lens = report.Lens{Kind: report.LensOver} },
	} {
		t.Run(name, func(t *testing.T) {
			v := s.View().Get()
			v.Age, v.Lens = 0, report.Lens{}
			set(&v)
			s.View().Set(v)
			settled(t, p, 1280, 720, 1)
			var r report.Report
			s.View().AppendReport(&r)
			legend, compared := viewer.Legend(p), 0
			for i := range r.Records {
				want := r.Records[i].Values[report.ColumnSelf]
				got, ok := legend[r.Records[i].Zone]
				if !ok {
					continue
				}
				compared++
				if math.Abs(got-want) > 0.01+0.02*want {
					t.Errorf("%s: %s: got %.3f in the legend; want %.3f as in the table", name, r.Records[i].Name,
						got, want)
				}
			}
			if compared < 8 {
				t.Errorf("%s: got %d zones in both; want most of the legend's", name, compared)
			}
		})
	}
}

func TestSparklinesEndWithTheFrameLookedAt(t *testing.T) {
	d := newDemo()
	p := panelOf(d, viewer.PanelFull)
	d.paused, d.view.Age = true, 93
	settled(t, p, 1280, 720, 1)
	if got := viewer.SparkEnd(p); got != 93 {
		t.Errorf("age 93: got %d; want it", got)
	}
	d.view.Lens.Kind = report.LensAll
	settled(t, p, 1280, 720, 2)
	if got := viewer.SparkEnd(p); got != 0 {
		t.Errorf("of all frames: got %d; want 0", got)
	}
}

// A panel without the focus names the key that gives it the focus.
func TestWithoutFocusTheKeyForItIsNamed(t *testing.T) {
	for _, mode := range []viewer.PanelMode{viewer.PanelFull, viewer.PanelReportAndGraph} {
		p := panelOf(newDemo(), mode)
		with := len(settled(t, p, 1280, 720, 1).V)
		p.Change(func(o *viewer.Options) { o.Focused = false })
		if without := len(settled(t, p, 1280, 720, 1).V); without == with {
			t.Errorf("mode %v: got the same %d vertices with and without focus; want the key named", mode, with)
		}
		viewer.SetHints(p, demoKeys[:3])
		if none := len(settled(t, p, 1280, 720, 1).V); none > with {
			t.Errorf("mode %v, no such key: got %d vertices; want no more than the %d with focus", mode, none, with)
		}
	}
}

func TestTipOfTheLengthHasTheWaitsOfAllGoroutines(t *testing.T) {
	s := process.NewSession()
	for i := range uint64(3) {
		f := &gather.Frame{Index: i, Begin: platform.Ticks(20 * i), End: platform.Ticks(20*i + 20),
			TicksPerSecond: 1000, CPU: 30 * time.Millisecond, Zones: []gather.ZoneInfo{{Name: "(root)"}},
			Lanes: []gather.LaneFrame{{ID: 1, Updater: true,
				End: 20, Nodes: []gather.Node{{Parent: -1, Self: 20}}}}}
		f.Memory.RunQueue, f.Memory.LockWait = 3*time.Millisecond, time.Millisecond
		must.Do(t, s.WriteFrame(f))
	}
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	settled(t, p, 1280, 720, 1)
	p.SetHover(1180, 26)
	settled(t, p, 1280, 720, 1)
	title, words := viewer.Tip(p)
	if want := "all goroutines: about 3.00 ms until they ran, 1.00 ms for locks"; title != "frame length" ||
		!strings.Contains(words, want) {
		t.Errorf("got %q: %q; want it to say %q", title, words, want)
	}
	p.SetHover(1010, 32)
	settled(t, p, 1280, 720, 1)
	title, words = viewer.Tip(p)
	if want := "all threads: CPU 30.00 ms, 1.50 processors"; title != "busy and waiting" ||
		!strings.Contains(words, want) {
		t.Errorf("got %q: %q; want it to say %q", title, words, want)
	}
}
