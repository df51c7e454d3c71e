package importer_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

// plainEvent is an event as encoding/json reads it.
type plainEvent struct {
	Ph, Name, Cat string
	Ts, Dur       json.Number
	Pid, Tid, ID  any
}

// exactly returns a number of microseconds in nanoseconds. A float64 is too coarse for a time since 1970, of which
// go build writes one decimal: there .2 reads as .25.
func exactly(t *testing.T, micros json.Number) int64 {
	t.Helper()
	if micros == "" {
		return 0
	}
	exact, ok := new(big.Rat).SetString(micros.String())
	if !ok {
		t.Fatalf("got the number %q", micros)
	}
	ns := new(big.Int).Mul(exact.Num(), big.NewInt(1000))
	return ns.Div(ns, exact.Denom()).Int64()
}

// sumsOf adds up the durations of slices by name, in another way than the importer does: all kinds of pairs end the
// latest that is open with their name on their thread, or of their id.
func sumsOf(t *testing.T, file []byte) map[string]int64 {
	t.Helper()
	var list []plainEvent
	var object struct{ TraceEvents []plainEvent }
	if json.Unmarshal(file, &list) != nil {
		must.Do(t, json.Unmarshal(file, &object))
		list = object.TraceEvents
	}
	slices.SortStableFunc(list, func(a, b plainEvent) int { return cmp.Compare(exactly(t, a.Ts), exactly(t, b.Ts)) })
	sums, open := map[string]int64{}, map[[4]any][]int64{}
	for _, e := range list {
		at := exactly(t, e.Ts)
		key := [4]any{e.Pid, e.Tid, "", e.Name}
		if e.Ph == "b" || e.Ph == "e" {
			key = [4]any{e.Pid, e.Cat, e.ID, e.Name}
		}
		switch e.Ph {
		case "X":
			sums[e.Name] += exactly(t, e.Dur)
		case "B", "b":
			open[key] = append(open[key], at)
		case "E", "e":
			if n := len(open[key]) - 1; n >= 0 {
				sums[e.Name] += at - open[key][n]
				open[key] = open[key][:n]
			}
		}
	}
	return sums
}

// produce runs a program that writes a file.
func produce(t *testing.T, file, dir, name string, args ...string) []byte {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: %s: %v\n%.300s", name, err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("SKIPPED: %s writes no such file: %v", name, err)
	}
	return text
}

// mostCut is the greatest part of a slice, in nanoseconds, that is cut off where it overlaps another on its thread.
// Spans of go build may: goroutines that load packages ahead have one thread number.
const mostCut = 1000

// checkSums compares times with the sums that were made in another way.
func checkSums(t *testing.T, file []byte) {
	t.Helper()
	s, trace := seeFile(t, file, importer.KindChrome)
	want, cut := sumsOf(t, file), int64(0)
	for name, ns := range want {
		if cut += ns - s.all[name]; s.all[name] > ns {
			t.Errorf("%s: got %d ns; want %d", name, s.all[name], ns)
		}
	}
	if most := mostCut * int64(trace.Cut); cut > most {
		t.Errorf("got %d ns less than in the file: %v; want at most %d, of %d cut slices", cut, s.all, most, trace.Cut)
	}
	if len(want) < 3 || trace.Unfinished {
		t.Errorf("got %d names, no end: %v", len(want), trace.Unfinished)
	}
}

// Those of go build -debug-trace.
func TestTracesOfGoBuild(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.json")
	checkSums(t, produce(t, file, ".", "go", "build", "-debug-trace="+file, "-o", os.DevNull, "."))
}

// Two such spans, of which one is cut by 800 ns.
func TestSpansThatOverlap(t *testing.T) {
	var events []string
	for _, e := range []string{"B 10 all", "B 11 a", "B 20.2 b", "E 21 a", "E 40 b", "E 50 all"} {
		var kind, name string
		var micros json.Number
		must.Get(fmt.Sscan(e, &kind, &micros, &name))(t)
		const event = `{"ph":%q,"pid":0,"tid":0,"ts":%s,"name":%q}`
		events = append(events, fmt.Sprintf(event, kind, "176440682731"+micros, name))
	}
	checkSums(t, []byte(inList(events)))
}

// Those of clang -ftime-trace.
func TestTracesOfClang(t *testing.T) {
	dir := t.TempDir()
	source := "template <int N> struct F { static const int v = F<N - 1>::v + F<N - 2>::v; };\n" +
		"template <> struct F<0> { static const int v = 0; };\ntemplate <> struct F<1> { static const int v = 1; };\n" +
		"int f(int x) { return x > F<30>::v ? f(x - 1) : x; }\n"
	must.Do(t, os.WriteFile(filepath.Join(dir, "a.cpp"), []byte(source), 0o600))
	checkSums(t, produce(t, filepath.Join(dir, "a.json"), dir, firstOf("clang++", "clang++-14", "clang"),
		"-O2", "-ftime-trace", "-ftime-trace-granularity=0", "-c", "a.cpp", "-o", "a.o"))
}

