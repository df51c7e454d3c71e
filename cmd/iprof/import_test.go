package main

import (
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/trace"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/export"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/progress"
	"example.com/iprof/internal/world"
)

// laneZone is a zone on a lane; spent is its time and its calls in all frames.
type (
	laneZone [2]string
	spent    struct{ ns, calls int64 }
)

func count(sums map[laneZone]spent, f *gather.Frame) {
	for i := range f.Lanes {
		for _, n := range f.Lanes[i].Nodes {
			at := laneZone{f.Lanes[i].Name, f.Zones[n.Zone].Name}
			sums[at] = spent{sums[at].ns + int64(n.Self), sums[at].calls + int64(n.Count)}
		}
	}
	maps.DeleteFunc(sums, func(_ laneZone, s spent) bool { return s == spent{} })
}

// framesOf returns the times in a capture, and the lengths of its frames.
func framesOf(t *testing.T, path string) (sums map[laneZone]spent, lengths []int64) {
	t.Helper()
	sums = map[laneZone]spent{}
	eachFrame(t, path, func(f *gather.Frame) {
		count(sums, f)
		lengths = append(lengths, int64(f.End-f.Begin))
	})
	return sums, lengths
}

// eachFrame reads a capture through the public API.
func eachFrame(t *testing.T, path string, do func(*gather.Frame)) {
	t.Helper()
	file := must.Get(os.Open(path))(t)
	defer file.Close()
	r := must.Get(framefile.NewReader(file))(t)
	var f gather.Frame
	for {
		if err := r.Next(&f); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		do(&f)
	}
}

// A random program that goes through Chrome JSON has the same times, calls and frames.
func TestImportOfAnExport(t *testing.T) {
	dir := t.TempDir()
	for seed := range uint64(100) {
		trace, path := filepath.Join(dir, "trace.json"), filepath.Join(dir, "capture")
		out := must.Get(os.Create(trace))(t)
		want, p := map[laneZone]spent{}, world.NewRandom(seed)
		x := export.NewChrome(out, "test")
		for range 3 {
			f := p.Frame()
			for i := range f.Lanes { // a lane's times are those of the frame
				l := &f.Lanes[i]
				rest := f.End - f.Begin
				for _, n := range l.Nodes[1:] {
					rest -= n.Self
				}
				l.Nodes[0].Self = rest
			}
			must.Do(t, x.WriteFrame(f))
			count(want, f)
		}
		must.Do(t, errors.Join(x.Close(), out.Close()))
		if importFile([]string{trace, path}) != 0 {
			t.Fatal("the status is not 0")
		}
		if got, lengths := framesOf(t, path); !maps.Equal(got, want) || len(lengths) != 3 {
			t.Fatalf("seed %d: %d frames: got %v; want %v", seed, len(lengths), got, want)
		}
		os.Remove(path)
	}
}

