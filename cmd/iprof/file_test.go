package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/tables"
	"example.com/iprof/internal/web"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// recorded returns a capture of 100 replayed frames.
func recorded(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "replay.iprof")
	s := process.NewSession()
	r := world.NewGame(1, s)
	recorder := must.Get(capture.Record(s, capture.RecordOptions{Path: path}))(t)
	for range 100 {
		must.Do(t, r.Step())
	}
	must.Do(t, recorder.Close())
	return path
}

func TestCommandsShowACapture(t *testing.T) {
	path := recorded(t)
	for _, test := range []struct{ command, want string }{
		{"top", "decompress"}, {"tree", "render_world"}, {"frames", "busy ms"}, {"html", "<!DOCTYPE html>"},
	} {
		t.Run(test.command, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			words := strings.Fields(test.command)
			for _, c := range commands {
				if c.name == words[0] && c.run(append(words[1:], "-o", out, path)) != 0 {
					t.Fatal("the status is not 0")
				}
			}
			if text := readFile(t, out); !bytes.Contains(bytes.ToLower(text), []byte(strings.ToLower(test.want))) {
				t.Errorf("there is no %q in\n%.2000s", test.want, text)
			}
		})
	}
}

// top and tree show the frame that triggered it and the verdict, or all with -all.
func TestABlackBoxsFileOpensAtItsHitch(t *testing.T) {
	dir := t.TempDir()
	s := process.NewSession()
	s.SetFrameBudget(20 * time.Millisecond)
	box, err := capture.NewBlackBox(s, capture.BlackBoxOptions{Dir: dir, After: 20, OverBudget: 1, Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	r := world.NewGame(1, s)
	for range 200 {
		must.Do(t, r.Step())
	}
	must.Do(t, box.Close())
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	_, contents, err := framefile.Open(files[0])
	if err != nil || !contents.HasFrame {
		t.Fatal(err, contents)
	}
	frame := fmt.Sprintf("this is frame %d;", contents.Frame)
	for _, name := range []string{"top", "tree"} {
		out := filepath.Join(t.TempDir(), name)
		if named(name)([]string{"-o", out, files[0]}) != 0 {
			t.Fatal("the status is not 0")
		}
		got := string(readFile(t, out))
		verdict := world.Spike(contents.Frame) + " 16.8 (usually 0.38)."
		if !strings.Contains(got, frame) || !strings.Contains(got, verdict) {
			t.Errorf("%s: there is no %q or %q in\n%s", name, frame, verdict, got)
		}
		if named(name)([]string{"-all", "-o", out, files[0]}) != 0 {
			t.Fatal("the status is not 0")
		}
		if got := string(readFile(t, out)); strings.Contains(got, frame) {
			t.Errorf("%s -all: there is %q in\n%s", name, frame, got)
		}
	}
}

// TestExportWritesTheTrace that is in a capture; without one it says so and leaves no file, or the one that was there.
func TestExportWritesTheTrace(t *testing.T) {
	dir := t.TempDir()
	path, out := recorded(t), filepath.Join(dir, "out")
	if exportFile([]string{"-format", "trace", "-o", out, path}) == 0 {
		t.Error("without a trace: the status is 0")
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("without a trace: there is a file")
	}
	write(t, out, "old")
	if exportFile([]string{"-format", "trace", "-o", out, path}) == 0 || string(readFile(t, out)) != "old" {
		t.Errorf("without a trace: got %q in the file; want it as it was", readFile(t, out))
	}
	path = filepath.Join(dir, "a.iprof")
	file := must.Get(os.Create(path))(t)
	w := framefile.NewWriter(file, framefile.Info{})
	must.Do(t, errors.Join(w.WriteTrace(bytes.NewReader([]byte("go 1.26 trace"))), w.Close(), file.Close()))
	if exportFile([]string{"-format", "trace", "-o", out, path}) != 0 {
		t.Fatal("the status is not 0")
	}
	if got := string(readFile(t, out)); got != "go 1.26 trace" {
		t.Errorf("got %q", got)
	}
}

func TestCommandsRefuseOtherFiles(t *testing.T) {
	for _, args := range [][]string{{}, {"no such file"}, {"main.go"}, {"a", "b"}} {
		if named("top")(args) == 0 {
			t.Errorf("%q: the status is 0", args)
		}
	}
	for name, want := range map[string]string{"localhost": " localhost:6061\n", "::1": " [::1]:6061\n"} {
		if said := complained(t, func() { named("top")([]string{name}) }); !strings.HasSuffix(said, want) {
			t.Errorf("%s without a port: got %q; want %q at its end", name, said, want)
		}
	}
}

func TestAPageIsOfTheRecordedProgram(t *testing.T) {
	var file, out bytes.Buffer // of a program that ended before its first frame
	info := framefile.Info{Program: "recorded", GoVersion: "go0", Machine: "elsewhere"}
	must.Do(t, framefile.NewWriter(&file, info).Close())
	s := process.NewSession()
	c := must.Get(framefile.Load(s, &file))(t)
	json := &opened{Capture: tables.Capture{Contents: c, Session: s}, pick: selection{json: true}}
	must.Do(t, readingOf("tree").write(&out, json))
	for _, want := range []string{`"recorded"`, `"go0"`, `"elsewhere"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %s in\n%.500s", want, &out)
		}
	}
}

// What makes text safe for terminals leaves the thin spaces in the page's numbers alone.
func TestThePageKeepsItsSpaces(t *testing.T) {
	path := recorded(t)
	out := filepath.Join(t.TempDir(), "page.html")
	shown, _ := asIprof(t, filepath.Dir(path), "html", path)
	if named("html")([]string{"-o", out, path}) != 0 {
		t.Fatal("the page was not written")
	}
	written := must.Get(os.ReadFile(out))(t)
	calls := regexp.MustCompile(`<dt>calls</dt><dd>(\d+\x{2009}\d{3})</dd>`)
	for name, text := range map[string]string{"-o": string(written), "standard output": shown} {
		text = html.UnescapeString(text)
		if !calls.MatchString(text) {
			t.Errorf("%s: no number of calls with a thin space in\n%.300s", name, text[strings.Index(text, "<dt>"):])
		}
	}
}

// sectioned returns a capture of 700 frames of 5 ms, in sections of 150 frames from frame 100 on. Frame 300 took 40 ms.
func sectioned(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "levels.iprof")
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	w := framefile.NewWriter(file, framefile.Info{Program: "levels"})
	at := platform.Ticks(0)
	for i := range 700 {
		length := platform.Ticks(5e6)
		if i == 300 {
			length = 40e6
		}
		f := gather.Frame{Index: uint64(i), Begin: at, End: at + length, TicksPerSecond: 1e9,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "early"}, {Name: "late"}},
			Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Begin: at, End: at + length, Nodes: []gather.Node{
				{Parent: -1}, {ID: 1, Zone: gather.ZoneID(1 + i/400), Self: length, Count: 1}}}}}
		if i >= 100 {
			n := (i - 100) / 150
			names := []string{"level 1", "level \x1b2", "boss", "menu"}
			f.Section = gather.SectionInfo{Number: uint64(n) + 2, Name: names[n]}
		}
		if at += length; w.WriteFrame(&f) != nil {
			t.Fatal("not written")
		}
	}
	must.Do(t, w.Close())
	return path
}

// shows returns what a command writes, and its status.
func shows(t *testing.T, command string, args ...string) (text string, code int) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	for _, c := range commands {
		if c.name == command {
			code = c.run(append([]string{"-o", out}, args...))
		}
	}
	if code == 0 {
		text = string(readFile(t, out))
	}
	return text, code
}

// inBothWays runs a test with the whole file in a session, and with its newest frames only.
func inBothWays(t *testing.T, test func(t *testing.T)) {
	before := longFile
	defer func() { longFile = before }()
	t.Run("whole", test)
	longFile = 1
	t.Run("newest", test)
}

// iprof frames lists the sections, and iprof top -frames section: has the frames of one alone.
func TestCommandsKnowSections(t *testing.T) {
	path := sectioned(t)
	inBothWays(t, func(t *testing.T) {
		got, _ := shows(t, "frames", path)
		for _, line := range []string{"    frames average ms     p99 ms   worst ms  section\n",
			"       150       5.00       5.00       5.00  level 1 (frames 100 to 249)\n",
			"      40.00  level \\x1b2 (frames 250 to 399)\n",
			"       150       5.00       5.00       5.00  menu (frames 550 to 699)\n"} {
			if !strings.Contains(got, line) {
				t.Errorf("frames: got\n%s\nwant the line %q", got, line)
			}
		}
		f := readRows(t, "frames "+path)
		if len(f.Sections) != 4 || f.Sections[1].Name != "level \x1b2" || f.Sections[1].WorstFrame != 300 {
			t.Errorf("frames -json: got %+v; want four sections", f.Sections)
		}
		got, _ = shows(t, "top", "-frames", "section:menu", path)
		if strings.Contains(got, "early") || !strings.Contains(got, "late") {
			t.Errorf("top of the section menu: got\n%s\nwant zone late alone", got)
		}
		if got, _ := shows(t, "top", "-json", "-frames", `section:level \x1b2`, path); strings.Contains(got, "late") {
			t.Errorf("top -json of an escaped name: got\n%s\nwant no zone late", got)
		}
		if _, code := shows(t, "top", "-frames", "section:level 9", path); code != 1 {
			t.Errorf("top of an unknown section: got status %d; want 1", code)
		}
	})
}

// A capture without sections has no list of them.
func TestCommandsWithoutSections(t *testing.T) {
	path := recorded(t)
	if got, _ := shows(t, "frames", path); strings.Contains(got, "section") {
		t.Errorf("got\n%s\nwant nothing about sections", got)
	}
	if _, code := shows(t, "top", "-frames", "section:menu", path); code != 1 {
		t.Errorf("top: got status %d; want 1", code)
	}
}

// idleServer writes a capture of a server that handles an event of 2 ms in each frame of a second. Its frame budget is
// 17 ms.
func idleServer(t *testing.T, driven bool) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "server.iprof")
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	w := framefile.NewWriter(file, framefile.Info{Program: "server"})
	for i := range platform.Ticks(100) {
		f := gather.Frame{Index: uint64(i), Begin: 1000 * i, End: 1000 * (i + 1), TicksPerSecond: 1000,
			EventDriven: driven, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "handle"}},
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: 1000 * i, End: 1000 * (i + 1),
				Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 998}, {ID: 2, Zone: 1, Self: 2, Count: 1}}}}}
		must.Do(t, w.WriteJudged(&f, &process.Judged{Budget: 17 * time.Millisecond}))
	}
	must.Do(t, w.Close())
	return path
}

// Each command and format knows that the program of a capture waits outside zones. Without that each frame is late.
func TestAnIdleServerIsWithinItsBudget(t *testing.T) {
	idle, late := idleServer(t, true), idleServer(t, false)
	for command, want := range map[string]string{
		"verdicts":                     `no frame is over budget`,
		"frames":                       `\d +1000\.00 +2\.00 `,
		"top":                          `2\.0 busy \+ 998\.0 waiting`,
		"tree":                         `\(root\)  \[idle\]`,
		"export -format folded":        `main;\(root\) \[idle\] 99800000000`,
		"export -format openmetrics":   `iprof_frames_over_budget_total 0\n`,
		"export -format openmetrics -": `zone_self_seconds_total{zone="\(root\)",.*idle="true",waited="false"} 99\.8\n`,
		"export -frames all":           "idle",
		"export -frames within":        "idle",
	} {
		t.Run(command, func(t *testing.T) {
			for path, is := range map[string]bool{idle: true, late: false} {
				text := exported(t, strings.Fields(strings.TrimSuffix(command, " -")), path)
				if regexp.MustCompile(want).MatchString(text) != is {
					t.Errorf("event-driven %t: there is %s: %t\n%.500s", is, want, !is, text)
				}
			}
		})
	}
}

// exported returns what a command writes of a capture, decompressed; "" if it fails. Profiles say "idle" by a label.
func exported(t *testing.T, words []string, path string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	if named(words[0])(append(words[1:], "-o", out, path)) != 0 {
		return ""
	}
	text := readFile(t, out)
	p, err := profile.ParseData(text)
	if err != nil {
		return string(text)
	}
	var b strings.Builder
	for _, s := range p.Sample {
		fmt.Fprintln(&b, slices.Sorted(maps.Keys(s.Label)))
	}
	return b.String()
}

// Of the package or the receiver as in the source, where only one ends so.
func TestZonesAreFoundByTheNamesThatPeopleType(t *testing.T) {
	s := process.NewSession()
	zones := []gather.ZoneInfo{{Name: "(root)"},
		{Name: "(*Mux).ServeHTTP", Function: "github.com/go-chi/chi/v5.(*Mux).ServeHTTP"},
		{Name: "(*Echo).ServeHTTP", Function: "github.com/labstack/echo/v4.(*Echo).ServeHTTP"},
		{Name: "listItems", Function: "main.listItems"},
		{Name: "step", Function: "example.org/a.step"}, {Name: "step", Function: "example.org/b.step"}}
	f := &gather.Frame{End: 1000, TicksPerSecond: 1e9, Zones: zones,
		Lanes: []gather.LaneFrame{{ID: 1, Nodes: []gather.Node{{Parent: -1, Self: 1000}}}}}
	must.Do(t, s.WriteFrame(f))
	for name, want := range map[string]string{
		"chi.(*Mux).ServeHTTP": "(*Mux).ServeHTTP", "v5.(*Mux).ServeHTTP": "(*Mux).ServeHTTP",
		"(*Mux).ServeHTTP": "(*Mux).ServeHTTP", "echo.(*Echo).ServeHTTP": "(*Echo).ServeHTTP",
		"main.listItems": "listItems", "listItems": "listItems", "b.step": "step",
		"github.com/labstack/echo/v4.(*Echo).ServeHTTP": "(*Echo).ServeHTTP",
	} {
		id, err := findZone(s, name)
		if err != nil || s.Zone(id).Name != want {
			t.Errorf("%s: got %q, %v; want %q", name, s.Zone(id).Name, err, want)
		}
	}
	for name, want := range map[string]string{
		"ServeHTTP":      "name one of them: (*Mux).ServeHTTP, (*Echo).ServeHTTP",
		"main.listitems": "zones with such a name: listItems", "nobody": "iprof top lists them",
		"istItems": "zones with such a name: listItems",
	} {
		if _, err := findZone(s, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v; want an error with %q", name, err, want)
		}
	}
}

// The second is no output, as it might be the capture to compare with.
func TestOneCaptureIsNamedWhereTwoWereGiven(t *testing.T) {
	errors := complained(t, func() {
		if got := named("html")([]string{"a.iprof", "b.iprof"}); got != 2 {
			t.Errorf("got status %d; want 2", got)
		}
	})
	for _, want := range []string{"html -o b.iprof a.iprof", "iprof diff a.iprof b.iprof"} {
		if !strings.Contains(errors, want) {
			t.Errorf("got %q; want %q in it", errors, want)
		}
	}
}

func TestTheFullPageHasTheCapture(t *testing.T) {
	t.Setenv("PATH", "")
	path, out := recorded(t), filepath.Join(t.TempDir(), "full.html")
	if got := named("html")([]string{"-full", "-o", out, path}); got != 1 {
		t.Errorf("without a viewer: got status %d; want 1", got)
	}
	carriedViewer = &web.Viewer{Program: []byte("program"), Script: []byte("'script'")}
	defer func() { carriedViewer = nil }()
	if got := named("html")([]string{"-full", "-o", out, path}); got != 0 {
		t.Fatalf("got status %d; want 0", got)
	}
	page := must.Get(os.ReadFile(out))(t)
	block := func(id string) []byte {
		found := regexp.MustCompile(`(?s) id="` + id + `">(.*?)</script>`).FindSubmatch(page)
		if found == nil {
			t.Fatalf("no %s in\n%.500s", id, page)
		}
		data := must.Get(base64.StdEncoding.DecodeString(string(found[1])))(t)
		return data
	}
	z := must.Get(gzip.NewReader(bytes.NewReader(block("capture"))))(t)
	got, err := io.ReadAll(z)
	if want, _ := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %d bytes, %v; want the %d of the capture", len(got), err, len(want))
	}
	if string(block("program")) != "program" || !strings.Contains(string(page), "<script>'script'</script>") ||
		strings.Contains(string(page), " src=") {
		t.Errorf("want program and script in the page, and nothing elsewhere:\n%.2000s", page)
	}
	if shown, _ := asIprof(t, filepath.Dir(path), "html", path); strings.Contains(shown, `id="capture"`) {
		t.Error("without -full: want the page without the viewer")
	}
}
