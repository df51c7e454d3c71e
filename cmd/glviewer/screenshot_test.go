package main

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/workload"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
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
	must.Run(t, c)
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

// A hidden viewer needs none, of a sample and of captures, and draws what a window shows.
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

// slowed writes a capture like another, in which each call of a zone of the updating lane takes so many ticks longer.
func slowed(t *testing.T, path string, frames int, by platform.Ticks) (file, zone string) {
	t.Helper()
	out := must.Get(os.Create(path))(t)
	w, p := framefile.NewWriter(out, framefile.Info{Program: "slowed"}), world.NewRandom(1)
	for range frames {
		f := p.Frame()
		for i := range f.Lanes {
			if l := &f.Lanes[i]; l.Updater {
				zone = slow(f, l, by)
				break
			}
		}
		must.Do(t, w.WriteFrame(f))
	}
	must.Do(t, w.Close())
	must.Do(t, out.Close())
	return path, zone
}

// slow adds to the first zone that is below the root.
func slow(f *gather.Frame, l *gather.LaneFrame, by platform.Ticks) (zone string) {
	l.Nodes[1].Self += by
	return f.Zones[l.Nodes[1].Zone].Name
}

// diffed returns what iprof diff prints of two captures, as the line of events has it.
func diffed(t *testing.T, iprof, before, after string) string {
	t.Helper()
	out, err := exec.Command(iprof, "diff", before, after).Output()
	if exit := new(exec.ExitError); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	lines[0] = "contrast" // in place of the headings
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.Join(lines, "; ")
}

// The table has what iprof diff says of the files, among it the zone that became slower.
func TestTwoTabsAreCompared(t *testing.T) {
	longtest.Skip(t)
	dir := t.TempDir()
	iprof := filepath.Join(dir, "iprof")
	must.Run(t, exec.Command("go", "build", "-o", iprof, "../iprof"))
	before := written(t, filepath.Join(dir, "before.iprof"), 200)
	after, zone := slowed(t, filepath.Join(dir, "after.iprof"), 200, 5e6)
	u := newUser(t, "replay", 1280, 720, before, after)
	u.chord(symbolControl, symbolTab)
	u.wait("tab 1 of 2 after.iprof")
	u.see("after", 10)
	u.chord(symbolControl, 'd')
	want := diffed(t, iprof, before, after)
	u.wait(regexp.QuoteMeta(want))
	if !strings.Contains(want, " slower "+zone+"; 1 slower, ") {
		t.Errorf("got %q; want %s slower", want, zone)
	}
	u.see("contrast", 1000)
	u.press(symbolEscape)
	u.wait("no contrast")
	u.chord(symbolControl, symbolTab)
	u.wait("tab 0 of 2 before.iprof")
	u.chord(symbolControl, 'd') // the left one is before all the same
	u.wait(regexp.QuoteMeta(want))
	u.press('x')
	want = diffed(t, iprof, after, before)
	u.wait(regexp.QuoteMeta(want))
	if !strings.Contains(want, " faster "+zone+"; 0 slower, ") {
		t.Errorf("got %q; want %s faster", want, zone)
	}
	u.press(symbolEscape)
	u.wait("no contrast")
	u.quit()
}