// Kinds of events, forms of files, and hostile ones.
func TestImportOfOtherTraces(t *testing.T) {
	for _, test := range []struct {
		name, text string
		args       []string
		frames     int
		zone       string
		want       spent
	}{
		{"pairs", `[{"ph":"B","name":"a","ts":0,"pid":1,"tid":"x"},{"ph":"B","name":"b","ts":1,"pid":1,"tid":"x"},
			{"ph":"E","ts":3,"pid":1,"tid":"x"},{"ph":"E","ts":10,"pid":1,"tid":"x"}]`, nil, 1, "b", spent{2000, 1}},
		{"overlap", `{"x":[1],"traceEvents":[{"ph":"X","name":"a","ts":0,"dur":5,"tid":1},
			{"ph":"X","name":"b","ts":3,"dur":7,"tid":1},{"ph":"C","name":"c","ts":4}]}`, nil, 1, "b", spent{7000, 1}},
		{"frames by name", `[{"ph":"X","name":"tick","ts":0,"dur":5},{"ph":"X","name":"tick","ts":10,"dur":5},
			{"ph":"X","name":"tick","ts":20,"dur":5}]`, []string{"-frame", "tick"}, 3, "tick", spent{15000, 3}},
		{"frames named so", `[{"ph":"X","name":"frame","ts":0,"dur":5},{"ph":"X","name":"frame","ts":10,"dur":5}]`, nil,
			2, "frame", spent{10000, 2}},
		{"time though there are some", `[{"ph":"X","name":"frame","ts":0,"dur":10}]`, []string{"-every", "5us"}, 2,
			"frame", spent{10000, 1}},
		{"frames by time", `[{"ph":"X","name":"a","ts":0,"dur":10}]`, []string{"-every", "2us"}, 5, "a",
			spent{10000, 1}},
		{"cut off", `[{"ph":"X","name":"a","ts":0,"dur":10},{"ph":"X","na`, nil, 1, "a", spent{10000, 1}},
		{"recursion", `[{"ph":"X","name":"a","ts":0,"dur":10},{"ph":"X","name":"a","ts":1,"dur":2}]`, nil, 1, "a",
			spent{10000, 2}},
		{"addresses as threads", `[{"ph":"X","name":"a","ts":0,"dur":10,"tid":139637976123456}]`, nil, 1, "a",
			spent{10000, 1}},
		{"not JSON", `hello`, nil, 0, "", spent{}},
		{"no events", `{"a":1}`, nil, 0, "", spent{}},
		{"no such frame", `[{"ph":"X","name":"a","ts":0,"dur":10}]`, []string{"-frame", "b"}, 0, "", spent{}},
		{"endless frames", `[{"ph":"X","name":"a","ts":0,"dur":1e15}]`, []string{"-every", "1ns"}, 0, "", spent{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			trace, path := filepath.Join(dir, "trace.json"), filepath.Join(dir, "capture")
			must.Do(t, os.WriteFile(trace, []byte(test.text), 0o600))
			status := importFile(append(test.args, trace, path))
			if test.frames == 0 {
				if _, err := os.Stat(path); status == 0 || err == nil {
					t.Errorf("status %d, and a file: %v", status, err == nil)
				}
				return
			}
			sums, lengths := framesOf(t, path)
			got := spent{}
			for at, s := range sums {
				if at[1] == test.zone {
					got = spent{got.ns + s.ns, got.calls + s.calls}
				}
			}
			if status != 0 || len(lengths) != test.frames || got != test.want {
				t.Errorf("status %d, %d frames, %s: %v; want %d frames, %v", status, len(lengths), test.zone, got,
					test.frames, test.want)
			}
			if _, contents, err := framefile.Open(path); err != nil || len(contents.Damages) > 0 || !contents.Complete {
				t.Errorf("the capture: %v, %+v", err, contents)
			}
		})
	}
}

// What export writes in the formats of other tools has the same self times when it is read back.
func TestImportOfOtherExports(t *testing.T) {
	dir := t.TempDir()
	from, trace := filepath.Join(dir, "from"), filepath.Join(dir, "trace")
	text := `[{"ph":"X","name":"a","ts":0,"dur":20000,"tid":1},{"ph":"X","name":"b","ts":3,"dur":1000,"tid":1},
		{"ph":"X","name":"c","ts":15000,"dur":2000,"tid":2},{"ph":"i","s":"g","name":"m","ts":7}]`
	must.Do(t, os.WriteFile(trace, []byte(text), 0o600))
	if importFile([]string{trace, from}) != 0 {
		t.Fatal("the status is not 0")
	}
	want, lengths := framesOf(t, from)
	for format, frames := range map[string]int{"chrome": len(lengths), "perfetto": len(lengths), "folded": 1,
		"pprof": 1} {
		made, back := filepath.Join(dir, format), filepath.Join(dir, format+".back")
		if exportFile([]string{"-format", format, "-o", made, from})+importFile([]string{made, back}) != 0 {
			t.Errorf("%s: the status is not 0", format)
			continue
		}
		got, lengths := framesOf(t, back)
		for _, zone := range []string{"a", "b", "c"} {
			if inZone(got, zone) != inZone(want, zone) {
				t.Errorf("%s: got %v; want %v", format, got, want)
			}
		}
		if len(lengths) != frames {
			t.Errorf("%s: got %d frames; want %d", format, len(lengths), frames)
		}
	}
}

// inZone returns the self time of a zone on all lanes, in nanoseconds.
func inZone(sums map[laneZone]spent, zone string) (ns int64) {
	for at, s := range sums {
		if at[1] == zone {
			ns += s.ns
		}
	}
	return ns
}

// Each in a line on standard error; and a file with nothing is an error.
func TestCommandsSayWhatIsLeftOut(t *testing.T) {
	dir := t.TempDir()
	path, out := filepath.Join(dir, "trace.json"), filepath.Join(dir, "out")
	text := `[{"ph":"X","name":"a","ts":0,"dur":10},{"ph":"X","name":"b","ts":0,"dur":NaN},{"ph":"P","ts":1}`
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	const want = "left out: 1 event with a word that is not JSON, such as inf, 1 sample of stacks; the file has no end"
	for name, run := range map[string]func([]string) int{"top": named("top"), "verdicts": named("verdicts"),
		"import": func([]string) int { return importFile([]string{path, filepath.Join(dir, "capture")}) },
		"export": func([]string) int { return exportFile([]string{"-format", "csv", "-o", out, path}) }} {
		code := 0
		said := complained(t, func() { code = run([]string{"-o", out, path}) })
		if code != 0 || strings.Count(said, want) != 1 {
			t.Errorf("%s: status %d, said %q; want %q", name, code, said, want)
		}
		os.Remove(out)
	}
	must.Do(t, os.WriteFile(path, []byte(`[{"ph":"P","ts":1},{"ph":"P","ts":2}]`), 0o600))
	code := 0
	said := complained(t, func() { code = named("top")([]string{"-o", out, path}) })
	if code != 1 || !strings.Contains(said, "2 samples of stacks, and no slices") {
		t.Errorf("of a file with nothing: status %d, said %q", code, said)
	}
}

