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

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// shot saves what the window shows where IPROF_SHOTS says, for people to look at.
func shot(t *testing.T, name string, p image.Image) {
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

func TestRealKeysAndMouse(t *testing.T) {
	const width, height = 1280, 720
	d := newDesktop(t)
	p := start(t, d.display, "-workload", "replay", "-size", fmt.Sprintf("%dx%d", width, height), "-events", "-scale", "1")
	p.wait("ready")
	window := d.focused()
	seen := d.grab(window, width, height)
	see := func(name string, pixels int) {
		t.Helper()
		seen = d.differs(window, seen, pixels)
		shot(t, name, seen)
	}
	p.wait("frames 80")

	d.press(symbolSpace)
	p.wait("paused")
	newest := number(t, p.wait(`frame (\d+) .*`)[1])
	see("paused", 1000)
	d.press(symbolLeft)
	p.wait(fmt.Sprintf(`frame %d .*`, newest-1))
	p.wait("age 1")
	see("stepped", 500)

	_, panel := layout(t, newest+1, width, height)
	d.click(find(t, panel, width, height, func(h draw.Hit) bool { return h.Kind == draw.HitGraph && h.Age == newest-spikeFrame }))
	p.wait(fmt.Sprintf(`frame %d 3\d\.\d+ ms`, spikeFrame))
	p.wait(fmt.Sprintf("age %d", newest-spikeFrame))
	p.wait("cursor 0 streaming")
	see("spike", 2000)

	d.press(symbolDown)
	p.wait("cursor 1 .+")
	see("cursor", 500)
	d.press(symbolEnter)
	p.wait("mode callgraph")
	child := p.wait(`focus (\d+) .+`)[1]
	see("callgraph", 2000)
	d.press(symbolBackspace)
	if parent := p.wait(`focus (\d+) .+`)[1]; parent == child {
		t.Errorf("focus after Backspace: got %s again; want its parent", parent)
	}
	see("parent", 500)

	d.press('2')
	p.wait("mode hierarchical")
	d.press('p')
	p.wait("precision 3")
	d.press(symbolRight)
	p.wait(fmt.Sprintf("age %d", newest-spikeFrame-1))
	see("hierarchical", 2000)
	d.press(symbolEnd)
	p.wait("live")
	p.wait("age 0")

	xproto.ConfigureWindow(d.conn, window, xproto.ConfigWindowWidth|xproto.ConfigWindowHeight, []uint32{900, 640})
	p.wait("size 900x640")
	d.press(symbolF1)
	p.wait("panel off")
	d.press(symbolEscape)
	p.ends()
}

func TestDoubleClickOpensTheRecord(t *testing.T) {
	const width, height = 1000, 700
	d := newDesktop(t)
	p := start(t, d.display, "-workload", "replay", "-size", fmt.Sprintf("%dx%d", width, height), "-events", "-scale", "1")
	p.wait("ready")
	d.focused()
	p.wait("frames 30")
	d.press(symbolSpace)
	newest := number(t, p.wait(`frame (\d+) .*`)[1])
	_, panel := layout(t, newest+1, width, height)
	x, y := find(t, panel, width, height, func(h draw.Hit) bool { return h.Kind == draw.HitRecord && h.Index == 3 })
	d.click(x, y)
	name := p.wait("cursor 3 (.+)")[1]
	d.press(symbolDown) // so that the next click is no second to the first, however slow the machine
	p.wait("cursor 4 .+")
	d.click(x+20, y)
	d.click(x+20, y)
	p.wait("mode callgraph")
	if p.wait(`focus \d+ (.+)`)[1] != name {
		t.Errorf("focus: got %q; want the record's, %q", p.seen[len(p.seen)-1], name)
	}
	d.press(symbolEscape)
	p.ends()
}

func TestF1ShowsTheSampleItself(t *testing.T) {
	const width, height = 960, 540
	d := newDesktop(t)
	p := start(t, d.display, "-workload", "game", "-size", fmt.Sprintf("%dx%d", width, height), "-events", "-scale", "1")
	p.wait("ready")
	window := d.focused()
	p.wait("frames 20")
	seen := d.grab(window, width, height)
	for _, mode := range []string{"off", "hud", "half", "full"} {
		d.press(symbolF1)
		p.wait("panel " + mode)
		seen = d.differs(window, seen, 10000)
		shot(t, "game-"+mode, seen)
	}
	d.press(symbolEscape)
	p.ends()
}

func TestScreenshotOfEverySample(t *testing.T) {
	d := newDesktop(t)
	for _, name := range workload.Names() {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "shot.png")
			out, err := command(d.display, "-workload", name, "-frames", "90", "-hidden", "-screenshot", file, "-report", "-").Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			if got := lines[len(lines)-1]; got != file || len(lines) < 8 {
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
