package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"example.com/iprof/internal/desk"
	"example.com/iprof/internal/must"
)

// greeted is a user whose viewer was told nothing to show.
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

// TestWithoutArgumentsTheViewerGreets: files and recent files are a choice away; what the window looked like and showed
// comes back in the next one.
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

// TestTheSampleIsAChoice: it begins with the first frame behind the greeting.
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

// TestAProgramOfYours: the viewer runs it with iprof in its folder, with a token that no command line shows, and says
// how it ended.
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