// firstOf returns the first of the programs that is installed, or else the first.
func firstOf(names ...string) string {
	for _, name := range names {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return names[0]
}

const script = `const fs=require("fs");
function work(){ let s=0; for(let i=0;i<3e6;i++) s+=i%7; return s }
setTimeout(()=>{ work(); fs.readFile("script.js",()=>work()) },2); work();`

// Those of node --trace-event-categories.
func TestTracesOfNode(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "script.js"), []byte(script), 0o600))
	checkSums(t, produce(t, filepath.Join(dir, "node_trace.1.log"), dir, "node", "--trace-event-categories",
		"v8,node,node.async_hooks,node.perf", "script.js"))
}

const started = `{"ph":"I","cat":"disabled-by-default-devtools.timeline","name":"TracingStartedInBrowser","pid":9,` +
	`"tid":1,"ts":73000000,"s":"t","args":{"data":{}}}`

// task is a slice, in microseconds.
func task(name string, ts, dur int) string {
	return fmt.Sprintf(`{"ph":"X","cat":"devtools.timeline","name":%q,"pid":9,"tid":1,"ts":%d,"dur":%d}`, name, ts, dur)
}

// tasks are a hundred, each 16 ms.
func tasks(name string) (all []string) {
	for i := range 100 {
		all = append(all, task(name, 73_000_000+16_000*i, 9000))
	}
	return all
}

func inList(events ...[]string) string {
	var all []string
	for _, list := range events {
		all = append(all, list...)
	}
	return "[" + strings.Join(all, ",") + "]"
}

func leftOut(r importer.Result) (n int) {
	for _, c := range r.Left {
		n += c.Count
	}
	return n
}

// What a trace of a browser has from before it began, or long after all else, makes no frames and is counted. All
// numbers are those of the file without it.
func TestStraysOfARecordingAreLeftOut(t *testing.T) {
	without, _ := seeText(t, inList([]string{started}, tasks("RunTask")))
	for name, test := range map[string]struct {
		file string
		left int
	}{
		"early": {inList([]string{task("Early", 1e6, 50), task("Early", 1_200_000, 50), started},
			tasks("RunTask")), 2},
		"early last": {inList(tasks("RunTask"), []string{started, task("Early", 72_999_000, 1000)}), 1},
		"early mark": {inList([]string{`{"ph":"i","name":"m","pid":9,"tid":1,"ts":72500000,"s":"t"}`, started},
			tasks("RunTask")), 1},
		"late": {inList([]string{started}, tasks("RunTask"), []string{task("Late", 146e6, 50)}), 1},
		"late two": {inList([]string{started}, tasks("RunTask"),
			[]string{task("L", 146e6, 5), task("L", 147e6, 5)}), 2},
		"both": {inList([]string{task("Early", 1e6, 50), started}, tasks("RunTask"),
			[]string{task("Late", 146e6, 50)}), 2},
	} {
		got, result := seeText(t, test.file)
		if !maps.Equal(got.ns, without.ns) || got.frames != without.frames || got.frames != 96 {
			t.Errorf("%s: got %v in %d frames; want %v in %d", name, got.ns, got.frames, without.ns, without.frames)
		}
		if leftOut(result) != test.left {
			t.Errorf("%s: got %v left out; want %d", name, result.Left, test.left)
		}
	}
	// What was open when the recording began is cut. What is not few, or not far, stays.
	got, result := seeText(t, inList([]string{task("Open", 72e6, 1_500_000), started}, tasks("RunTask")))
	if got.all["Open"] != 500e6 || leftOut(result) != 0 {
		t.Errorf("open: got %v, %v left out; want 500 ms", got.all, result.Left)
	}
	many := []string{task("Late", 146e6, 5), task("Late", 147e6, 5), task("Late", 148e6, 5)}
	for _, more := range [][]string{{task("Late", 76e6, 50)}, many} {
		if _, result := seeText(t, inList([]string{started}, tasks("RunTask"), more)); leftOut(result) != 0 {
			t.Errorf("%s: got %v left out; want nothing", more, result.Left)
		}
	}
	if got, result := seeText(t, inList([]string{task("Early", 1e6, 50), started})); got.all["Early"] != 50_000 {
		t.Errorf("only early ones: got %v, %v left out; want all", got.all, result.Left)
	}
}

