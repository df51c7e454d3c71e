package viewer_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
)

// chain is a session of one frame in which each zone calls the next.
func chain(t *testing.T, levels int) *process.Session {
	t.Helper()
	s := process.NewSession()
	f := gather.Frame{Index: 1, End: 10e6, TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	l := gather.LaneFrame{ID: 1, Name: "main", Updater: true, End: 10e6, Nodes: []gather.Node{{Parent: -1}}}
	for i := 1; i <= levels; i++ {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: fmt.Sprint("level ", i)})
		l.Nodes = append(l.Nodes, gather.Node{Zone: gather.ZoneID(i), ID: gather.NodeID(i), Parent: int32(i - 1),
			Depth: 1, Count: 1, Self: platform.Ticks(10e6 / levels)})
	}
	f.Lanes = []gather.LaneFrame{l}
	must.Do(t, s.WriteFrame(&f))
	return s
}

// bars returns the zones with a bar in sight.
func bars(p *viewer.Panel) map[report.ZoneID]bool {
	found := map[report.ZoneID]bool{}
	for h := range scan(p, 1280, 720) {
		if h.Kind == hit.Icicle {
			found[h.Zone] = true
		}
	}
	return found
}

func TestAllLevelsOfTheIcicleAreReachable(t *testing.T) {
	const levels = 100
	p := viewer.PanelFor(chain(t, levels))
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	seen := map[report.ZoneID]bool{}
	for range levels {
		settled(t, p, 1280, 720, 1)
		for zone := range bars(p) {
			seen[zone] = true
		}
		viewer.Pan(p, 0, -60)
	}
	if len(seen) != levels {
		t.Errorf("dragged down: got the bars of %d levels; want %d", len(seen), levels)
	}
}

// The pane of the call structure grows with the levels, and does not shrink while the program runs.
func TestThePaneGrowsWithTheLevels(t *testing.T) {
	for levels, want := range map[int]int{2: 2, 5: 5, 100: 6} {
		p := viewer.PanelFor(chain(t, levels))
		p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
		settled(t, p, 1280, 720, 1)
		if got := len(bars(p)); got < min(want, 5) {
			t.Errorf("%d levels: got %d in sight; want at least %d", levels, got, min(want, 5))
		}
	}
}

// crowdedSession is a session of frames of 36 zones that are about equal.
func crowdedSession(t *testing.T) *steps {
	var names []string
	for i := range 36 {
		names = append(names, fmt.Sprint("zone ", i))
	}
	s := newSteps(t, 300, names...)
	ms := make([]float64, len(names))
	for n := range 200 {
		for i := range ms {
			ms[i] = 0.2 + 0.1*float64((i*7+n)%5) + 0.002*float64(i)
		}
		s.frame(ms...)
	}
	return s
}

// With many small zones, those without a color of their own are at most a fifth of any column. The thickest bands of
// the columns have names, as many as have room.
func TestOtherZonesAreAFifthAtMost(t *testing.T) {
	for _, test := range []struct {
		size  [2]float32
		lines bool
	}{{size: [2]float32{1920, 1080}}, {size: [2]float32{1280, 720}}, {size: [2]float32{960, 540}},
		{size: [2]float32{640, 360}}, {[2]float32{1280, 720}, true}, {[2]float32{960, 540}, true}} {
		size := test.size
		t.Run(fmt.Sprint(size, " lines ", test.lines), func(t *testing.T) {
			s := crowdedSession(t)
			p := s.panel()
			if test.lines {
				p.Run("lines")
			}
			settled(t, p, size[0], size[1], 1)
			got := viewer.Rest(p)
			here := withoutLayer(s.Session, p)
			if got > 0.2 || here > 0.2 {
				t.Errorf("36 equal zones: got %.2f of a column without a zone, %.2f of this one; want at most 0.2",
					got, here)
			}
			named := map[report.ZoneID]bool{}
			for h := range scan(p, size[0], size[1]) {
				if h.Kind == hit.Legend {
					named[h.Zone] = true
				}
			}
			thin, thick := math.Inf(1), 0.0 // the thinnest with a name, the thickest without
			for _, zone := range viewer.Layers(p) {
				if mean := meanInSight(p, zone); named[zone] {
					thin = min(thin, mean)
				} else {
					thick = max(thick, mean)
				}
			}
			want := min(len(viewer.Layers(p)), int(plotOf(p).Height()/14))
			if len(named) < want || want < 4 || thin < thick {
				t.Errorf("got %d names of bands from %.3f ms on, and %.3f ms without; want the thickest %d", len(named),
					thin, thick, want)
			}
		})
	}
}

