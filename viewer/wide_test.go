package viewer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/draw"
)

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
