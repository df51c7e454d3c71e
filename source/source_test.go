package source_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process/report"
	"example.com/iprof/source"
)

const world = `package world

import "x"

func (w *World) step(n int) {
	defer x.Begin("step").End()
	w.move(n)
	for range n {
		go collide[int](w) // ` + "\u202e\x1b[31m" + `evil
	}
}

func other() {}
`

// written writes a file, last changed an hour ago, and returns its name.
func written(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	hour := time.Now().Add(-time.Hour)
	must.Do(t, os.Chtimes(file, hour, hour))
	return file
}

// code asks until the file has been read.
func code(r *source.Reader, zone gather.ZoneInfo) *report.Code {
	for {
		if c := r.Code(zone); c != nil {
			return c
		}
		time.Sleep(time.Millisecond)
	}
}

func TestAFunctionAndItsCalls(t *testing.T) {
	zone := gather.ZoneInfo{File: written(t, "world.go", world), Line: 6, Function: "game/world.(*World).step"}
	c := code(source.NewReader(time.Now()), zone)
	if c.Why != "" || c.First != 5 || len(c.Lines) != 7 || c.Lines[0] != "func (w *World) step(n int) {" {
		t.Fatalf("got %+v; want the seven lines of step from line 5 on", c)
	}
	if got := c.Lines[4]; got != "\t\tgo collide[int](w) // [31mevil" {
		t.Errorf("got %q; want no control characters", got)
	}
	calls := fmt.Sprint(c.Calls)
	for _, want := range []string{"{6 Begin}", "{7 move}", "{9 collide}"} {
		if !strings.Contains(calls, want) {
			t.Errorf("got the calls %s; want %s among them", calls, want)
		}
	}
}

func TestWhatIsNotShown(t *testing.T) {
	good := written(t, "world.go", world)
	folder := filepath.Join(t.TempDir(), "folder.go")
	must.Do(t, os.Mkdir(folder, 0o700))
	for _, c := range []struct {
		name  string
		zone  gather.ZoneInfo
		built time.Time
		want  string
	}{
		{"no place", gather.ZoneInfo{}, time.Time{}, "not known"},
		{"not there", gather.ZoneInfo{File: good + ".go", Line: 6}, time.Time{}, "not on this machine"},
		{"relative", gather.ZoneInfo{File: "source.go", Line: 6}, time.Time{}, "not on this machine"},
		{"no Go file", gather.ZoneInfo{File: written(t, "secret.txt", "x"), Line: 1}, time.Time{},
			"not on this machine"},
		{"a folder", gather.ZoneInfo{File: folder, Line: 1}, time.Time{}, "not on this machine"},
		{"too large", gather.ZoneInfo{File: written(t, "big.go", world+strings.Repeat(" ", source.MaxFile)), Line: 6},
			time.Time{}, "too large"},
		{"changed", gather.ZoneInfo{File: good, Line: 6}, time.Now().Add(-2 * time.Hour), "changed since"},
		{"another function", gather.ZoneInfo{File: good, Line: 6, Function: "game.draw"}, time.Time{}, "has changed"},
		{"behind the end", gather.ZoneInfo{File: good, Line: 600}, time.Time{}, "has changed"},
		{"no source", gather.ZoneInfo{File: written(t, "noise.go", "\x00\xff{"), Line: 1}, time.Time{}, "has changed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := code(source.NewReader(c.built), c.zone)
			if len(got.Lines) != 0 || !strings.Contains(got.Why, c.want) {
				t.Errorf("got %d lines, %q; want none, because it is %q", len(got.Lines), got.Why, c.want)
			}
		})
	}
}

// A function of any length, with lines of any length, takes little room.
func TestSourceIsBounded(t *testing.T) {
	text := "package p\n\nfunc long() {\n" + strings.Repeat("\t_ = \""+strings.Repeat("x", 900)+"\"\n", 3000) + "}\n"
	c := code(source.NewReader(time.Time{}), gather.ZoneInfo{File: written(t, "long.go", text), Line: 2000})
	if len(c.Lines) != source.MaxLines || c.First > 2000 || c.First+len(c.Lines) <= 2000 {
		t.Errorf("got %d lines from %d on (%q); want %d around line 2000", len(c.Lines), c.First, c.Why,
			source.MaxLines)
	}
	for _, line := range c.Lines {
		if len(line) > source.MaxLine {
			t.Fatalf("got a line of %d bytes; want at most %d", len(line), source.MaxLine)
		}
	}
}

func ExampleReader() {
	file := filepath.Join(os.TempDir(), "iprof-example.go")
	_ = os.WriteFile(file, []byte("package main\n\nfunc step() {\n\twork()\n}\n"), 0o600)
	defer os.Remove(file)
	files := source.NewReader(source.Built().Add(time.Hour))
	zone := gather.ZoneInfo{File: file, Line: 4, Function: "main.step"}
	c := files.Code(zone)
	for c == nil { // a viewer asks again in its next frame
		time.Sleep(time.Millisecond)
		c = files.Code(zone)
	}
	fmt.Println(c.First, c.Lines[0], c.Calls)
	// Output: 3 func step() { [{4 work}]
}

// The names come from a stranger's capture.
func TestOnlyLocalNamesAreLookedAt(t *testing.T) {
	root := t.TempDir()
	sep := string(filepath.Separator)
	for _, c := range []struct {
		name  string
		roots []string
		want  bool
	}{
		{root + sep + "a.go", nil, true}, {root + sep + "a.go", []string{root}, true},
		{root + sep + "b" + sep + "a.go", []string{t.TempDir(), root}, true},
		{root + "x" + sep + "a.go", []string{root}, false}, {root + sep + "..a.go", []string{root}, true},
		{root + sep + ".." + sep + "a.go", []string{root}, false}, {root + sep + ".." + sep + "a.go", nil, false},
		{filepath.Dir(root) + sep + "a.go", []string{root}, false}, {"a.go", nil, false}, {"", nil, false},
		{sep + sep + "host" + sep + "share" + sep + "a.go", nil, false}, {root + sep + sep + "a.go", nil, false},
		{root + sep + "." + sep + "a.go", []string{root}, false}, {`\\host\share\a.go`, nil, false},
		{`\\?\UNC\host\share\a.go`, nil, false}, {"//host/share/a.go", nil, false},
	} {
		if got := source.Local(c.name, c.roots...); got != c.want {
			t.Errorf("%q below %q: got %v; want %v", c.name, c.roots, got, c.want)
		}
	}
	outside := written(t, "outside.go", world)
	got := code(source.NewReader(time.Time{}, root), gather.ZoneInfo{File: outside, Line: 6})
	if len(got.Lines) != 0 || !strings.Contains(got.Why, "not on this machine") {
		t.Errorf("a file outside: got %+v; want none of it", got)
	}
}