// A slice is at its time in the timeline, in a later frame, too.
func TestImportKeepsPlaces(t *testing.T) {
	dir := t.TempDir()
	trace, path := filepath.Join(dir, "trace.json"), filepath.Join(dir, "capture")
	back := filepath.Join(dir, "back.json")
	text := `[{"ph":"X","name":"a","ts":0,"dur":20},{"ph":"X","name":"b","ts":3,"dur":1},
		{"ph":"X","name":"c","ts":15,"dur":2}]`
	must.Do(t, os.WriteFile(trace, []byte(text), 0o600))
	if importFile([]string{"-every", "10us", trace, path})+exportFile([]string{"-format", "chrome", path, back}) != 0 {
		t.Fatal("the status is not 0")
	}
	got := string(readFile(t, back))
	for _, want := range []string{`"ts":3.000,"dur":1.000,"name":"b"`, `"ts":15.000,"dur":2.000,"name":"c"`,
		`"ts":10.000,"dur":10.000,"name":"a"`} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %s in\n%s", want, got)
		}
	}
}

// traceFile writes an execution trace of Go of what do does.
func traceFile(t *testing.T, do func()) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.out")
	file := must.Get(os.Create(path))(t)
	if err := trace.Start(file); err != nil {
		t.Skipf("SKIPPED: no trace can be taken here: %v", err)
	}
	do()
	trace.Stop()
	must.Do(t, file.Close())
	return path
}

// tenSteps are ten regions "step", each with one inside.
func tenSteps(t *testing.T) func() {
	return func() {
		for range 10 {
			trace.WithRegion(t.Context(), "step", func() { trace.WithRegion(t.Context(), "<inner>", func() {}) })
		}
	}
}

// withReader puts the program that reads execution traces beside this one, as long as the test runs.
func withReader(t *testing.T) {
	t.Helper()
	own := must.Get(os.Executable())(t)
	path := filepath.Join(filepath.Dir(own), "iprof-import-trace")
	cmd := exec.Command("go", "build", "-o", path, "./cmd/iprof-import-trace")
	cmd.Dir = filepath.Join("..", "..", "exectrace")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: the reader of execution traces cannot be built here: %v\n%s", err, out)
	}
	t.Cleanup(func() { os.Remove(path) })
}

// import and the commands that read captures take an execution trace of Go.
func TestImportOfGosTraces(t *testing.T) {
	longtest.Skip(t)
	withReader(t)
	from, to := traceFile(t, tenSteps(t)), filepath.Join(t.TempDir(), "capture")
	if importFile([]string{"-frame", "step", from, to}) != 0 {
		t.Fatal("the status is not 0")
	}
	sums, lengths := framesOf(t, to)
	calls := map[string]int64{}
	for at, s := range sums {
		calls[at[1]] += s.calls
	}
	if len(lengths) != 10 || calls["step"] != 10 || calls["<inner>"] != 10 {
		t.Errorf("got %d frames, calls %v; want 10 of each", len(lengths), calls)
	}
	out := filepath.Join(t.TempDir(), "out")
	if named("top")([]string{"-o", out, from}) != 0 || !strings.Contains(string(readFile(t, out)), "step") {
		t.Errorf("iprof top: got\n%s", readFile(t, out))
	}
	if exportFile([]string{"-format", "folded", from, out}) != 0 ||
		!strings.Contains(string(readFile(t, out)), ";step;<inner> ") {
		t.Errorf("iprof export: got\n%s", readFile(t, out))
	}
}

