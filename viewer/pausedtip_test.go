package viewer_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// The tip of a frame lies beside its column, and on the screen, whatever the frame and the size.
func TestTheTipOfAFrameDoesNotCoverIt(t *testing.T) {
	for _, size := range [][2]float32{{640, 360}, {960, 540}, {1280, 720}, {1920, 1080}, {2560, 1440}} {
		for age := 0; age < 235; age += 13 {
			t.Run(fmt.Sprint(size, " age ", age), func(t *testing.T) {
				d := newDemo()
				d.paused, d.view.Age = true, age
				p := panelOf(d, viewer.PanelFull)
				words := settled(t, p, size[0], size[1], 1).AppendWords(nil)
				tip, found := tipOf(words)
				if !found {
					t.Fatal("got no tip of the paused frame; want one")
				}
				column := [2]float32{size[0], 0}
				y := topOf(p, size, hit.Graph) + 20
				for x := float32(0); x < size[0]; x += 0.5 {
					if h := p.HitAt(x, y); h.Kind == hit.Graph && h.Age == age {
						column = [2]float32{min(column[0], x), max(column[1], x)}
					}
				}
				if column[1] == 0 {
					t.Skip("clicks here go to the spike beside the frame")
				}
				if tip[0] < column[1]+10 && tip[1] > column[0]-10 {
					t.Errorf("got the tip from %v to %v over the column from %v to %v; want it beside", tip[0], tip[1],
						column[0], column[1])
				}
				if tip[0] < 0 || tip[1] > size[0] {
					t.Errorf("got the tip from %v to %v; want it on the screen", tip[0], tip[1])
				}
			})
		}
	}
}

// The whole tip of a frame is on the screen, although a history at the screen's bottom is lower than it.
func TestTheTipOfAFrameIsNotCutOff(t *testing.T) {
	for _, mode := range []viewer.PanelMode{viewer.PanelReportAndGraph, viewer.PanelFull} {
		for _, size := range [][2]float32{{640, 360}, {960, 540}, {1280, 720}, {1920, 1080}} {
			s, p := replayed(t)
			p.Change(func(o *viewer.Options) { o.Mode, o.Focused = mode, true })
			s.View().ShowFrame(245)
			lowest := float32(0)
			l := settled(t, p, size[0], size[1], 1)
			for _, v := range l.V {
				lowest = max(lowest, v.Y)
			}
			if _, found := tipOf(l.AppendWords(nil)); !found || lowest > size[1] {
				t.Errorf("%v, mode %d: got a tip: %v, and something at y %v; want a tip, and nothing below %v", size,
					mode, found, lowest, size[1])
			}
		}
	}
}

// tipOf returns the left and right end of a frame's tip, which has the title "Frame" with a number and, at its right,
// the length.
func tipOf(words []draw.Words) (ends [2]float32, found bool) {
	const margin = 13
	for i, w := range words {
		if w.Face != draw.FaceBold || !strings.HasPrefix(w.Text, "Frame ") {
			continue
		}
		ends = [2]float32{w.X0 - margin, w.X1}
		for _, o := range words[i:] {
			beside := o.Baseline >= w.Baseline-2 && o.Baseline <= w.Baseline+2 && o.X0 > w.X1 && o.X0 < w.X1+280
			if beside && o.Text == "ms" {
				ends[1] = max(ends[1], o.X1+margin)
				return ends, true
			}
		}
	}
	return ends, false
}

// The tip of a chosen frame covers a part of the history. It ends when the user does something else, and the next frame
// has one again.
func TestTheTipOfAFrameEndsWithTheNextKey(t *testing.T) {
	s, p := replayed(t)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	seen := func(after string, want bool) {
		t.Helper()
		if _, got := tipOf(settled(t, p, 1280, 720, 1).AppendWords(nil)); got != want {
			t.Errorf("%s: got a tip: %v; want %v", after, got, want)
		}
	}
	s.View().ShowFrame(245)
	seen("a frame is shown", true)
	seen("drawn once more", true)
	p.Run("down")
	seen("another row", false)
	p.Run("older")
	seen("another frame", true)
	viewer.EndTip(p)
	seen("a click", false)
	p.Run("live")
	p.Run("pause")
	seen("paused", true)
}
