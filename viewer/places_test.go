//go:build !iprof_off

package viewer_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
)

// wordsOn returns a text of a screen.
func wordsOn(l *draw.List, text string) (draw.Words, bool) {
	for _, w := range l.AppendWords(nil) {
		if w.Text == text {
			return w, true
		}
	}
	return draw.Words{}, false
}

// The icon of the legend is in the middle of its column of signs.
func TestTheIconOfTheLegendIsInTheMiddle(t *testing.T) {
	for _, scale := range []float32{1, 2} {
		p := onTimeline(blocked(t).View(), viewer.TimelineLarge, 1000*scale, 500*scale, scale)
		x, y := find(t, p, func(h viewer.Hit) bool { return h.Kind == hit.Timeline && h.Zone == 2 })
		p.SetHover(x+2*scale, y+2*scale) // in a scope that waits
		settled(t, p, 1000*scale, 500*scale, scale)
		p.Run("help")
		l := settled(t, p, 1000*scale, 500*scale, scale)
		var icon draw.List
		icon.Begin(scale)
		icon.Icon(draw.IconUp, 0, 0, draw.PaletteOf(p.Options().Theme).TextBright)
		w, there := wordsOn(l, "what ended a wait")
		middle, icons := w.X0-(10+26/2)*scale, 0
		for i := 0; i+4 <= len(l.V); i += 4 {
			v, to := l.V[i], l.V[i+2]
			if v.U != icon.V[0].U || v.V != icon.V[0].V || v.Y > w.Baseline || to.Y < w.Baseline-8*scale ||
				v.X < w.X0-40*scale || v.X > w.X0 {
				continue
			}
			if icons++; math.Abs(float64((v.X+to.X)/2-middle)) > 1 {
				t.Errorf("scale %v: the icon is at %v to %v; want its middle at %v", scale, v.X, to.X, middle)
			}
		}
		if !there || icons != 1 {
			t.Errorf("scale %v: there are %d icons beside the words (%t)", scale, icons, there)
		}
	}
}

// The words of a list without rows are whole if they have room between equal margins.
func TestWordsOfAnEmptyListHaveTheRoom(t *testing.T) {
	_, p := ofLengths(t, 0, slices.Repeat([]int{10, 14}, 60)...)
	wordsOf(p, 1120, 600)
	p.Run("marks")
	p.Run("find")
	viewer.Type(p, '?') // no mark has it
	const words = "nothing here has that; Backspace and Esc take it away"
	whole := false
	for width := float32(300); width < 500; width++ {
		l := settled(t, p, width, 600, 1)
		w, there := wordsOn(l, words)
		if !there {
			continue
		}
		for _, a := range viewer.Areas(p) {
			if a.Hit.Kind != hit.Panel || !a.Contains(w.X0, w.Baseline-2) {
				continue
			}
			left, right := w.X0-a.X0, a.X1-w.X1
			if right < left-1 || !whole && right > left+1 {
				t.Errorf("width %v: the words have %v at their left and %v at their right", width, left, right)
			}
			whole = true
		}
	}
	if !whole {
		t.Error("the words are whole at no width")
	}
}

// The tip of the ribbon is as far below it at each scale.
func TestTheTipOfTheRibbonIsAsFarAtEachScale(t *testing.T) {
	_, p := longRun(t, 4000)
	gap := func(scale float32) float64 {
		p.SetHover(nan, nan)
		settled(t, p, 1280*scale, 720*scale, scale)
		var ribbon canvas.Rect
		for _, a := range viewer.Areas(p) {
			if a.Hit.Kind == hit.Ribbon {
				ribbon = a.Rect
			}
		}
		p.SetHover((ribbon.X0+ribbon.X1)/2, (ribbon.Y0+ribbon.Y1)/2)
		w, there := wordsOn(settled(t, p, 1280*scale, 720*scale, scale), "the whole run")
		if !there {
			t.Fatalf("scale %v: got no tip", scale)
		}
		return float64((w.Baseline - ribbon.Y1) / scale)
	}
	want := gap(1)
	for _, scale := range []float32{2, 3} {
		if got := gap(scale); math.Abs(got-want) > 0.9 {
			t.Errorf("scale %v: got it %.2f below; want %.2f", scale, got, want)
		}
	}
}

// The tip of a long mark stays in a small window.
func TestTheTipOfAMarkStaysInTheWindow(t *testing.T) {
	d := newDemo()
	marked(d)
	p := panelOf(d, viewer.PanelFull)
	settled(t, p, 480, 320, 1)
	x, _ := find(t, p, graphOf(demoSpike))
	long := 0
	for y := float32(30); y < 200; y += 3 {
		p.SetHover(x, y)
		for _, w := range settled(t, p, 480, 320, 1).AppendWords(nil) {
			if strings.HasPrefix(w.Text, "WARN connection lost") {
				long++
			}
			if w.X0 < -1 || w.X1 > 481 {
				t.Errorf("mouse at %v, %v: %q is at %v to %v", x, y, w.Text, w.X0, w.X1)
			}
		}
	}
	if long == 0 {
		t.Error("got no tip of the mark")
	}
}
