package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jezek/xgb/xproto"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/input"
	"example.com/iprof/internal/replay"
	"example.com/iprof/internal/workload"
	"example.com/iprof/process"
)

// spikeFrame is where replay's first spike is.
const spikeFrame = 45

// layout is a second viewer in the test's own process, fed with the same frames: it knows where things are.
func layout(t *testing.T, frames, width, height int) (*process.Session, *draw.Panel) {
	t.Helper()
	s := process.NewSession()
	r := replay.New(1, s)
	for range frames {
		if err := r.Step(); err != nil {
			t.Fatal(err)
		}
	}
	input.ControllerFor(s) // puts the help in
	p := draw.PanelFor(s)
	p.SetTitle("replay")
	p.SetMode(draw.Full)
	p.SetFocused(true)
	var l draw.List
	p.Draw(&l, float32(width), float32(height), 1)
	return s, p
}

// find is the middle of the area whose hits satisfy a condition.
func find(t *testing.T, p *draw.Panel, width, height int, want func(draw.Hit) bool) (x, y int) {
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
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
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
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
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
	args := append([]string{"-workload", sample, "-size", fmt.Sprintf("%dx%d", width, height), "-events", "-scale", "1"}, more...)
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

// quit ends the viewer with Escape.
func (u *user) quit() {
	u.t.Helper()
	u.press(symbolEscape)
	u.ends()
}

func TestFromTheSpikeToItsZone(t *testing.T) {
	u := newUser(t, "replay", 1280, 720)
	newest := u.pause(80)
	u.see("paused", 1000)
	u.press(symbolLeft)
	u.wait(fmt.Sprintf(`frame %d .*`, newest-1))
	u.wait("age 1")
	u.see("stepped", 500)

	_, panel := layout(t, newest+1, u.width, u.height)
	u.click(find(t, panel, u.width, u.height, func(h draw.Hit) bool { return h.Kind == draw.HitGraph && h.Age == newest-spikeFrame }))
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
	_, panel := layout(t, newest+1, u.width, u.height)
	x, y := find(t, panel, u.width, u.height, func(h draw.Hit) bool { return h.Kind == draw.HitRecord && h.Index == 3 })
	u.click(x, y)
	name := u.wait("cursor 3 (.+)")[1]
	u.click(x+20, y) // too far from the click before to be its second
	u.click(x+20, y)
	u.wait("mode callgraph")
	if got := u.wait(`focus \d+ (.+)`)[1]; got != name {
		t.Errorf("focus: got %q; want the record's, %q", got, name)
	}
	u.quit()
}

func TestF1ShowsTheSampleItself(t *testing.T) {
	u := newUser(t, "game", 960, 540)
	u.wait("frames 20")
	for _, mode := range []string{"off", "hud", "half", "full"} {
		u.press(symbolF1)
		u.wait("panel " + mode)
		u.see("game-"+mode, 10000)
	}
	u.quit()
}

func TestScreenshotOfEverySample(t *testing.T) {
	d := newDesktop(t)
	for _, name := range workload.Names() {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "shot.png")
			out, err := command(d.display, "-workload", name, "-frames", "50", "-hidden", "-screenshot", file, "-report", "-").Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			rows := 7
			if !gather.Enabled && name != "replay" {
				rows = 1 // that there is nothing
			}
			if got := lines[len(lines)-1]; got != file || len(lines) <= rows {
				t.Errorf("output: got %d lines, the last %q; want a report and then %q", len(lines), got, file)
			}
			checkPicture(t, file, 1280, 720)
			if dir := os.Getenv("IPROF_SHOTS"); dir != "" {
				os.Rename(file, filepath.Join(dir, name+".png"))
			}
		})
	}
}

func TestOldGL(t *testing.T) {
	d := newDesktop(t)
	file := filepath.Join(t.TempDir(), "shot.png")
	c := command(d.display, "-workload", "replay", "-frames", "30", "-hidden", "-size", "800x600", "-screenshot", file)
	c.Env = append(c.Env, "MESA_GL_VERSION_OVERRIDE=2.1", "MESA_GLSL_VERSION_OVERRIDE=120")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	checkPicture(t, file, 800, 600)
}

func TestOldGLShowsTheSampleToo(t *testing.T) {
	t.Setenv("MESA_GL_VERSION_OVERRIDE", "2.1")
	t.Setenv("MESA_GLSL_VERSION_OVERRIDE", "120")
	u := newUser(t, "game", 640, 400)
	u.wait("frames 10")
	u.press(symbolF1)
	u.wait("panel off")
	u.see("old-gl-sample", 10000)
	colours := map[any]bool{}
	for y := 0; y < u.height; y += 2 {
		for x := 0; x < u.width; x += 2 {
			colours[u.seen.At(x, y)] = true
		}
	}
	if len(colours) < 50 {
		t.Errorf("colours behind the overlay: got %d; want the game's picture, with at least 50", len(colours))
	}
	u.quit()
}

// checkPicture wants a picture of that size with something in it.
func checkPicture(t *testing.T, file string, width, height int) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Bounds().Size(); got != (image.Point{width, height}) {
		t.Fatalf("size: got %v; want %dx%d", got, width, height)
	}
	colours := map[any]bool{}
	for y := 0; y < height; y += 3 {
		for x := 0; x < width; x += 3 {
			colours[p.At(x, y)] = true
		}
	}
	if len(colours) < 50 {
		t.Errorf("colours: got %d; want a picture, with at least 50", len(colours))
	}
}

func TestNoDisplayIsOneLineWithTheRemedy(t *testing.T) {
	for _, display := range []string{"", ":65000"} {
		var out, errors bytes.Buffer
		c := command(display, "-frames", "1")
		c.Stdout, c.Stderr = &out, &errors
		err := c.Run()
		line := errors.String()
		if err == nil || c.ProcessState.ExitCode() != exitFailed || strings.Count(line, "\n") != 1 || !strings.Contains(line, "xvfb-run") || out.Len() > 0 {
			t.Errorf("DISPLAY=%q: got %v, %q%q; want exit 1 and one line that names xvfb-run", display, err, out.String(), line)
		}
	}
}
