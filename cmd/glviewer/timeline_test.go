package main

import (
	"fmt"
	"image"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/gather"
	"example.com/iprof/internal/desk"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// The buttons that a wheel is to an X server.
const (
	wheelUp   = 4
	wheelDown = 5
)

// turn turns the wheel at a place.
func (u *user) turn(button byte, x, y int) {
	u.t.Helper()
	u.fake(xproto.MotionNotify, 0, int16(x), int16(y))
	u.fake(xproto.ButtonPress, button, 0, 0)
	u.fake(xproto.ButtonRelease, button, 0, 0)
}

// pull drags something with the left button, in steps as a hand does.
func (u *user) pull(x, y, toX, toY int) {
	u.t.Helper()
	u.fake(xproto.MotionNotify, 0, int16(x), int16(y))
	u.fake(xproto.ButtonPress, 1, 0, 0)
	for step := 1; step <= 4; step++ {
		u.fake(xproto.MotionNotify, 0, int16(x+(toX-x)*step/4), int16(y+(toY-y)*step/4))
	}
	u.fake(xproto.ButtonRelease, 1, 0, 0)
}

// settle draws a panel until nothing moves, and returns its picture.
func settle(p *viewer.Panel, width, height int) *image.RGBA {
	var l draw.List
	for i := 0; i == 0 || p.Settling() && i < 100; i++ {
		l.Reset()
		p.Draw(&l, float32(width), float32(height), 1)
	}
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	soft.Render(m, &l)
	return m
}

// span waits until the window shows the same part of the time as a panel.
func (u *user) span(p *viewer.Panel) {
	u.t.Helper()
	u.wait(regexp.QuoteMeta(desk.TimelineLine(p)))
}

// agrees wants the window to look like a panel's picture between two heights.
func (u *user) agrees(name string, want *image.RGBA, top, bottom int) {
	u.t.Helper()
	most := (bottom - top) * u.width / 200
	wrong := most
	for deadline := time.Now().Add(patience); wrong >= most &&
		time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		u.seen = u.grab(u.window, u.width, u.height)
		wrong = differing(u.seen, want, top, bottom)
	}
	shot(u.t, name, u.seen)
	if wrong >= most {
		u.t.Errorf("%s: got %d pixels other than in the picture; want less than half a percent", name, wrong)
	}
}

// differing counts the pixels that are clearly others.
func differing(a, b *image.RGBA, top, bottom int) (n int) {
	for i := top * a.Stride; i < bottom*a.Stride; i += 4 {
		for c := range 3 {
			if math.Abs(float64(a.Pix[i+c])-float64(b.Pix[i+c])) > 40 {
				n++
				break
			}
		}
	}
	return n
}

func TestTimelineInTheWindow(t *testing.T) {
	longtest.Skip(t)
	u := newUser(t, "replay", 1280, 720)
	newest := u.pause(60)
	p := newTwin(t, newest+1, u.width, u.height).panel
	u.fake(xproto.MotionNotify, 0, 30, 712) // wherever the server has put the mouse: nothing is lit up here
	p.SetHover(30, 712)
	u.press('w')
	p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineShown })
	settle(p, u.width, u.height)
	u.span(p)
	timeline := func(h viewer.Hit) bool { return h.Kind == hit.Timeline }
	top, bottom := u.height, 0
	for y := range u.height {
		if p.HitAt(60, float32(y)).Kind == hit.Timeline ||
			p.HitAt(60, float32(y)).Kind == hit.TimelineLane {
			top, bottom = min(top, y), max(bottom, y)
		}
	}
	u.agrees("timeline", settle(p, u.width, u.height), top, bottom)

	x, y := find(t, p, u.width, u.height, timeline)
	x += 100
	p.SetHover(float32(x), float32(y))
	for range 6 {
		u.turn(wheelUp, x, y)
		p.Wheel(viewer.WheelEvent{X: float32(x), Y: float32(y), Notches: 1})
		settle(p, u.width, u.height)
	}
	u.span(p)
	u.agrees("timeline-zoomed", settle(p, u.width, u.height), top, bottom)

	u.turn(wheelDown, x, y)
	p.Wheel(viewer.WheelEvent{X: float32(x), Y: float32(y), Notches: -1})
	settle(p, u.width, u.height)
	u.span(p)
	u.pull(x, y, x-200, y)
	e := viewer.MouseEvent{Action: viewer.MousePress, X: float32(x), Y: float32(y)}
	p.Mouse(e)
	e.Action, e.X = viewer.MouseMove, e.X-200
	p.Mouse(e)
	e.Action = viewer.MouseRelease
	p.Mouse(e)
	p.SetHover(float32(x-200), float32(y))
	settle(p, u.width, u.height)
	u.span(p)
	u.press('0')
	p.Run("fit")
	u.span(p)
	u.press(symbolLeft)
	u.wait(fmt.Sprintf(`frame %d .*`, newest-1))
	u.press('w')
	u.wait("timeline hidden .*")
	u.quit()
}

func TestTimelineFlagRecordsEvents(t *testing.T) {
	longtest.Skip(t)
	if !gather.Enabled {
		t.Skip("nothing is measured")
	}
	u := newUser(t, "game", 1000, 700, "-timeline")
	if !slices.ContainsFunc(u.program.seen, func(l string) bool { return strings.HasPrefix(l, "timeline shown ") }) {
		t.Errorf("before ready: got %q; want the timeline shown", u.program.seen)
	}
	u.wait("frames 30")
	u.see("timeline-live", 2000)
	u.press('e')
	u.see("timeline-off", 5000)
	u.press('e')
	u.wait("frames 60")
	u.press(symbolSpace)
	u.wait("paused")
	u.see("timeline-game", 5000)
	u.quit()
}

// tracedElsewhere is a program's execution trace, which knows that the goroutine of frames always waits for a channel.
type tracedElsewhere struct {
	session *process.Session
	on      atomic.Bool
}

func (w *tracedElsewhere) Tracing() report.Tracing             { return report.Tracing{On: w.on.Load()} }
func (w *tracedElsewhere) SetTracing(on bool) error            { w.on.Store(on); return nil }
func (w *tracedElsewhere) TakeStatesEvery(time.Duration) error { return nil }

func (w *tracedElsewhere) TakeStates() error {
	lanes := w.session.AppendGoroutines(nil)
	begin, end := lanes[0].Begin, platform.Now()
	w.session.AddStates(begin, end, []gather.LaneState{{Lane: lanes[0].Lane, Kind: gather.StateWaiting, Begin: begin,
		End: end, Reason: "chan receive"}})
	return nil
}

// The program takes them as if it were paused itself, and the paused view shows them. The menu switches its trace.
func TestAPauseTakesTheStatesOfAProgramElsewhere(t *testing.T) {
	longtest.Skip(t)
	if !gather.Enabled {
		t.Skip("nothing is measured in a program built with iprof_off")
	}
	s := process.Default()
	tracer := &tracedElsewhere{session: s}
	s.SetSources(func(c *process.Sources) { c.Tracer = tracer })
	defer s.SetSources(func(c *process.Sources) { c.Tracer = nil })
	at := serveSelf(t)
	u := newUser(t, "replay", 1280, 720, "-connect", at)
	u.linked(at)
	u.wait("frames 60")
	u.press(symbolSpace)
	u.wait("paused")
	u.wait("states")
	u.press('w')
	u.see("connected-states", 1000)
	u.press(symbolSpace)
	u.wait("live")
	u.fromMenu("execution trace on, off")
	must.Until(t, "trace", func() bool { state, _ := s.Sources().Tracing(); return state.On })
	u.quit()
}
