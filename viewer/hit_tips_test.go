package viewer_test

import (
	"fmt"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// untold are the hits without a tip: the ground, and what has its own window under the mouse.
var untold = map[viewer.HitKind]bool{viewer.HitNone: true, viewer.HitPanel: true, viewer.HitGraph: true,
	viewer.HitTimeline: true}

// Everything that reacts to the mouse says what it is when the mouse rests there.
func TestEveryHitHasATip(t *testing.T) {
	told := map[viewer.HitKind]bool{}
	for name, open := range map[string]func(s *process.Session, p *viewer.Panel){
		"live":  func(*process.Session, *viewer.Panel) {},
		"tree":  func(s *process.Session, _ *viewer.Panel) { s.SetReportMode(process.ReportCallTree) },
		"card":  func(_ *process.Session, p *viewer.Panel) { p.Run("card") },
		"lane":  func(s *process.Session, _ *viewer.Panel) { s.SetLane(2) },
		"group": func(_ *process.Session, p *viewer.Panel) { p.Run("group") },
		"range": func(s *process.Session, p *viewer.Panel) { p.Run("over-frames"); p.Run("pin") },
		"find":  func(_ *process.Session, p *viewer.Panel) { viewer.SetFilter(p, "a") },
		"base":  func(_ *process.Session, p *viewer.Panel) { p.Run("baseline") },
		"slow":  func(s *process.Session, p *viewer.Panel) { second(p, viewer.SecondSlowest); s.ShowFrame(245) },
		"bytes": func(_ *process.Session, p *viewer.Panel) { second(p, viewer.SecondMemory) },
		"time":  func(s *process.Session, p *viewer.Panel) { s.Pause(); p.Run("timeline") },
	} {
		t.Run(name, func(t *testing.T) {
			s, p := replayed(t)
			p.Change(func(o *viewer.Options) { o.Focused = true })
			open(s, p)
			settled(t, p, 1280, 720, 1)
			seen := map[string]bool{}
			for y := float32(1); y < 720; y += 4 {
				for x := float32(1); x < 1280; x += 4 {
					h := p.HitAt(x, y)
					key := fmt.Sprint(h.Kind, h.Name)
					if h.Kind == viewer.HitHeader || h.Kind == viewer.HitTab {
						key += fmt.Sprint(h.Index)
					}
					if seen[key] || untold[h.Kind] {
						continue
					}
					seen[key], told[h.Kind] = true, true
					p.SetHover(x, y)
					settled(t, p, 1280, 720, 1)
					if title, words := viewer.Tip(p); title == "" || words == "" {
						t.Errorf("kind %d, %q at %v, %v: got tip %q: %q", h.Kind, h.Name, x, y, title, words)
					}
					p.SetHover(nan, nan)
					settled(t, p, 1280, 720, 1)
				}
			}
		})
	}
	for kind := viewer.HitRecord; kind <= viewer.HitTimelineLane; kind++ {
		menus := kind == viewer.HitColumn || kind == viewer.HitLane || kind == viewer.HitMenuAway
		if !told[kind] && !untold[kind] && !menus {
			t.Errorf("kind %d: got it on no screen", kind)
		}
	}
}

func second(p *viewer.Panel, second viewer.Second) {
	p.Change(func(o *viewer.Options) { o.Second = second })
}
