//go:build !iprof_off

package viewer_test

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
)

// screen is a state of the panel for the properties that hold on every screen.
type screen struct {
	name          string
	width, height float32 // at scale 1
	open          func(t *testing.T) *viewer.Panel
}

func TestStatesWithoutAPictureHaveTheirWords(t *testing.T) {
	for _, c := range screens() {
		if unpainted[c.name] == nil {
			continue
		}
		p := c.open(t)
		all := strings.Join(wordsOf(p, c.width, c.height), "\n")
		for _, want := range unpainted[c.name] {
			if !strings.Contains(all, want) {
				t.Errorf("%s: got %q; want %q", c.name, all, want)
			}
		}
	}
}

// screens are the states of the pictures without a note, which is there for ever, and some of longer runs.
func screens() (all []screen) {
	for _, c := range pictures {
		if c.name == "note" {
			continue
		}
		all = append(all, screen{c.name, float32(c.width) / c.scale, float32(c.height) / c.scale,
			func(*testing.T) *viewer.Panel {
				d := newDemo()
				p := panelOf(d, c.mode)
				c.set(d, p)
				return p
			}})
	}
	for _, c := range timelinePictures {
		all = append(all, screen{c.name, float32(c.width) / c.scale, float32(c.height) / c.scale,
			func(*testing.T) *viewer.Panel {
				p := onTimeline(c.set(newDemo()), c.mode, float32(c.width), float32(c.height), c.scale)
				if c.then != nil {
					c.then(p)
				}
				return p
			}})
	}
	return append(all,
		screen{"sections", 1280, 720, func(t *testing.T) *viewer.Panel { _, p := levels(t, 2000); return p }},
		screen{"ribbon", 1280, 720, func(t *testing.T) *viewer.Panel { _, p := longRun(t, 4000); return p }},
		screen{"ribbon-small", 640, 360, func(t *testing.T) *viewer.Panel { _, p := longRun(t, 4000); return p }},
		screen{"one-axis", 1120, 700, func(t *testing.T) *viewer.Panel {
			s, p := raggedRun(t, 60)
			p.Change(func(o *viewer.Options) { o.Timeline, o.Strip = viewer.TimelineLarge, viewer.StripValues })
			s.View().SetFrame(14)
			settled(t, p, 1120, 700, 1)
			p.Run("fit-history")
			return p
		}},
	)
}

// spot is a thing on a screen, in nominal pixels.
type spot struct{ x0, y0, x1, y1 float32 }

// placesOn returns the places of all that a screen has, by what it is: areas and texts.
func placesOn(p *viewer.Panel, l *draw.List, scale float32) map[string][]spot {
	all := map[string][]spot{}
	put := func(x0, y0, x1, y1 float32, key string) {
		all[key] = append(all[key], spot{x0 / scale, y0 / scale, x1 / scale, y1 / scale})
	}
	for _, a := range viewer.Areas(p) {
		if a.Hit.Kind != hit.Legend {
			put(a.X0, a.Y0, a.X1, a.Y1, fmt.Sprintf("area %+v", a.Hit))
		}
	}
	for _, w := range l.AppendWords(nil) {
		put(w.X0, w.Baseline, w.X1, w.Baseline, fmt.Sprintf("text %d %s", w.Face, w.Text))
	}
	return all
}

// All lengths are in nominal pixels, so a screen of another scale is the same, but for rounding. A text has its place
// by its left end, or by its right end.
func TestScreensScale(t *testing.T) {
	apart := func(a, b float32) bool { return math.Abs(float64(a-b)) > 2.5 }
	others := regexp.MustCompile("^(menu-row|full-callgraph|timeline-(hover|said|neighbours))$")
	for _, c := range screens() {
		if others.MatchString(c.name) { // a menu at a pixel, and legends with a line more at one of the scales
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			at := func(scale float32) map[string][]spot {
				p := c.open(t)
				p.SetHover(nan, nan)
				return placesOn(p, settled(t, p, c.width*scale, c.height*scale, scale), scale)
			}
			want := at(1)
			for key, got := range at(2) {
				for i := range min(len(got), len(want[key])) {
					a, b := got[i], want[key][i]
					if len(got) == len(want[key]) && (apart(a.x0, b.x0) && apart(a.x1, b.x1) || apart(a.y0, b.y0)) {
						t.Errorf("%s: got %.1f; want %.1f", key, a, b)
					}
				}
			}
		})
	}
}

// sizes of windows, in nominal pixels.
var windowSizes = [][2]float32{{480, 320}, {640, 360}, {640, 700}, {800, 480}, {1013, 577}, {1280, 720}, {1900, 1000}}

// A text that begins in a card ends in it, and no area and no text leaves the window.
func TestTextsStayInTheirCards(t *testing.T) {
	above := regexp.MustCompile("^(menu|guide|full-help|full-legend|crowded|timeline-marks)") // have cards above others
	for _, c := range screens() {
		if above.MatchString(c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			p := c.open(t)
			p.SetHover(nan, nan)
			for _, size := range windowSizes {
				l := settled(t, p, size[0], size[1], 1)
				var cards []canvas.Rect
				for _, a := range viewer.Areas(p) {
					if a.X0 < -1 || a.Y0 < -1 || a.X1 > size[0]+1 || a.Y1 > size[1]+1 || a.X0 > a.X1 {
						t.Errorf("%v: area %+v", size, a)
					}
					if a.Hit.Kind == hit.Panel {
						cards = append(cards, a.Rect)
					}
				}
				for _, w := range l.AppendWords(nil) {
					in := canvas.Box(0, 0, size[0], size[1])
					for _, card := range cards {
						if card.Contains(w.X0, w.Baseline-2) {
							in = card
						}
					}
					top := w.Baseline - heights[w.Face]
					if w.X1 > in.X1+1 || w.X0 < in.X0-1 || w.Baseline > in.Y1+1 || top < in.Y0-1 {
						t.Errorf("%v: text %q at %.1f to %.1f, %.1f leaves %v", size, w.Text, w.X0, w.X1, top, in)
					}
				}
			}
		})
	}
}
