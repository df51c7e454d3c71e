package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/jezek/xgb/xproto"

	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// spikeFrame is where replay's first spike is.
const spikeFrame = 45

// find is the middle of the area whose hits satisfy a condition.
func find(t *testing.T, p *viewer.Panel, width, height int, want func(viewer.Hit) bool) (x, y int) {
	t.Helper()
	var area image.Rectangle
	for y := 2; y < height; y += 4 {
		for x := range width {
			if want(p.HitAt(float32(x)+0.5, float32(y)+0.5)) {
				area = area.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if area.Empty() {
		t.Fatal("the panel has no such place")
	}
	return (area.Min.X + area.Max.X) / 2, (area.Min.Y + area.Max.Y) / 2
}

func number(t testing.TB, s string) int {
	t.Helper()
	n := must.Get(strconv.Atoi(s))(t)
	return n
}

// shot saves what the window shows where IPROF_SHOTS says, for people to look at.
func shot(t testing.TB, name string, p image.Image) {
	t.Helper()
	dir := os.Getenv("IPROF_SHOTS")
	if dir == "" {
		return
	}
	var b bytes.Buffer
	must.Do(t, png.Encode(&b, p))
	must.Do(t, os.WriteFile(filepath.Join(dir, name+".png"), b.Bytes(), 0o644))
}

// user is someone at a viewer on the replay.
type user struct {
	*desktop
	*program
	t             testing.TB
	window        xproto.Window
	width, height int
	seen          *image.RGBA
}

func newUser(t testing.TB, sample string, width, height int, more ...string) *user {
	t.Helper()
	d := newDesktop(t)
	d.fake(xproto.MotionNotify, 0, 1900, 1180) // beside the window: what lies under the mouse looks otherwise
	args := append([]string{"-workload", sample, "-size", fmt.Sprintf("%dx%d", width, height), "-events", "-scale",
		"1"}, more...)
	p := start(t, d.display, args...)
	u := &user{desktop: d, program: p, t: t, width: width, height: height}
	p.wait("ready")
	u.window = d.focused()
	u.seen = d.grab(u.window, width, height)
	return u
}

// see waits until at least so many pixels are others than before.
func (u *user) see(name string, pixels int) {
	u.t.Helper()
	u.seen = u.differs(u.window, u.seen, pixels)
	shot(u.t, name, u.seen)
}

// pause stops after at least so many frames, and returns the number of the newest.
func (u *user) pause(frames int) (newest int) {
	u.t.Helper()
	u.wait(fmt.Sprintf("frames %d", frames))
	u.press(symbolSpace)
	u.wait("paused")
	return number(u.t, u.wait(`frame (\d+) .*`)[1])
}

// quit ends the viewer with Ctrl+Q, and once more for yes if it asks. It strikes another key between them, because GLFW
// drops the second press of a key within a millisecond.
func (u *user) quit() {
	u.t.Helper()
	for line := ""; line != "closed"; {
		u.chord(symbolControl, 'q')
		u.press('p')
		line = u.wait(`closed|precision \d`)[0]
	}
	u.ended()
}

func TestFromTheSpikeToItsZone(t *testing.T) {
	longtest.Skip(t)
	u := newUser(t, "replay", 1280, 720)
	newest := u.pause(80)
	u.see("paused", 1000)
	u.press(symbolLeft)
	u.wait(fmt.Sprintf(`frame %d .*`, newest-1))
	u.wait("age 1")
	u.see("stepped", 500)

	u.click(newTwin(t, newest+1, u.width, u.height).place(t, frameOf(newest-spikeFrame)))
	u.wait(fmt.Sprintf(`frame %d 3\d\.\d+ ms`, spikeFrame))
	u.wait(fmt.Sprintf("age %d", newest-spikeFrame))
	u.wait("cursor 0 streaming")
	u.see("spike", 2000)

	u.press(symbolDown)
	u.wait("cursor 1 .+")
	u.see("cursor", 500)
	u.press(symbolEnter)
	u.wait("mode callgraph")
	child := u.wait(`focus (\d+) .+`)[1]
	u.see("callgraph", 2000)
	u.press(symbolBackspace)
	if parent := u.wait(`focus (\d+) .+`)[1]; parent == child {
		t.Errorf("focus after Backspace: got %s again; want its parent", parent)
	}
	u.see("parent", 500)
	u.quit()
}

func TestModesLiveAndResize(t *testing.T) {
	u := newUser(t, "replay", 1280, 720)
	u.pause(20)
	u.press('2')
	u.wait("mode hierarchical")
	u.press('p')
	u.wait("precision 3")
	u.press(symbolLeft)
	u.wait("age 1")
	u.press(symbolRight)
	u.wait("age 0")
	u.see("hierarchical", 2000)
	u.press(symbolLeft)
	u.wait("age 1")
	u.press(symbolEnd)
	u.wait("live")
	u.wait("age 0")

	size := []uint32{900, 640}
	xproto.ConfigureWindow(u.conn, u.window, xproto.ConfigWindowWidth|xproto.ConfigWindowHeight, size)
	u.wait("size 900x640")
	u.seen = u.grab(u.window, int(size[0]), int(size[1]))
	u.see("resized", 20) // it goes on: the graph moves
	u.quit()
}

func TestDoubleClickOpensTheRecord(t *testing.T) {
	u := newUser(t, "replay", 1000, 700)
	newest := u.pause(30)
	x, y := newTwin(t, newest+1, u.width, u.height).place(t, func(h viewer.Hit) bool {
		return h.Kind == hit.Record && h.Index == 3
	})
	u.click(x, y)
	name := u.wait("cursor 3 (.+)")[1]
	x += 20 // too far from the click before: the next click is not its second
	for line := ""; line != "mode callgraph"; {
		u.click(x, y)
		u.click(x, y) // a viewer that is short of time may see it too late, as a first click
		u.press('p')  // comes after them
		line = u.wait(`mode callgraph|precision \d`)[0]
	}
	if got := u.wait(`focus \d+ (.+)`)[1]; got != name {
		t.Errorf("focus: got %q; want the record's, %q", got, name)
	}
	u.quit()
}

func TestF1ShowsTheSampleAndTheOverlay(t *testing.T) {
	u := newUser(t, "game", 960, 540)
	u.wait("frames 20")
	for _, mode := range []string{"off", "hud", "half", "full"} {
		u.press(symbolF1)
		u.wait("panel " + mode)
		u.see("game-"+mode, 10000)
	}
	u.quit()
}
