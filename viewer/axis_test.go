package viewer_test

import (
	"fmt"
	"testing"

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
	for _, second := range []viewer.Second{viewer.SecondMemory, viewer.SecondValues} {
		p := panelOf(newDemo(), viewer.PanelFull)
		p.Change(func(o *viewer.Options) { o.Second = second })
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