// The frames of a browser's recording begin with its BeginFrame events, those of other traces with the slices "frame".
// Averages have nothing from before the first or from long after the last.
func TestFramesComeFromWhatMarksThem(t *testing.T) {
	var frames, browser []string
	for i := range 50 {
		frames = append(frames, task("frame", 80_000_000+20_000*i, 12_000))
		for tree := range 2 - i%2 {
			const begin = `{"ph":"I","cat":"disabled-by-default-devtools.timeline.frame","name":"BeginFrame",` +
				`"pid":9,"tid":2,"ts":%d,"s":"t","args":{"layerTreeId":%d}}`
			browser = append(browser, fmt.Sprintf(begin, 80_000_000+20_000*i, 7+tree))
		}
	}
	inner := []string{task("work", 80_001_000, 5000), task("work", 80_981_000, 5000)}
	for name, marks := range map[string][]string{"slices": frames, "browser": append(browser, started)} {
		left := 2
		if name == "browser" {
			left++ // the start of the recording
		}
		want, _ := seeText(t, inList(marks, inner))
		got, result := seeText(t, inList(marks, inner, []string{task("load", 74e6, 2e6), task("end", 99e6, 1000)}))
		if got.frames != 50 || want.frames != 50 || got.all["work"] != 10e6 || got.all["load"]+got.all["end"] != 0 {
			t.Errorf("%s: got %v in %d frames, %d without strays; want 50", name, got.all, got.frames, want.frames)
		}
		if leftOut(result) != left {
			t.Errorf("%s: got %v left out; want %d", name, result.Left, left)
		}
	}
	got, _ := seeText(t, inList(frames, []string{task("shutdown", 81_000_000, 15_000)}))
	if got.all["shutdown"] != 15e6 {
		t.Errorf("near the last frame: got %v; want the shutdown in it", got.all)
	}
}

// Two begins of frames say how long a frame is, so what is long after the second is no part of it; one alone does not.
func TestTwoFramesAreFrames(t *testing.T) {
	for n, left := range map[int]int{1: 0, 2: 1, 3: 1} {
		var frames []string
		for i := range n {
			frames = append(frames, task("frame", 80_000_000+20_000*i, 12_000))
		}
		got, result := seeText(t, inList(frames, []string{task("end", 99e6, 1000)}))
		if leftOut(result) != left || (got.all["end"] == 0) != (left > 0) || got.frames != n {
			t.Errorf("%d begins: got %v in %d frames, left out %v; want %d left out", n, got.all, got.frames,
				result.Left, left)
		}
	}
}

// Where nothing ends, nothing says how long anything took, and that is said.
func TestBeginsAloneAreLeftOut(t *testing.T) {
	const begin = `{"ph":"B","name":"a","ts":1,"pid":1,"tid":1}`
	for _, test := range []struct {
		file string
		want int
	}{
		{"[" + begin + "," + begin + "]", 2}, {"[" + begin, 1},
		{"[" + begin + `,{"ph":"E","ts":2,"pid":1,"tid":1}]`, 0},
		{"[" + begin + `,{"ph":"X","name":"b","ts":1,"dur":5,"pid":1,"tid":1}]`, 0},
	} {
		trace, err := importer.Frames{}.Read(strings.NewReader(test.file), importer.KindChrome, nil)
		if err != nil {
			if test.want == 1 {
				continue // without an end and without a slice it is no trace
			}
			t.Fatal(test.file, err)
		}
		if trace.Skipped != test.want {
			t.Errorf("%s: got %d left out; want %d", test.file, trace.Skipped, test.want)
		}
	}
}

// No type can hold the end of such a slice, and it is counted.
func TestSlicesLongerThanTimesAreLeftOut(t *testing.T) {
	for dur, want := range map[string]int{"5": 0, "3.1e15": 0, "1e16": 1, "1e19": 1, "1e400": 1, "-1e400": 0, "-5": 0} {
		for _, ts := range []string{"5", "-3e15", "3e15"} {
			file := `[{"ph":"X","name":"frame","ts":` + ts + `,"dur":` + dur + `,"pid":1,"tid":1}, ` +
				`{"ph":"X","name":"frame","ts":-3.1e15,"dur":1,"pid":1,"tid":2}]`
			trace, err := importer.Frames{}.Read(strings.NewReader(file), importer.KindChrome, nil)
			if err != nil {
				t.Fatal(file, err)
			}
			if dur == "3.1e15" && ts == "3e15" {
				want = 1 // it ends in the year 2163
			}
			length := platform.Ticks(0)
			_, err = trace.Write(importer.Frames{}, func(*importer.Trace) {}, func(f *gather.Frame) error {
				if f.End < f.Begin || (len(f.Misuse.Notes) > 0) != (want > 0) {
					t.Errorf("%s: got a frame from %d to %d, notes %q", file, f.Begin, f.End, f.Misuse.Notes)
				}
				length += f.End - f.Begin
				return nil
			})
			if err != nil || trace.Long != want || length < 0 {
				t.Errorf("%s: got %d left out, %d ns, %v; want %d", file, trace.Long, length, err, want)
			}
		}
	}
}
