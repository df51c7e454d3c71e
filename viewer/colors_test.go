package viewer_test

import (
	"fmt"
	"image/color"
	"maps"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/workload"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// leastApart is the least difference of colours that touch, in CIEDE2000.
const leastApart = 12

// The difference is checked with pairs of Sharma, Wu and Dalal's table.
func TestCIEDE2000(t *testing.T) {
	for _, c := range []struct {
		a, b lab
		want float64
	}{
		{lab{50, 2.6772, -79.7751}, lab{50, 0, -82.7485}, 2.0425},
		{lab{50, 2.5, 0}, lab{73, 25, -18}, 27.1492},
		{lab{50, -1, 2}, lab{50, 0, 0}, 2.3669},
		{lab{2.0776, 0.0795, -1.1350}, lab{0.9033, -0.0636, -0.5514}, 0.9082},
	} {
		t.Run(fmt.Sprint(c.a, c.b), func(t *testing.T) {
			if got := ciede2000(c.a, c.b); math.Abs(got-c.want) > 1e-4 {
				t.Errorf("%v and %v: got %.4f; want %.4f", c.a, c.b, got, c.want)
			}
		})
	}
}

func eyesOf(theme draw.Theme) []string {
	if theme == draw.ThemeColorBlind {
		return []string{"normal", "deuteranopia", "protanopia"}
	}
	return []string{"normal"}
}

func TestZoneColorsAreFarApart(t *testing.T) {
	for theme := range draw.Theme(draw.NumThemes) {
		all := viewer.Swatches(theme)
		p := draw.PaletteOf(theme)
		for i, a := range all {
			others := append([]color.NRGBA{p.Grey, draw.Mix(p.Grey, p.Surface, 0.35), p.Surface, p.Red}, all[:i]...)
			for _, b := range others {
				for _, eye := range eyesOf(theme) {
					if got := apart(eye, a, b); got < leastApart {
						t.Errorf("theme %d, %s: got %v and %v only %.1f apart; want %d", theme, eye, a, b, got,
							leastApart)
					}
				}
			}
		}
	}
}

// touchingFar checks what touches in a panel.
func touchingFar(t *testing.T, p *viewer.Panel) {
	t.Helper()
	for theme := range draw.Theme(draw.NumThemes) {
		p.Change(func(o *viewer.Options) { o.Theme = theme })
		settled(t, p, 1280, 720, 1)
		pairs := viewer.Touching(p)
		if len(pairs) < 5 {
			t.Fatalf("got only %d pairs that touch", len(pairs))
		}
		for _, pair := range pairs {
			for _, eye := range eyesOf(theme) {
				if got := apart(eye, pair.Colors[0], pair.Colors[1]); got < leastApart {
					t.Errorf("theme %d, %s: got %q and %q only %.1f apart, %v; want %d", theme, eye, pair.Names[0],
						pair.Names[1], got, pair.Colors, leastApart)
				}
			}
		}
	}
}

// Neighbours in the pictures of the workloads have colours that are far apart.
func TestColorsOfTheWorkloads(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured: built with iprof_off")
	}
	for _, name := range workload.Names() {
		t.Run(name, func(t *testing.T) {
			s := process.NewSession()
			w := must.Get(workload.New(name, workload.Options{Seed: 3, Width: 64, Height: 48, Session: s}))(t)
			defer w.Close()
			p := viewer.PanelFor(s)
			p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
			for i := range 24 {
				must.Do(t, w.Step(time.Second/60))
				if !w.Replays() {
					s.Update()
				}
				if i%8 == 7 {
					touchingFar(t, p)
				}
			}
		})
	}
}

// More zones than colours: those that touch still differ.
func TestColorsOfManyZones(t *testing.T) {
	s := deep(t, 200)
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	touchingFar(t, p)
}

// More zones than colours, in the history: those of one colour do not lie on each other, also where they are the least.
func TestColorsOfManyLayers(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 4))
			s := process.NewSession()
			f := gather.Frame{TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
			l := gather.LaneFrame{ID: 1, Name: "main", Updater: true, Nodes: []gather.Node{{Parent: -1}}}
			for i := range 16 + random.IntN(16) {
				f.Zones = append(f.Zones, gather.ZoneInfo{Name: fmt.Sprint("zone ", random.Uint32())})
				n := gather.Node{Zone: gather.ZoneID(i + 1), ID: gather.NodeID(i + 1), Count: 1,
					Self: platform.Ticks(10_000 + random.IntN(500_000))}
				l.Nodes, l.End = append(l.Nodes, n), l.End+n.Self
			}
			for f.Index < 3 {
				l.Begin, l.End = f.End, f.End+l.End-l.Begin
				f.Begin, f.End, f.Lanes = l.Begin, l.End, []gather.LaneFrame{l}
				must.Do(t, s.WriteFrame(&f))
				f.Index++
			}
			p := viewer.PanelFor(s)
			p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
			touchingFar(t, p)
		})
	}
}

// deep is a session of one frame of many zones: each has up to four callees.
func deep(t *testing.T, zones int) *process.Session {
	t.Helper()
	s := process.NewSession()
	f := gather.Frame{Index: 1, TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	l := gather.LaneFrame{ID: 1, Name: "main", Updater: true, Nodes: []gather.Node{{Zone: 0, Parent: -1}}}
	for i := 1; i <= zones; i++ {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: fmt.Sprint("zone ", i)})
		l.Nodes = append(l.Nodes, gather.Node{Zone: gather.ZoneID(i), ID: gather.NodeID(i), Parent: int32((i - 1) / 4),
			Depth: 1, Count: 1, Self: 50_000})
		l.End += 50_000
	}
	f.End, f.Lanes = l.End, []gather.LaneFrame{l}
	must.Do(t, s.WriteFrame(&f))
	return s
}

// The colours of a run do not depend on when the screen was drawn, nor on the times of the zones.
func TestColorsAreTheSameInTheNextRun(t *testing.T) {
	names := []string{"update", "integrate", "broadphase", "solve", "sprites", "gbuffer", "streaming"}
	run := func(each bool, ms float64) map[string]color.NRGBA {
		s := newSteps(t, 300, names...)
		p := s.panel()
		for n := range names {
			values := make([]float64, n+1)
			for i := range values {
				values[i] = ms * float64(i+1)
			}
			s.frame(values...)
			if each {
				settled(t, p, 1280, 720, 1)
			}
		}
		settled(t, p, 1280, 720, 1)
		return viewer.ZoneColors(p)
	}
	first, second := run(true, 1), run(false, 0.3)
	if !maps.Equal(first, second) || len(first) != len(names) {
		t.Errorf("got %v, then %v; want the same for %d zones", first, second, len(names))
	}
}
