package input

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// words returns what the screen says.
func (c *Controller) words() string {
	var l draw.List
	c.panel.Draw(&l, testWidth, testHeight, 1)
	var b strings.Builder
	for _, w := range l.AppendWords(nil) {
		b.WriteString(w.Text + " ")
	}
	return b.String()
}

// The timeline runs on over the borders of frames, by the wheel and by a drag.
func TestTimelineOverFrames(t *testing.T) {
	c := scripted(t, 20, 2)
	x, y := c.on(t, "join")
	c.Cursor(x+200, y)
	c.Scroll(0, -6)
	c.settle()
	from, wide := c.time()
	if math.Abs(wide-math.Pow(1.25, 6)) > 1e-6 || from >= 0 {
		t.Errorf("wheel: got %v frames from %v; want %v, the neighbours too", wide, from, math.Pow(1.25, 6))
	}
	for i := range 40 {
		c.Cursor(x+100+10*float64(i%9), y) // not twice at one place, which would be a double click
		c.Button(ButtonLeft, ActionPress, 0)
		c.Cursor(x+400, y)
		c.Button(ButtonLeft, ActionRelease, 0)
	}
	c.settle()
	if from, _ := c.time(); math.Abs(from+19) > 1e-6 {
		t.Errorf("dragged to the end: got the time from %v; want -19, the oldest frame", from)
	}
	if words := c.words(); !strings.Contains(words, "frame 0 ") && !strings.Contains(words, "frame 1 ") {
		t.Errorf("got %q; want the number of a neighbour", words)
	}
	c.strike('0', ModShift)
	c.settle()
	if from, wide := c.time(); math.Abs(from+19) > 1e-6 || math.Abs(wide-20) > 1e-6 {
		t.Errorf("Shift+0: got %v frames from %v; want all 20", wide, from)
	}
	c.strike('0', 0)
	c.settle()
	if from, wide := c.time(); from != 0 || wide != 1 {
		t.Errorf("0: got %v frames from %v; want the frame alone", wide, from)
	}
}

// A range of frames that was dragged over the history is shown whole.
func TestTimelineOfADraggedRange(t *testing.T) {
	c := scripted(t, 20, 2)
	age := func(age int) (x, y float64) {
		return c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Graph && h.Age == age })
	}
	x0, y := age(12)
	x1, _ := age(4)
	c.Cursor(x0, y)
	c.Button(ButtonLeft, ActionPress, 0)
	c.Cursor(x1, y)
	c.Button(ButtonLeft, ActionRelease, 0)
	c.settle()
	c.layOut()
	if words := c.words(); !strings.Contains(words, "timeline of frames 7 to 15 ") ||
		!strings.Contains(words, "90.00 ") {
		t.Errorf("got %q; want the timeline of frames 7 to 15, 90 ms", words)
	}
	if from, wide := c.time(); from != 0 || wide != 1 {
		t.Errorf("got %v of the range from %v; want all of it", wide, from)
	}
}

// N and Shift+N go from scope to scope of a zone, over the borders of frames.
func TestTimelineNextAndPreviousScope(t *testing.T) {
	c := scripted(t, 20, 0)
	c.session.View().SetFrame(9)
	c.session.View().SetCursorZone(2)
	c.settle()
	for n, want := range []string{"frame 10", "frame 11", "frame 12", "frame 11", "frame 10", "frame 9"} {
		mods := Mods(0)
		if n == 0 || n > 2 {
			mods = ModShift
		}
		c.strike('N', mods)
		for range 3 {
			c.layOut()
		}
		if words := c.words(); !strings.Contains(words, fmt.Sprintf("join in %s: 9.800 ms", want)) {
			t.Errorf("step %d: got %q; want the scope of %s", n, words, want)
		}
	}
}

// A ruler over several frames counts them.
func TestTimelineRulerOverFrames(t *testing.T) {
	c := scripted(t, 20, 2)
	c.strike('0', ModShift)
	c.settle()
	x, y := c.on(t, "join")
	c.strike('R', ModShift)
	c.Cursor(x+300, y+200)
	c.Button(ButtonLeft, ActionPress, 0)
	c.Cursor(x+600, y+200)
	c.Button(ButtonLeft, ActionRelease, 0)
	if ruler := c.panel.State().Ruler; ruler < 30 || !strings.Contains(c.words(), " frames ") {
		t.Errorf("got %v ms, %q; want some frames", ruler, c.words())
	}
}
