package input

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// onTimeline returns a controller whose panel shows the timeline.
func onTimeline(t *testing.T) *Controller {
	t.Helper()
	c := newTest(t)
	c.clock()
	c.panel.View().Session().Pause()
	c.strike('W', 0)
	c.settle()
	return c
}

// settle draws until nothing moves.
func (c *Controller) settle() {
	for i := 0; i == 0 || c.panel.Settling() && i < 100; i++ {
		c.layOut()
	}
}

// time returns the part of the frame that is in sight.
func (c *Controller) time() (from, wide float64) {
	s := c.panel.State()
	return s.TimelineFrom, s.TimelineTo - s.TimelineFrom
}

// on returns a place on a scope of a zone.
func (c *Controller) on(t *testing.T, zone string) (x, y float64) {
	t.Helper()
	return c.place(t, func(h viewer.Hit) bool {
		return h.Kind == hit.Timeline && h.Zone >= 0 && c.panel.View().Session().Zone(h.Zone).Name == zone
	})
}

func TestTimelineKeys(t *testing.T) {
	c := onTimeline(t)
	if got := c.panel.Options().Timeline; got != viewer.TimelineShown {
		t.Errorf("W: got %v; want the timeline shown", got)
	}
	c.strike(KeyEqual, 0)
	if from, wide := c.time(); math.Abs(wide-0.8) > 1e-6 || math.Abs(from-0.1) > 1e-6 {
		t.Errorf("=: got %v of the frame from %v; want 0.8 from 0.1", wide, from)
	}
	c.settle()
	c.strike(KeyRight, ModControl)
	if from, _ := c.time(); from <= 0.1 {
		t.Errorf("Ctrl+→: got the time from %v; want later", from)
	}
	c.strike('0', 0)
	if from, wide := c.time(); from != 0 || wide != 1 {
		t.Errorf("0: got %v of the frame from %v; want all of it", wide, from)
	}
	c.strike('W', ModShift)
	if got := c.panel.Options().Timeline; got != viewer.TimelineLarge {
		t.Errorf("Shift+W: got %v; want it large", got)
	}
	c.strike('W', ModShift)
	c.strike('W', 0)
	if got := c.panel.Options().Timeline; got != viewer.TimelineHidden {
		t.Errorf("Shift+W W: got %v; want it hidden", got)
	}
}

func TestTimelineEventsKey(t *testing.T) {
	if !gather.Enabled {
		t.Skip("compiled out")
	}
	defer gather.SetEvents(0)
	c := newTest(t)
	c.strike('E', 0)
	if got := gather.Events(); got == 0 {
		t.Error("E: got no events kept; want some")
	}
	c.strike('E', 0)
	if got := gather.Events(); got != 0 {
		t.Errorf("E E: got %d events kept; want none", got)
	}
}

func TestTimelineMouse(t *testing.T) {
	c := onTimeline(t)
	x, y := c.on(t, "gbuffer")
	x += 12 // off its edge
	c.Cursor(x, y)
	c.Scroll(0, 2)
	if from, wide := c.time(); math.Abs(wide-0.64) > 1e-6 || from <= 0 {
		t.Errorf("wheel: got %v of the frame from %v; want 0.64", wide, from)
	}
	c.settle()
	before, _ := c.time()
	c.Button(ButtonLeft, ActionPress, 0)
	c.Cursor(x-50, y)
	c.Button(ButtonLeft, ActionRelease, 0)
	if from, _ := c.time(); from <= before {
		t.Errorf("drag: got the time from %v; want later than %v", from, before)
	}
	var r report.Report
	c.panel.View().AppendReport(&r)
	if got := r.Records[r.Cursor].Name; got != "gbuffer" {
		t.Errorf("press: got the cursor on %q; want gbuffer", got)
	}
	c.settle()
	now, _ := c.time()
	c.Cursor(x, y)
	c.Scroll(1, 0)
	if from, _ := c.time(); from >= now {
		t.Errorf("wheel to the side: got the time from %v; want earlier than %v", from, now)
	}
}

