package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/internal/exporter"
	"example.com/iprof/internal/must"
)

func TestExportWritesEachFormat(t *testing.T) {
	path := recorded(t)
	for _, test := range []struct{ format, want string }{
		{"pprof", "\x1f\x8b"}, {"perfetto", "render_world"}, {"chrome", `"name":"render_world"`},
		{"folded", "main;(root)"}, {"csv", ",main,(root);"},
		{"openmetrics", `iprof_zone_calls_total{zone="render_world"`},
	} {
		t.Run(test.format, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			if exportFile([]string{"-format", test.format, path, out}) != 0 {
				t.Fatal("the status is not 0")
			}
			if text := string(readFile(t, out)); !strings.Contains(text, test.want) {
				t.Errorf("there is no %q in\n%.2000s", test.want, text)
			}
		})
	}
	for _, f := range exporter.Formats {
		if !strings.Contains(find("export").more, f.Name+" ") {
			t.Errorf("the help does not list %s", f.Name)
		}
	}
}

func TestExportOfARange(t *testing.T) {
	path, out := recorded(t), filepath.Join(t.TempDir(), "out")
	if exportFile([]string{"-format", "chrome", "-frames", "20-24", "-lane", "main", path, out}) != 0 {
		t.Fatal("the status is not 0")
	}
	var file struct {
		TraceEvents []struct {
			Name string
			Tid  int
			Args struct{ Name string }
		}
	}
	must.Do(t, json.Unmarshal(readFile(t, out), &file))
	var frames, lanes []string
	for _, e := range file.TraceEvents {
		switch {
		case e.Tid == 0 && strings.HasPrefix(e.Name, "frame "):
			frames = append(frames, e.Name)
		case e.Name == "thread_name":
			lanes = append(lanes, e.Args.Name)
		}
	}
	want := []string{}
	for i := 20; i <= 24; i++ {
		want = append(want, "frame "+strconv.Itoa(i))
	}
	if strings.Join(frames, ",") != strings.Join(want, ",") || strings.Join(lanes, ",") != "frames,main" {
		t.Errorf("got %q of %q; want %q of main", frames, lanes, want)
	}
}

// The slowest, those over budget and those within it. Each frame is in one of the last two.
func TestExportOfChosenFrames(t *testing.T) {
	path, out := recorded(t), filepath.Join(t.TempDir(), "out")
	frames := func(args ...string) int {
		t.Helper()
		if exportFile(append(args, "-format", "chrome", path, out)) != 0 {
			t.Fatalf("%q: the status is not 0", args)
		}
		return strings.Count(string(readFile(t, out)), `"name":"frame `)
	}
	all, over, within := frames(), frames("-frames", "over", "-budget", "20ms"),
		frames("-frames", "within", "-budget", "20ms")
	if over == 0 || within == 0 || over+within != all {
		t.Errorf("got %d frames over budget and %d within; want parts of %d", over, within, all)
	}
	if got := frames("-frames", "worst:3"); got != 3 {
		t.Errorf("got %d of the 3 slowest frames", got)
	}
}

// What it cannot do leaves no file.
func TestExportRefuses(t *testing.T) {
	path, out := recorded(t), filepath.Join(t.TempDir(), "out")
	for _, args := range [][]string{{}, {"-format", "nothing", path, out}, {"-frames", "7-3", path, out},
		{"-frames", "5000", path, out}, {"-frames", "x", path, out}, {"export.go", out}, {path, out, "more"}} {
		if exportFile(args) == 0 {
			t.Errorf("%q: the status is 0", args)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%q leaves a file", args)
		}
	}
}

// Of a capture with events each slice is one call.
func TestExportUsesEvents(t *testing.T) {
	path, out := recorded(t), filepath.Join(t.TempDir(), "out")
	if exportFile([]string{"-format", "chrome", path, out}) != 0 {
		t.Fatal("the status is not 0")
	}
	text := string(readFile(t, out))
	if calls := strings.Count(text, `"args":{"calls":1}`); calls < 1000 || strings.Contains(text, `"calls":2}`) {
		t.Errorf("got %d slices of one call, and some of two: %v", calls, strings.Contains(text, `"calls":2}`))
	}
}
