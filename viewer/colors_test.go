package viewer_test

import (
	"fmt"
	"image/color"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/workload"
	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// noticeable is a just noticeable difference (Mahy, Van Eycken, Oosterlinck 1994, in CIELAB). Colours of a palette, and
// calm ones, are at least three times as far apart in CIEDE2000, because bands are thin. One that stands out is at
// least leastApart from any calm one.
const noticeable, leastApart = 2.3, 2.6

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
		p := draw.PaletteOf(theme)
		own := viewer.Swatches(theme)
		calm := slices.Clone(own)
		for i, c := range own {
			calm[i] = zonecolor.Calm(c)
		}
		for i, a := range own {
			for k, b := range calm {
				for _, eye := range eyesOf(theme) {
					if got := apart(eye, a, b); i != k && got < leastApart {
						t.Errorf("theme %d, %s: got %v and calm %v only %.1f apart; want %.1f", theme, eye, a, own[k],
							got, leastApart)
					}
				}
			}
		}
		for _, all := range [][]color.NRGBA{own, calm} {
			for i, a := range all {
				others := append([]color.NRGBA{p.Grey, draw.Mix(p.Grey, p.Surface, 0.35), p.Surface, p.Red}, all[:i]...)
				for _, b := range others {
					for _, eye := range eyesOf(theme) {
						if got := apart(eye, a, b); got < 3*noticeable {
							t.Errorf("theme %d, %s: got %v and %v only %.1f apart; want %.1f", theme, eye, a, b, got,
								3*noticeable)
						}
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
					t.Errorf("theme %d, %s: got %q and %q only %.1f apart, %v; want %.1f", theme, eye, pair.Names[0],
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

// lab is a colour in CIE L*a*b*.
type lab struct{ l, a, b float64 }

// lin decodes a channel of sRGB.
func lin(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// toLab converts linear channels of sRGB.
func toLab(r, g, b float64) lab {
	x := (0.4124564*r + 0.3575761*g + 0.1804375*b) / 0.95047
	y := 0.2126729*r + 0.7151522*g + 0.0721750*b
	z := (0.0193339*r + 0.1191920*g + 0.9503041*b) / 1.08883
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	return lab{116*f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))}
}

// ciede2000 returns the difference of two colours (Sharma, Wu, Dalal 2005).
func ciede2000(p, q lab) float64 {
	c1, c2 := math.Hypot(p.a, p.b), math.Hypot(q.a, q.b)
	c7 := math.Pow((c1+c2)/2, 7)
	g := 0.5 * (1 - math.Sqrt(c7/(c7+math.Pow(25, 7))))
	a1, a2 := (1+g)*p.a, (1+g)*q.a
	c1, c2 = math.Hypot(a1, p.b), math.Hypot(a2, q.b)
	h := func(a, b float64) float64 {
		if a == 0 && b == 0 {
			return 0
		}
		d := math.Atan2(b, a) * 180 / math.Pi
		if d < 0 {
			d += 360
		}
		return d
	}
	h1, h2 := h(a1, p.b), h(a2, q.b)
	dl, dc := q.l-p.l, c2-c1
	dh := h2 - h1
	if c1*c2 == 0 {
		dh = 0
	} else if dh > 180 {
		dh -= 360
	} else if dh < -180 {
		dh += 360
	}
	dH := 2 * math.Sqrt(c1*c2) * math.Sin(dh/2*math.Pi/180)
	lm, cm := (p.l+q.l)/2, (c1+c2)/2
	hm := h1 + h2
	if c1*c2 != 0 {
		if math.Abs(h1-h2) <= 180 {
			hm /= 2
		} else if hm < 360 {
			hm = (hm + 360) / 2
		} else {
			hm = (hm - 360) / 2
		}
	}
	cos := func(d float64) float64 { return math.Cos(d * math.Pi / 180) }
	t := 1 - 0.17*cos(hm-30) + 0.24*cos(2*hm) + 0.32*cos(3*hm+6) - 0.20*cos(4*hm-63)
	dt := 30 * math.Exp(-math.Pow((hm-275)/25, 2))
	cm7 := math.Pow(cm, 7)
	rc := 2 * math.Sqrt(cm7/(cm7+math.Pow(25, 7)))
	sl := 1 + 0.015*math.Pow(lm-50, 2)/math.Sqrt(20+math.Pow(lm-50, 2))
	sc, sh := 1+0.045*cm, 1+0.015*cm*t
	rt := -math.Sin(2*dt*math.Pi/180) * rc
	return math.Sqrt(math.Pow(dl/sl, 2) + math.Pow(dc/sc, 2) + math.Pow(dH/sh, 2) + rt*(dc/sc)*(dH/sh))
}

// eyes are the ways in which people see: linear channels in and out (Machado, Oliveira, Fernandes 2009).
var eyes = map[string][9]float64{
	"normal":       {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"protanopia":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
}

// seen returns a colour as someone sees it.
func seen(c color.NRGBA, m [9]float64) lab {
	r, g, b := lin(float64(c.R)/255), lin(float64(c.G)/255), lin(float64(c.B)/255)
	k := func(v float64) float64 { return math.Min(math.Max(v, 0), 1) }
	return toLab(k(m[0]*r+m[1]*g+m[2]*b), k(m[3]*r+m[4]*g+m[5]*b), k(m[6]*r+m[7]*g+m[8]*b))
}

// apart returns the difference of two colours as someone sees it.
func apart(eye string, a, b color.NRGBA) float64 {
	return ciede2000(seen(a, eyes[eye]), seen(b, eyes[eye]))
}

// contrast returns the contrast of two opaque colours, 1 to 21 (WCAG 2).
func contrast(a, b color.NRGBA) float64 {
	luminance := func(c color.NRGBA) float64 {
		r, g, b := lin(float64(c.R)/255), lin(float64(c.G)/255), lin(float64(c.B)/255)
		return 0.2126*r + 0.7152*g + 0.0722*b
	}
	x, y := luminance(a)+0.05, luminance(b)+0.05
	return max(x/y, y/x)
}

// Texts can be read on the grounds of each theme.
func TestTextsStandOut(t *testing.T) {
	for theme := range draw.Theme(draw.NumThemes) {
		p := draw.PaletteOf(theme)
		inks := []color.NRGBA{p.TextBright, p.TextNormal, p.TextDim, p.TextFaint, p.Accent, p.Green, p.Amber, p.Red,
			p.Collection, p.Strong}
		for i, ink := range inks {
			for j, ground := range []color.NRGBA{p.Background, p.Surface} {
				if got := contrast(ink, ground); got < 4.5 {
					t.Errorf("theme %d, ink %d on ground %d: got a contrast of %.1f; want 4.5", theme, i, j, got)
				}
			}
		}
		a := p.TextNormal
		b := p.Idle
		if contrast(a, b) < 4.5 {
			t.Errorf("theme %d: got a contrast of %.1f for the names of waits; want 4.5", theme, contrast(a, b))
		}
	}
}

// The menu of all commands finds columns and zones, too. Without a search it has the commands only.
func TestTheMenuFindsColumnsAndZones(t *testing.T) {
	s := newSteps(t, 300, "update", "integrate", "broadphase")
	p := s.panel()
	s.frame(1, 2, 3)
	settled(t, p, 1280, 720, 1)
	search := func(words string) viewer.Hit {
		p.Run("menu")
		for _, r := range words {
			viewer.Type(p, r)
		}
		return p.State().Choice
	}
	p.Run("menu")
	settled(t, p, 1280, 720, 1)
	for h := range scan(p, 1280, 720) {
		if strings.ContainsRune(h.Name, ':') {
			t.Errorf("without a search got the line %q; want commands only", h.Name)
		}
	}
	p.Run("menu")
	if h := search("broadph"); h.Name != "find:broadphase" || !p.Run(h.Name) || p.State().Filter != "broadphase" {
		t.Errorf("zone: got %q and the filter %q; want broadphase", h.Name, p.State().Filter)
	}
	s.zones[1].Function = "example.org/game/engine.step"
	s.frame(1, 2, 3)
	settled(t, p, 1280, 720, 1)
	if h := search("package engine"); h.Name != "find:pkg:engine" && h.Name != "find:pkg:example.org/game/engine" {
		t.Errorf("package: got %q; want engine", h.Name)
	}
	p.Run("menu")
	h := search("column p99.9")
	if !strings.HasPrefix(h.Name, "column:") || !p.Run(h.Name) {
		t.Fatalf("column: got %q; want a column", h.Name)
	}
	got := p.Options().Columns
	if !slices.Contains(got, report.ColumnP999) && !slices.Contains(got, report.ColumnP999Self) {
		t.Errorf("got the columns %v; want that of p99.9", got)
	}
	if p.Run("back"); len(p.Options().Columns) != 0 {
		t.Errorf("back: got the columns %v; want the usual ones, as before", p.Options().Columns)
	}
}