func TestTimelineDoubleClick(t *testing.T) {
	c := onTimeline(t)
	x, y := c.on(t, "gbuffer")
	c.tap(x, y)
	c.tap(x, y)
	from, wide := c.time()
	if wide > 0.4 || from <= 0 {
		t.Errorf("double click: got %v of the frame from %v; want the scope alone", wide, from)
	}
	c.settle()
	c.tap(x, y)
	c.tap(x, y)
	if from, wide := c.time(); from != 0 || wide != 1 {
		t.Errorf("another: got %v of the frame from %v; want all of it", wide, from)
	}
}

func TestTimelineLaneNames(t *testing.T) {
	c := onTimeline(t)
	name := func(h viewer.Hit) bool { return h.Kind == hit.TimelineLane && h.Lane == 2 }
	x, y := c.place(t, name)
	c.tap(x, y)
	if got := c.panel.View().Get().Lane; got != 2 {
		t.Errorf("click on a name: got lane %d; want 2", got)
	}
	c.settle()
	x, y = c.place(t, name)
	c.Cursor(x, y)
	c.Scroll(0, -1) // over a name the lanes scroll, and here is but one
	if _, wide := c.time(); wide != 1 {
		t.Errorf("wheel over a name: got %v of the frame; want all of it", wide)
	}
	c.tap(x+8, y)
	if got := c.panel.View().Get().Lane; got != 0 {
		t.Errorf("another click: got lane %d; want all", got)
	}
}

func TestTimelineSign(t *testing.T) {
	c := newTest(t)
	c.tap(c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Command && h.Name == "timeline" }))
	if got := c.panel.Options().Timeline; got != viewer.TimelineShown {
		t.Errorf("sign in the call structure: got %v; want the timeline shown", got)
	}
	c.settle()
	c.clock()
	c.tap(c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Command && h.Name == "timeline-large" }))
	if got := c.panel.Options().Timeline; got != viewer.TimelineLarge {
		t.Errorf("sign in the timeline: got %v; want it large", got)
	}
}

func TestTimelineRuler(t *testing.T) {
	c := onTimeline(t)
	x, y := c.on(t, "gbuffer")
	from, _ := c.time()
	c.Cursor(x, y)
	c.Button(ButtonLeft, ActionPress, ModShift)
	c.Cursor(x+200, y+300)
	c.Button(ButtonLeft, ActionRelease, 0)
	c.Cursor(x, y)
	measured := c.panel.State().Ruler
	if now, _ := c.time(); measured <= 0 || now != from {
		t.Errorf("Shift+drag: got %v ms, the time from %v; want a length, and the time where it was", measured, now)
	}
	c.strike(KeyEscape, 0)
	if got := c.panel.State().Ruler; got != 0 {
		t.Errorf("Escape: got %v ms; want no ruler", got)
	}
}

// The command "ruler" makes the next drag measure, and removes the ruler.
func TestTimelineRulerByKey(t *testing.T) {
	c := onTimeline(t)
	x, y := c.on(t, "gbuffer")
	drag := func() {
		c.Cursor(x, y)
		c.Button(ButtonLeft, ActionPress, 0)
		c.Cursor(x+200, y+300)
		c.Button(ButtonLeft, ActionRelease, 0)
	}
	c.strike('R', ModShift)
	if drag(); c.panel.State().Ruler <= 0 {
		t.Error("Shift+R and a drag: got no ruler; want one")
	}
	measured := c.panel.State().Ruler
	if drag(); c.panel.State().Ruler != measured {
		t.Errorf("another drag: got %v ms; want the ruler where it was, %v", c.panel.State().Ruler, measured)
	}
	if c.strike('R', ModShift); c.panel.State().Ruler != 0 {
		t.Errorf("Shift+R again: got %v ms; want no ruler", c.panel.State().Ruler)
	}
	c.strike('R', ModShift)
	c.strike(KeyEscape, 0)
	if c.panel.State().Measuring {
		t.Error("Escape: got the next drag measuring; want it not to")
	}
}

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
	c.panel.View().SetFrame(9)
	c.panel.View().SetCursorZone(2)
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
