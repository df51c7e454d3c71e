package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/jezek/xgb/xproto"

	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
)

// written writes a capture of so many frames.
func written(t *testing.T, path string, frames int) string {
	t.Helper()
	file := must.Get(os.Create(path))(t)
	w, p := framefile.NewWriter(file, framefile.Info{Program: filepath.Base(path)}), world.NewRandom(1)
	for range frames {
		must.Do(t, w.WriteFrame(p.Frame()))
	}
	must.Do(t, w.Close())
	must.Do(t, file.Close())
	return path
}

// opened makes a capture the only one of the recent list.
func opened(t *testing.T, path string) {
	t.Helper()
	list := filepath.Join(os.Getenv("XDG_CACHE_HOME"), "iprof", "recent")
	must.Do(t, os.MkdirAll(filepath.Dir(list), 0o700))
	must.Do(t, os.WriteFile(list, []byte(path+"\n"), 0o600))
}

// Two captures and a program elsewhere are tabs, and a third capture is opened from the recent list. The frames of the
// program elsewhere since the window opened are saved as a capture.
func TestFilesAndProgramsAreTabs(t *testing.T) {
	e, at := startElsewhere(t, "127.0.0.1:0")
	defer e.kill()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	a, b := written(t, filepath.Join(dir, "a.iprof"), 40), written(t, filepath.Join(dir, "b.iprof"), 60)
	opened(t, written(t, filepath.Join(dir, "c.iprof"), 20))
	u := newUser(t, "replay", 1280, 720, "-connect", at, "-out", dir, a, b)
	u.chord(symbolControl, symbolTab)
	u.wait("tab 1 of 3 b.iprof")
	u.see("tab-b", 100)
	u.click(40, 10)
	u.wait("tab 0 of 3 a.iprof")
	u.chord(symbolControl, 'o')
	u.wait(`asking "" -1`)
	u.see("open", 1000)
	for i := range 3 { // b and a were opened after c
		u.press(symbolDown)
		u.wait(fmt.Sprintf(`asking "" %d`, i))
	}
	u.press(symbolEnter)
	u.wait("tab 3 of 4 c.iprof")
	u.see("tab-c", 100)
	u.chord(symbolControl, 'w')
	u.wait("tab 2 of 3 " + at)
	u.linked(at)
	u.wait("frames [1-9][0-9]+")
	u.fake(xproto.KeyPress, byte(u.keys[symbolShift]), 0, 0)
	u.chord(symbolControl, 's')
	u.fake(xproto.KeyRelease, byte(u.keys[symbolShift]), 0, 0)
	file := u.wait(`saved (.+\.iprof)`)[1]
	u.see("tab-live", 1000)
	s, contents, err := framefile.Open(file)
	if err != nil || contents.Frames == 0 || !strings.HasPrefix(contents.Program, "glviewer") {
		t.Fatalf("saved: got %+v, %v; want frames", contents, err)
	}
	if s.Zone(1).Name == "" {
		t.Error("the saved capture has no zones")
	}
	u.quit()
}

// A long capture is shown at once, and has all its frames soon after.
func TestOlderFramesFollow(t *testing.T) {
	long := written(t, filepath.Join(t.TempDir(), "long.iprof"), 2000+1500)
	u := newUser(t, "replay", 1280, 720, long)
	if seen := strings.Join(u.program.seen, "\n"); !strings.Contains(seen, "history 3500") {
		u.wait("history 3500")
	}
	ages := regexp.MustCompile(`\nage ([0-9]+)\n`).FindAllStringSubmatch(strings.Join(u.program.seen, "\n"), -1)
	age := must.Get(strconv.Atoi(ages[len(ages)-1][1]))(t) // of the frame explained
	u.press(symbolLeft)
	u.wait(fmt.Sprint("age ", age+1))
	u.see("long", 100)
	u.quit()
}
