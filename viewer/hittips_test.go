package viewer_test

import (
	"fmt"
	"image"
	"testing"

	"example.com/iprof/internal/longtest"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// untold are the hits without a tip: the ground, and what has its own window under the mouse.
var untold = map[hit.Kind]bool{hit.None: true, hit.Panel: true, hit.Graph: true,
	hit.Timeline: true}

// Everything that reacts to the mouse says what it is when the mouse rests there.
func TestEveryHitHasATip(t *testing.T) {
	longtest.Skip(t)
	told := map[hit.Kind]bool{}
	for name, open := range map[string]func(s *process.Session, p *viewer.Panel){
		"live":  func(*process.Session, *viewer.Panel) {},
		"tree":  func(s *process.Session, _ *viewer.Panel) { s.View().SetReportMode(report.ReportCallTree) },
		"card":  func(_ *process.Session, p *viewer.Panel) { p.Run("card") },
		"lane":  func(s *process.Session, _ *viewer.Panel) { s.View().SetLane(2) },
		"group": func(_ *process.Session, p *viewer.Panel) { p.Run("group") },
		"range": func(s *process.Session, p *viewer.Panel) { p.Run("over-frames"); p.Run("pin") },
		"find":  func(_ *process.Session, p *viewer.Panel) { viewer.SetFilter(p, "a") },
		"base":  func(_ *process.Session, p *viewer.Panel) { p.Run("baseline") },
		"slow":  func(s *process.Session, p *viewer.Panel) { second(p, viewer.SecondSlowest); s.View().ShowFrame(245) },
		"bytes": func(_ *process.Session, p *viewer.Panel) { second(p, viewer.SecondMemory) },
		"time":  func(s *process.Session, p *viewer.Panel) { s.Pause(); p.Run("timeline") },
	} {
		t.Run(name, func(t *testing.T) {
			seen := map[string]bool{} // a small screen has some things that a large one has not
			for _, size := range [][2]float32{{640, 360}, {960, 540}, {1280, 720}} {
				s, p := replayed(t)
				p.Change(func(o *viewer.Options) { o.Focused = true })
				open(s, p)
				hitsHaveTips(t, p, size[0], size[1], seen, told)
			}
		})
	}
	for kind := hit.Record; kind <= hit.TimelineLane; kind++ {
		menus := kind == hit.Column || kind == hit.Lane || kind == hit.MenuAway ||
			kind == hit.Guide
		if !told[kind] && !untold[kind] && !menus {
			t.Errorf("kind %d: got it on no screen", kind)
		}
	}
}

func second(p *viewer.Panel, second viewer.Second) {
	p.Change(func(o *viewer.Options) { o.Second = second })
}

// hitsHaveTips rests the mouse on each thing that reacts to it.
func hitsHaveTips(
	t *testing.T, p *viewer.Panel, width, height float32, seen map[string]bool, told map[hit.Kind]bool,
) {
	t.Helper()
	settled(t, p, width, height, 1)
	for y := float32(1); y < height; y += 4 {
		for x := float32(1); x < width; x += 4 {
			h := p.HitAt(x, y)
			key := fmt.Sprint(h.Kind, h.Name)
			if h.Kind == hit.Header || h.Kind == hit.Tab {
				key += fmt.Sprint(h.Index)
			}
			if seen[key] || untold[h.Kind] {
				continue
			}
			seen[key], told[h.Kind] = true, true
			p.SetHover(x, y)
			settled(t, p, width, height, 1)
			if title, words := viewer.Tip(p); title == "" || words == "" {
				t.Errorf("kind %d, %q at %v, %v: got tip %q: %q", h.Kind, h.Name, x, y, title, words)
			}
			p.SetHover(nan, nan)
			settled(t, p, width, height, 1)
		}
	}
}

// Every label, column and mark says what it is when the mouse rests on it: all that has ink on the ground of the panel,
// and is no more than some pixels beside what has a tip.
func TestEveryLabelHasATip(t *testing.T) {
	longtest.Skip(t)
	for name, open := range map[string]func(s *process.Session, p *viewer.Panel){
		"live":   func(*process.Session, *viewer.Panel) {},
		"tree":   func(s *process.Session, p *viewer.Panel) { s.Pause(); p.Run("calltree"); p.Run("card") },
		"memory": func(_ *process.Session, p *viewer.Panel) { second(p, viewer.SecondMemory); p.Run("lines") },
		"slow":   func(_ *process.Session, p *viewer.Panel) { second(p, viewer.SecondSlowest) },
		"over": func(_ *process.Session, p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelReportAndGraph })
		},
		"over, no focus": func(_ *process.Session, p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelReportAndGraph, false })
		},
		"over, paused": func(s *process.Session, p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelReportAndGraph })
			s.View().ShowFrame(245)
		},
		"one line": func(_ *process.Session, p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelHUD })
		},
		"one line, paused": func(s *process.Session, p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelHUD })
			s.View().ShowFrame(245)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, p := replayed(t)
			p.Change(func(o *viewer.Options) { o.Focused, o.Title = true, "game" })
			viewer.SetHints(p, demoKeys)
			open(s, p)
			m := paintOver(t, p, 1280, 720, 1, func(*image.RGBA) {})
			for y := 3; y < 720; y += 5 {
				for x := 3; x < 1280; x += 4 {
					kind := p.HitAt(float32(x), float32(y)).Kind
					if kind != hit.Panel && kind != hit.None || !inked(m, x, y) {
						continue
					}
					if !toldNear(t, p, x, y) {
						t.Errorf("at %d, %d: got no tip", x, y)
					}
					x += 60 // the rest of the word
				}
			}
		})
	}
}

// toldNear reports whether there is a tip at a place, or just beside it.
func toldNear(t *testing.T, p *viewer.Panel, x, y int) bool {
	defer p.SetHover(nan, nan)
	for _, by := range [...]image.Point{{}, {X: -12}, {X: 12}, {Y: -8}, {Y: 8}} {
		p.SetHover(float32(x+by.X), float32(y+by.Y))
		settled(t, p, 1280, 720, 1)
		title, words := viewer.Tip(p)
		if kind := p.HitAt(float32(x+by.X), float32(y+by.Y)).Kind; title != "" && words != "" || untold[kind] &&
			kind >= hit.Record {
			return true
		}
	}
	return false
}

// inked reports whether something bright is drawn at a place.
func inked(m *image.RGBA, x, y int) bool {
	n := 0
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if c := m.RGBAAt(x+dx, y+dy); int(c.R)+int(c.G)+int(c.B) > 270 {
				n++
			}
		}
	}
	return n > 1
}
