package importer_test

import (
	"cmp"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/must"
)

// plainEvent is an event as encoding/json reads it.
type plainEvent struct {
	Ph, Name, Cat string
	Ts, Dur       float64
	Pid, Tid, ID  any
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
	slices.SortStableFunc(list, func(a, b plainEvent) int { return cmp.Compare(a.Ts, b.Ts) })
	sums, open := map[string]int64{}, map[[4]any][]float64{}
	for _, e := range list {
		key := [4]any{e.Pid, e.Tid, "", e.Name}
		if e.Ph == "b" || e.Ph == "e" {
			key = [4]any{e.Pid, e.Cat, e.ID, e.Name}
		}
		switch e.Ph {
		case "X":
			sums[e.Name] += int64(math.Round(e.Dur * 1000))
		case "B", "b":
			open[key] = append(open[key], e.Ts)
		case "E", "e":
			if n := len(open[key]) - 1; n >= 0 {
				sums[e.Name] += int64(math.Round((e.Ts - open[key][n]) * 1000))
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

// checkSums compares times with the sums that were made in another way.
func checkSums(t *testing.T, file []byte) {
	t.Helper()
	s, trace := seeFile(t, file, importer.KindChrome)
	want := sumsOf(t, file)
	for name, ns := range want {
		if diff := s.all[name] - ns; diff > 1000 || diff < -1000 { // the other way is rounded
			t.Errorf("%s: got %d ns; want %d", name, s.all[name], ns)
		}
	}
	if len(want) < 3 || trace.Unfinished {
		t.Errorf("got %d names, no end: %v", len(want), trace.Unfinished)
	}
}

// TestTracesOfGoBuild: those of go build -debug-trace.
func TestTracesOfGoBuild(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.json")
	checkSums(t, produce(t, file, ".", "go", "build", "-debug-trace="+file, "-o", os.DevNull, "."))
}

// TestTracesOfClang: those of clang -ftime-trace.
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

// TestTracesOfNode: those of node --trace-event-categories.
func TestTracesOfNode(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "script.js"), []byte(script), 0o600))
	checkSums(t, produce(t, filepath.Join(dir, "node_trace.1.log"), dir, "node", "--trace-event-categories",
		"v8,node,node.async_hooks,node.perf", "script.js"))
}
