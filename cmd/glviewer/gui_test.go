package main

import (
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/input"
	"example.com/iprof/internal/desk"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// twin is a second viewer in the test's own process, which gets the same frames and the same input.
type twin struct {
	session       *process.Session
	panel         *viewer.Panel
	input         *input.Controller
	width, height int
}

// newTwin is as the viewer is after so many frames, paused.
func newTwin(t *testing.T, frames, width, height int) *twin {
	t.Helper()
	s := process.NewSession()
	r := world.NewGame(1, s)
	w := &twin{s, viewer.PanelFor(s), input.ControllerFor(s), width, height}
	w.panel.Change(func(o *viewer.Options) { o.Title = "replay" })
	w.panel.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	at := time.Now() // 60 pictures a second, however quick they are
	w.panel.Change(func(o *viewer.Options) { o.Now = func() time.Time { at = at.Add(time.Second / 60); return at } })
	var l draw.List
	for range frames {
		must.Do(t, r.Step())
		l.Reset()
		w.panel.Draw(&l, float32(width), float32(height), 1) // as the viewer does: what is drawn keeps its order
	}
	s.Pause()
	return w
}

// picture draws it until nothing moves any more.
func (w *twin) picture(t *testing.T) *image.RGBA {
	t.Helper()
	var l draw.List
	for n := 0; n == 0 || w.panel.Settling(); n++ {
		if n == 300 {
			t.Fatal("the twin did not settle")
		}
		l.Reset()
		w.panel.Draw(&l, float32(w.width), float32(w.height), 1)
	}
	m := image.NewRGBA(image.Rect(0, 0, w.width, w.height))
	soft.Render(m, &l)
	return m
}

// place is the middle of what the twin has under the points that satisfy a condition.
func (w *twin) place(t *testing.T, want func(viewer.Hit) bool) (x, y int) {
	t.Helper()
	w.picture(t)
	return find(t, w.panel, w.width, w.height, want)
}

// right presses the right button on the twin, as the user does on the viewer.
func (w *twin) right(x, y int) {
	w.input.Cursor(float64(x), float64(y))
	w.input.Button(input.ButtonRight, input.ActionPress, 0)
	w.input.Button(input.ButtonRight, input.ActionRelease, 0)
}

func frameOf(age int) func(viewer.Hit) bool {
	return func(h viewer.Hit) bool { return h.Kind == hit.Graph && h.Age == age }
}

func line(name string) func(viewer.Hit) bool {
	return func(h viewer.Hit) bool { return h.Kind == hit.Command && h.Name == name }
}

func TestDragChoosesARangeAndEscapeEndsIt(t *testing.T) {
	longtest.Skip(t)
	u := newUser(t, "replay", 1280, 720)
	newest := u.pause(80)
	u.see("paused", 500)
	w := newTwin(t, newest+1, u.width, u.height)
	x0, y := w.place(t, frameOf(60))
	x1, _ := w.place(t, frameOf(20))
	u.drag(x0, y, x1, y)
	u.wait(fmt.Sprintf("range %d %d", newest-60, newest-20))
	u.see("range", 3000)
	u.press('b') // the range is the baseline
	u.wait("comparing")
	u.see("range-baseline", 500)
	u.press(symbolEscape)
	u.wait("lens 0")
	x0, y = w.place(t, frameOf(50))
	u.drag(x0, y, x0+1, y) // hardly moved: a click
	u.wait("age 50")
	u.see("clicked", 500)
	u.press('v')
	u.wait("alone")
	u.quit()
}

func TestRightClickFindFilterAndColumns(t *testing.T) {
	longtest.Skip(t)
	u := newUser(t, "replay", 1280, 720)
	newest := u.pause(60)
	u.see("before", 500)
	w := newTwin(t, newest+1, u.width, u.height)
	x, y := w.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Record && h.Index == 3 })
	u.rightClick(x, y)
	w.right(x, y)
	u.wait("menu open")
	u.see("menu", 3000)
	u.click(w.place(t, line("pin")))
	u.wait(`pinned \[\d.*\]`)
	u.wait("menu closed")
	u.see("pinned", 500)
	u.chord(symbolShift, 'i')
	u.wait(`pinned \[\]`)
	u.press('/')
	u.press('c')
	u.press('a')
	u.wait(`filter "ca"`)
	u.see("found", 500)
	u.press(symbolEnter)
	u.press(symbolEscape)
	u.wait(`filter ""`)
	u.press(symbolTab)
	u.wait("menu open")
	u.see("all-commands", 3000)
	u.press(symbolTab)
	u.wait("menu closed")
	u.press('k')
	u.wait("menu open")
	u.press(symbolDown)
	u.press(symbolEnter)
	u.press(symbolEscape)
	u.wait("menu closed")
	u.see("columns", 500)
	u.quit()
}

