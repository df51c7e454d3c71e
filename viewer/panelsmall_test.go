package viewer_test

import (
	"fmt"
	"testing"

	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// TestSmallScreens checks that screens of any size show what matters most: the frame's length, with nothing over it,
// the live or paused sign, and rows.
func TestSmallScreens(t *testing.T) {
	for _, size := range [][2]int{{320, 200}, {320, 180}, {360, 640}, {420, 300}, {480, 320}, {480, 800}, {640, 200},
		{800, 240}, {1000, 200}, {1280, 720}} {
		for _, scale := range []int{1, 3} {
			t.Run(fmt.Sprintf("%dx%d@%d", size[0], size[1], scale), func(t *testing.T) {
				p := panelOf(newDemo(), viewer.PanelFull)
				paint(t, p, size[0]*scale, size[1]*scale, float32(scale))
				kinds := map[hit.Kind]int{}
				end := float32(0) // of the tabs and the sign
				for y := float32(0); y < float32(size[1]); y += 2 {
					for x := float32(0); x < float32(size[0]); x += 2 {
						h := p.HitAt(x*float32(scale), y*float32(scale))
						if kinds[h.Kind]++; h.Kind == hit.Tab || h.Kind == hit.Pause {
							end = max(end, x)
						}
					}
				}
				const number = 110 // pixels of "16.72 ms"
				if room := float32(size[0]) - end; room < number || kinds[hit.Tab] == 0 ||
					kinds[hit.Pause] == 0 {
					t.Errorf("got %v pixels beside the tabs and the sign, %d and %d points of those; "+
						"want %d or more, and some",
						room, kinds[hit.Tab], kinds[hit.Pause], number)
				}
				if kinds[hit.Record] == 0 {
					t.Error("got no row to point at")
				}
			})
		}
	}
}
