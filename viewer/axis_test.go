package viewer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// firstAge returns the first x of a kind of hit with an age, from y on down, and that y.
func firstAge(p *viewer.Panel, kind hit.Kind, age int, from float32) (x, y float32) {
	for y := from; y < 1080; y += 2 {
		for x := float32(0); x < 1920; x++ {
			if h := p.HitAt(x, y); h.Kind == kind && h.Age == age {
				return x, y
			}
		}
	}
	return -1, -1
}

// A frame stands at the same x in the history and in the strips below it.
func TestAFrameHasOnePlaceInAllStrips(t *testing.T) {
	for _, second := range []viewer.Strip{viewer.StripMemory, viewer.StripValues} {
		p := panelOf(newDemo(), viewer.PanelFull)
		p.Change(func(o *viewer.Options) { o.Strip = second })
		settled(t, p, 1920, 1080, 1)
		for _, age := range []int{299, 204, 132, 12, 0} {
			t.Run(fmt.Sprint(second, " ", age), func(t *testing.T) {
				x, y := firstAge(p, hit.Axis, age, 0)
				for p.HitAt(x, y).Kind == hit.Axis {
					y++
				}
				if got, below := firstAge(p, hit.Graph, age, y); got != x || below < y || x < 0 {
					t.Errorf("got x %v in the strip below; want %v as in the history", got, x)
				}
			})
		}
	}
}

// On wide screens, names have what they need and no more: long ones are whole, and numbers begin beside short ones.
func TestWideScreensUseTheirWidth(t *testing.T) {
	long := strings.Repeat("simulation of the whole world, ", 4) + "last"
	for _, size := range [][2]float32{{1920, 1080}, {2560, 1440}} {
		for _, name := range []string{"short", long} {
			t.Run(fmt.Sprint(size, " ", len(name), " letters"), func(t *testing.T) {
				s := newSteps(t, 300, "work", name)
				for range 100 {
					s.frame(8, 4)
				}
				words := settled(t, s.panel(), size[0], size[1], 1).AppendWords(nil)
				whole := slices.IndexFunc(words, func(w draw.Words) bool {
					return w.Text == name && w.Face == draw.FaceText
				})
				first := slices.IndexFunc(words, func(w draw.Words) bool { return w.Text == "self ms" })
				if whole < 0 || first < 0 {
					t.Fatalf("got no whole name in the table (%d), or no heading (%d); want both", whole, first)
				}
				room := words[first].X0 - words[whole].X1
				if room < 10 || len(name) > 9 && room > 150 || words[first].X1 > 450 && len(name) < 9 {
					t.Errorf("got a name from %v to %v, and numbers from %v to %v; want them side by side",
						words[whole].X0, words[whole].X1, words[first].X0, words[first].X1)
				}
			})
		}
	}
}

func TestScaleRoundsUp(t *testing.T) {
	for v, want := range map[float32]float32{1: 20, 20: 20, 20.1: 40, 45: 50, 51: 80, 81: 100, 101: 200, 1e12: 1e10} {
		t.Run(fmt.Sprint(v), func(t *testing.T) {
			if got := viewer.RoundUp(v); got != want {
				t.Errorf("%v: got %v; want %v", v, got, want)
			}
		})
	}
}
