package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"example.com/iprof/gather"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/workload"
)

func TestScreenshotOfEverySample(t *testing.T) {
	longtest.Skip(t)
	d := newDesktop(t)
	for _, name := range workload.Names() {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "shot.png")
			out, err := command(d.display, "-workload", name, "-frames", "50", "-hidden", "-screenshot", file,
				"-report", "-").Output()
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

// openPicture reads a PNG file.
func openPicture(t *testing.T, file string) image.Image {
	t.Helper()
	f := must.Get(os.Open(file))(t)
	defer f.Close()
	p := must.Get(png.Decode(f))(t)
	return p
}

// checkPicture wants a picture of that size with something in it.
func checkPicture(t *testing.T, file string, width, height int) {
	t.Helper()
	p := openPicture(t, file)
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
		t.Run("display="+display, func(t *testing.T) {
			var out, errors bytes.Buffer
			c := command(display, "-frames", "1")
			c.Stdout, c.Stderr = &out, &errors
			err := c.Run()
			line := errors.String()
			if err == nil || c.ProcessState.ExitCode() != exitFailed || strings.Count(line, "\n") != 1 ||
				!strings.Contains(line, "xvfb-run") || out.Len() > 0 {
				t.Errorf("DISPLAY=%q: got %v, %q%q; want exit 1 and one line that names xvfb-run", display, err,
					out.String(), line)
			}
		})
	}
}

// TestPicturesWithoutADisplay: a hidden viewer needs none, of a sample and of captures, and draws what a window shows.
func TestPicturesWithoutADisplay(t *testing.T) {
	dir := t.TempDir()
	capture := written(t, filepath.Join(dir, "game.iprof"), 100)
	for name, args := range map[string][]string{"game": {"-workload", "game"}, "captures": {capture, capture + "2"}} {
		t.Run(name, func(t *testing.T) {
			if name == "captures" {
				written(t, capture+"2", 100)
			}
			file := filepath.Join(dir, name+".png")
			args = append([]string{"-frames", "30", "-hidden", "-size", "1000x700", "-screenshot", file,
				"-report", "-"}, args...)
			out, err := command("", args...).CombinedOutput()
			if err != nil || !strings.HasSuffix(string(out), file+"\n") || strings.Count(string(out), "\n") < 5 {
				t.Fatalf("got %v and\n%s\nwant a report and the name of the picture", err, out)
			}
			checkPicture(t, file, 1000, 700)
			if dir := os.Getenv("IPROF_SHOTS"); dir != "" {
				os.Rename(file, filepath.Join(dir, "alone-"+name+".png"))
			}
		})
	}
}

// TestAfterEveryResizeTheWindowShowsAFreshPicture resizes a window many times, and compares it each time with one that
// was resized only once.
func TestAfterEveryResizeTheWindowShowsAFreshPicture(t *testing.T) {
	longtest.Skip(t)
	u := newUser(t, "replay", 1000, 640)
	newest := u.pause(40)
	r := rand.New(rand.NewPCG(5, 20))
	for range 20 {
		width, height := 640+r.IntN(700), 360+r.IntN(500)
		size := []uint32{uint32(width), uint32(height)}
		xproto.ConfigureWindow(u.conn, u.window, xproto.ConfigWindowWidth|xproto.ConfigWindowHeight, size)
		u.wait(fmt.Sprintf("size %dx%d", width, height))
		w := newTwin(t, newest+1, u.width, u.height) // layers keep the order in which frames brought them
		w.width, w.height = width, height
		u.shows(fmt.Sprintf("%dx%d", width, height), w.picture(t))
	}
	u.quit()
}

// shows waits until the window shows a picture.
func (u *user) shows(name string, want *image.RGBA) {
	u.t.Helper()
	width, height := want.Rect.Dx(), want.Rect.Dy()
	var d golden.Difference
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		u.seen = u.grab(u.window, width, height)
		if d = golden.Measure(u.seen, want); d.Within(golden.Driver) == nil {
			return
		}
	}
	shot(u.t, name+"-got", u.seen)
	shot(u.t, name+"-want", want)
	u.t.Fatalf("%s: %v; want the picture of a window resized once", name, d.Within(golden.Driver))
}