// From seeing a spike to the zone that made it: one click, and the zone is under the cursor; from the live display, a
// key.
func TestASpikeIsThreeInputsFromItsZone(t *testing.T) {
	longtest.Skip(t)
	u := newUser(t, "replay", 1280, 720)
	inputs := 0
	newest := u.pause(70)
	inputs++
	u.click(newTwin(t, newest+1, u.width, u.height).place(t, frameOf(newest-spikeFrame)))
	inputs++
	u.wait("cursor 0 streaming")
	u.press(symbolEnter)
	inputs++
	u.wait(`focus \d+ streaming`)
	if inputs > 3 {
		t.Errorf("inputs: got %d; want at most 3", inputs)
	}
	u.press('1')
	u.press(symbolEnd)
	u.wait("live")
	u.press('m') // the slowest frame: its zone is the first
	u.wait(fmt.Sprintf("frame %d .*", spikeFrame))
	u.press(symbolUp)
	u.wait("cursor 0 streaming")
	u.quit()
}

func TestSavesFromTheWindow(t *testing.T) {
	dir := t.TempDir()
	u := newUser(t, "replay", 800, 600, "-out", dir)
	newest := u.pause(30)
	u.shows("before", newTwin(t, newest+1, u.width, u.height).picture(t))
	u.chord(symbolControl, 's')
	file := u.wait(`saved (.+\.png)`)[1]
	if filepath.Dir(file) != dir {
		t.Errorf("saved in %s; want %s", filepath.Dir(file), dir)
	}
	if n := changed(rgbaOf(openPicture(t, file)), u.seen); n > 200 {
		t.Errorf("saved picture: got %d pixels other than the window's; want the same picture", n)
	}
	u.see("note", 500)
	u.chord(symbolControl, 'e')
	page, err := os.ReadFile(u.wait(`saved (.+\.html)`)[1])
	if err != nil || !strings.Contains(string(page), "streaming") {
		t.Errorf("saved page: got %d bytes, %v; want the zones in it", len(page), err)
	}
	os.RemoveAll(dir)
	u.chord(symbolControl, 's')
	if why := u.wait("not saved: (.+)")[1]; !strings.Contains(why, dir) || strings.Contains(why, "\n") {
		t.Errorf("no folder: got %q; want a line that names it", why)
	}
	u.see("not-saved", 200)
	u.quit()
}

// rgbaOf is a decoded picture as RGBA.
func rgbaOf(m image.Image) *image.RGBA {
	p := image.NewRGBA(m.Bounds())
	for y := range p.Rect.Dy() {
		for x := range p.Rect.Dx() {
			p.Set(x, y, m.At(x, y))
		}
	}
	return p
}

// However often it is pressed, it says which key does. With the panel off it shows the panel.
func TestEscapeNeverQuits(t *testing.T) {
	u := newUser(t, "replay", 800, 600)
	u.pause(20)
	u.see("paused", 500)
	u.press(symbolEscape)
	u.see("note", 200)
	for range 4 {
		u.press('p') // GLFW drops the second press of a key within a millisecond
		u.wait(`precision \d`)
		u.press(symbolEscape)
	}
	u.press(symbolF1)
	u.wait("panel off")
	u.press(symbolEscape)
	u.wait("panel full")
	u.quit()
}

// The first start offers the guided look, once. Enter goes through it, Escape ends it and does not quit.
func TestFirstStartOffersTheGuide(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	u := newUser(t, "replay", 960, 540)
	if !slices.Contains(u.program.seen, "guide 1") {
		t.Errorf("first start: got %q; want the guide offered", u.program.seen)
	}
	u.pause(40)
	u.see("offered", 500)
	u.press(symbolEnter)
	u.wait("guide 2")
	u.see("history", 2000)
	u.press(symbolRight)
	u.wait("guide 3")
	u.press(symbolEscape)
	u.wait("guide 0")
	u.press('p') // the viewer is still there
	u.wait("precision 3")
	u.quit()

	u = newUser(t, "replay", 960, 540)
	if !slices.Contains(u.program.seen, "guide 0") {
		t.Errorf("second start: got %q; want no offer", u.program.seen)
	}
	u.press(symbolTab)
	u.wait("menu open")
	for _, letter := range "guided" {
		u.press(xproto.Keysym(letter))
	}
	u.press(symbolEnter)
	u.wait("guide 2")
	u.press(symbolEscape)
	u.wait("guide 0")
	u.quit()
}