// withoutLayer returns the share of the busy time of the frame shown that zones without a layer have.
func withoutLayer(s *process.Session, p *viewer.Panel) float64 {
	var r report.Report
	s.View().AppendReportOf(&r, report.View{Average: report.AverageInstant})
	rest, all := 0.0, 0.0
	for _, record := range r.Records {
		own := record.Values[report.ColumnSelf]
		if all += own; !slices.Contains(viewer.Layers(p), record.Zone) {
			rest += own
		}
	}
	return rest / all
}

// meanInSight returns the mean time of a zone in the columns of the history, ms.
func meanInSight(p *viewer.Panel, zone report.ZoneID) float64 {
	past := viewer.Past(p)
	sum := 0.0
	for _, series := range past.Series {
		for _, ms := range series.Values {
			if series.Zone == zone && canvas.Finite(ms) {
				sum += float64(ms) / float64(len(past.Columns))
			}
		}
	}
	return sum
}

// plotOf returns the place of the columns of the history.
func plotOf(p *viewer.Panel) (place canvas.Rect) {
	for _, a := range viewer.Areas(p) {
		if a.Hit.Kind == hit.Graph {
			place = a.Rect
		}
	}
	return place
}

// A warning that appears moves nothing.
func TestBannersDoNotPushTheLayout(t *testing.T) {
	for _, mode := range []viewer.PanelMode{viewer.PanelFull, viewer.PanelReportAndGraph} {
		d := newDemo()
		p := panelOf(d, mode)
		settled(t, p, 1280, 720, 1)
		_, before := find(t, p, func(h viewer.Hit) bool { return h.Kind == hit.Record })
		d.warn = []string{"measuring costs 5.1 % of the frame", "the clock is unstable"}
		settled(t, p, 1280, 720, 1)
		if _, after := find(t, p, func(h viewer.Hit) bool { return h.Kind == hit.Record }); after != before {
			t.Errorf("mode %d: got the first row at %v; want %v as before the warnings", mode, after, before)
		}
	}
}

func TestLowScreensHaveTheCallStructure(t *testing.T) {
	p := panelOf(newDemo(), viewer.PanelFull)
	settled(t, p, 960, 540, 1)
	for h := range scan(p, 960, 540) {
		if h.Kind == hit.Icicle {
			return
		}
	}
	t.Error("960x540: got no bar of the call structure; want some")
}

// The order of the rows is held for two seconds of frames. A program that ends no more frames releases it.
func TestTheOrderIsReleasedWithoutFrames(t *testing.T) {
	s := newSteps(t, 1000, "a", "b")
	p, now := s.panel(), time.Unix(0, 0)
	p.Change(func(o *viewer.Options) { o.Now = func() time.Time { return now } })
	s.View().SetReportMode(report.ReportSelfTime)
	order := func() (names string) {
		for _, w := range settled(t, p, 1280, 720, 1).AppendWords(nil) {
			if (w.Text == "a" || w.Text == "b") && w.X0 < 200 && w.Baseline > 450 {
				names += w.Text
			}
		}
		return names
	}
	s.View().SetAverage(report.AverageInstant)
	for range 400 {
		s.frame(4, 2)
	}
	begun := order()
	s.frame(2, 9)
	held := order()
	now = now.Add(3 * time.Second)
	if released := order(); begun != "ab" || held != "ab" || released != "ba" {
		t.Errorf("got %q, then %q, and %q at rest; want ab, ab and ba", begun, held, released)
	}
}