// The program that reads it says so, and its words are no part of the result.
func TestReadingALargeTraceSaysHowFarItIs(t *testing.T) {
	longtest.Skip(t)
	withReader(t)
	path := traceFile(t, func() {
		for i := range 6000 { // the runtime cuts texts at 1,024 bytes
			trace.Log(t.Context(), "note", strings.Repeat(string(rune('a'+i%26)), 1000)+strconv.Itoa(i))
		}
		trace.WithRegion(t.Context(), "step", func() {})
	})
	var said []int
	kept, imported, err := importer.Open(path, importer.Frames{Progress: func(p int) { said = append(said, p) }})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	if len(said) < 10 || said[0] > 10 || slices.Max(said) != progress.Done || imported.Frames == 0 {
		t.Errorf("got %d of %+v", said, imported)
	}
}

// Without the program that reads execution traces, the error says where it comes from.
func TestImportNamesTheNextStep(t *testing.T) {
	from, to := traceFile(t, tenSteps(t)), filepath.Join(t.TempDir(), "capture")
	_, err := importer.File(from, to, importer.Frames{})
	if err == nil || !strings.Contains(err.Error(), "make install") {
		t.Errorf("got error %v", err)
	}
	if _, err := os.Stat(to); err == nil {
		t.Error("a file is left")
	}
}

// A file of Chrome's format, and leaves nothing behind.
func TestOtherToolsFilesAreOpened(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path, out := filepath.Join(t.TempDir(), "trace.json"), filepath.Join(t.TempDir(), "out")
	must.Do(t, os.WriteFile(path, []byte(`[{"ph":"X","name":"a","ts":0,"dur":10}]`), 0o600))
	if named("tree")([]string{"-o", out, path}) != 0 || !strings.Contains(string(readFile(t, out)), "`- a") {
		t.Errorf("got\n%s", readFile(t, out))
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("got %v, %v in the folder of temporary files; want none", left, err)
	}
}

func TestAProfileIsNoLateFrame(t *testing.T) {
	path, out := filepath.Join(t.TempDir(), "cpu.folded"), filepath.Join(t.TempDir(), "out")
	must.Do(t, os.WriteFile(path, []byte("main;read 2000000000\nmain;rank 3000000000\n"), 0o600))
	for _, verb := range []string{"top", "tree"} {
		if err := command(verb+" -o "+out, path); err != nil {
			t.Fatalf("%s: %v", verb, err)
		}
		text := string(readFile(t, out))
		if !strings.HasPrefix(text, "cpu.folded: profile from ") || strings.Contains(text, ", over ") {
			t.Errorf("%s: got\n%s\nwant a profile, and nothing over a budget", verb, text)
		}
		os.Remove(out)
	}
}

// What goroutines did for the scheduler goes through Chrome JSON and back.
func TestImportOfStates(t *testing.T) {
	trace, path := filepath.Join(t.TempDir(), "trace.json"), filepath.Join(t.TempDir(), "capture")
	out := must.Get(os.Create(trace))(t)
	x, p, want := export.NewChrome(out, "test"), world.NewRandom(1), []gather.LaneState{}
	for range 3 {
		f := p.Frame()
		main, worker := f.Lanes[0].ID, f.Lanes[1].ID
		f.States = []gather.LaneState{
			{Kind: gather.StateMarking, Begin: f.Begin, End: f.Begin + 50},
			{Lane: worker, Kind: gather.StateWaiting, Begin: f.Begin + 10, End: f.Begin + 90, Reason: "mutex <b>",
				Place: "a.go:1", Waker: main, By: "main.load", At: "b.go:2"},
			{Lane: main, Kind: gather.StateSyscall, Begin: f.Begin + 20, End: f.Begin + 30}}
		for _, q := range f.States {
			q.Begin, q.End = q.Begin-f.Begin, q.End-f.Begin // the file's times begin elsewhere
			want = append(want, q)
		}
		must.Do(t, x.WriteFrame(f))
	}
	must.Do(t, errors.Join(x.Close(), out.Close()))
	if importFile([]string{trace, path}) != 0 {
		t.Fatal("the status is not 0")
	}
	got, lanes := statesOf(t, path)
	sortStates(got)
	sortStates(want)
	if !slices.Equal(got, want) || lanes != len(p.Frame().Lanes) {
		t.Errorf("%d lanes: got\n%v\nwant\n%v", lanes, got, want)
	}
}

func sortStates(list []gather.LaneState) {
	slices.SortStableFunc(list, func(a, b gather.LaneState) int { return int(a.Begin - b.Begin) })
}

// statesOf returns the states of a capture, from the beginning of their frames, and the lanes of the last frame.
func statesOf(t *testing.T, path string) (list []gather.LaneState, lanes int) {
	t.Helper()
	eachFrame(t, path, func(f *gather.Frame) {
		for _, q := range f.States {
			q.Begin, q.End = q.Begin-f.Begin, q.End-f.Begin
			list = append(list, q)
		}
		lanes = len(f.Lanes)
	})
	return list, lanes
}