// greeted starts the viewer without a file or an address.
func greeted(t *testing.T, more ...string) *user {
	t.Helper()
	d := newDesktop(t)
	d.fake(xproto.MotionNotify, 0, 1900, 1180) // beside the window
	p := start(t, d.display, append([]string{"-events", "-scale", "1"}, more...)...)
	u := &user{desktop: d, program: p, t: t, width: 800, height: 600}
	p.wait("ready")
	u.window = d.focused()
	u.seen = d.grab(u.window, u.width, u.height)
	return u
}

// saved are the settings that the last window left.
func saved(t *testing.T) (s desk.Settings) {
	t.Helper()
	name := must.Get(desk.SettingsFile())(t)
	text, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Files and recent files are a choice away; what the window looked like and showed comes back in the next one.
func TestWithoutArgumentsTheViewerGreets(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	a, b := written(t, filepath.Join(dir, "a.iprof"), 40), written(t, filepath.Join(dir, "b.iprof"), 60)
	opened(t, a)
	must.Do(t, os.WriteFile(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "iprof", "looked"), nil, 0o600))
	u := greeted(t, "-size", "800x600")
	if !slices.Contains(u.program.seen, "tab 0 of 1 start") || !slices.Contains(u.program.seen, "panel off") {
		t.Fatalf("got %q; want the greeting", u.program.seen)
	}
	u.press(symbolUp) // the last line is the recent file
	u.see("greeting", 500)
	u.press(symbolEnter)
	u.wait("tab 1 of 2 a.iprof")
	u.press('y') // the theme
	u.see("greeting-file", 5000)
	u.chord(symbolControl, symbolTab)
	u.wait("tab 0 of 2 start")
	u.see("greeting-again", 5000)
	u.chord(symbolControl, 'o')
	u.wait(`asking "" -1`)
	u.press(symbolEscape)
	u.wait("asking nothing")
	u.chord(symbolControl, symbolTab)
	u.wait("tab 1 of 2 a.iprof")
	u.quit()
	s := saved(t)
	if s.Theme != "contrast" || !slices.Equal(s.Tabs, []string{a}) || s.Window == nil || s.Window.Width != 800 {
		t.Errorf("got %+v; want the theme contrast, the tab %s and 800 pixels", s, a)
	}

	s.Tabs, s.Window.Width = []string{a, b}, 900
	must.Do(t, s.Save())
	u = greeted(t)
	if !slices.Contains(u.program.seen, "size 900x600") {
		t.Errorf("got %q; want the width of the settings", u.program.seen)
	}
	u.see("greeting-before", 0)
	u.press(symbolEnter) // the first line: what was open
	u.wait("tab 2 of 3 b.iprof")
	u.quit()
}

func TestTheSampleIsAChoice(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	u := greeted(t, "-size", "800x600")
	for range 3 {
		u.press(symbolDown)
		u.see("choice", 500) // the line that is chosen
	}
	u.press(symbolEnter)
	u.wait("panel full")
	u.wait("tab 0 of 1 sample")
	u.wait("frames 20")
	u.see("sample", 5000)
	u.quit()
}

// The viewer runs it with iprof in its folder, with a token that no command line shows, and says how it ended.
func TestAProgramOfYours(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	dir, bin := t.TempDir(), t.TempDir()
	ran := filepath.Join(bin, "ran")
	script := fmt.Sprintf("#!/bin/sh\necho \"$@\" ${#IPROF_TOKEN} $PWD >%s\nexit 3\n", ran)
	for name, text := range map[string]string{filepath.Join(bin, "iprof"): script,
		filepath.Join(dir, "own", "main.go"): ""} {
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must.Do(t, os.WriteFile(name, []byte(text), 0o700))
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Chdir(dir)
	u := greeted(t, "-size", "800x600")
	for range 2 {
		u.press(symbolDown)
		u.see("choice", 500) // GLFW drops the second press of a key within a millisecond
	}
	u.press(symbolEnter)
	u.wait(`asking "" -1`)
	u.press(symbolDown)
	u.wait(`asking "" 0`)
	u.see("program", 1000)
	u.press(symbolEnter)
	u.wait("tab 1 of 2 own")
	if !slices.Contains(u.program.seen, "link ENDED · own") {
		u.wait("link ENDED · own")
	}
	for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		text, err := os.ReadFile(ran)
		if want := `^run -listen 127\.0\.0\.1:\d+ \. 26 .*/own\n$`; regexp.MustCompile(want).Match(text) {
			break
		} else if time.Now().After(end) {
			t.Fatalf("iprof got %q, %v; want %s", text, err, want)
		}
	}
	u.see("program-ended", 500)
	u.quit()
	if s := saved(t); len(s.Tabs) > 0 {
		t.Errorf("got the tabs %q remembered; want none, as the address is of this program only", s.Tabs)
	}
}
