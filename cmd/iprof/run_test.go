package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/pprofread"
)

const recordedProgram = `package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	for i := range 20 {
		step(i)
	}
	if len(os.Args) > 1 {
		os.Exit(3)
	}
}

func step(n int) {
	var b strings.Builder
	for i := range 50 {
		fmt.Fprint(&b, i, n)
	}
	if b.Len() == 0 {
		fmt.Println("nothing")
	}
	b.Reset()
	for i := range n {
		fmt.Fprint(&b, i)
	}
	_ = b.String()
}
`

// TestRunRecords runs a program that knows nothing of the profiler, and opens its recording.
func TestRunRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	root := inModule(t, map[string]string{"main.go": recordedProgram}) // it is built once
	for _, test := range []struct {
		name   string
		args   []string // of the program
		status int
	}{
		{name: "returns"},
		{name: "exits", args: []string{"now"}, status: 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := []string{"-module", root, "-report", "out.json", "-frame", "user.step", "-o", test.name + ".iprof",
				"-cpuprofile", "out.pprof", "."}
			args = append(args, test.args...)
			if status := launch("run", args); status != test.status {
				t.Fatalf("status %d; want %d", status, test.status)
			}
			_, contents := must.Two(capture.Open(test.name + ".iprof"))(t)
			if contents.Frames < 20 {
				t.Errorf("%d frames; step returned 20 times", contents.Frames)
			}
			if text := readFile(t, "out.pprof"); !pprofread.Is(text) {
				t.Errorf("the CPU profile begins with %.4x", text)
			}
			var report struct{ Frames, Calls uint64 }
			text := readFile(t, "out.json")
			if err := json.Unmarshal(text, &report); err != nil || report.Frames < 20 || report.Calls < 20 {
				t.Errorf("got %v, %+v; want a report of 20 frames in %.300s", err, report, text)
			}
		})
	}
}

// freshCache gives this command an empty cache. The go command keeps its own.
func freshCache(t *testing.T) {
	t.Helper()
	own := must.Get(exec.Command("go", "env", "GOCACHE").Output())(t)
	t.Setenv("GOCACHE", strings.TrimSpace(string(own)))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("LocalAppData", t.TempDir()) // Windows
}

func write(t *testing.T, name, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(name, []byte(text), 0o644))
}

const panickingProgram = `package main

import "strings"

func main() {
	go work()
	select {}
}

func work() {
	for n := range 1_000_000 { // about 0.4 s of processor time, however many others want it
		step(n % 50)
	}
	panic("lost")
}

//iprof:zone step
func step(n int) {
	var b strings.Builder
	for range n {
		b.WriteString("more")
	}
}
`

// TestTheFileOfAReportStaysWhatItIs: a report goes through a link, as the shell's > does. So a pipe or a device stays,
// too. This holds for a program that could not write it itself.
func TestTheFileOfAReportStaysWhatItIs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	module := inModule(t, map[string]string{"dies/main.go": panickingProgram, "ends/main.go": recordedProgram})
	for name, want := range map[string]string{
		"dies": "ended from outside, or by an error", "ends": "    self    share ",
	} {
		write(t, name+".txt", "as before")
		if err := os.Symlink(name+".txt", name+".link"); err != nil {
			t.Skip("SKIPPED: no links: ", err)
		}
		launched(t, module, "run", "-report", name+".link", "./"+name)
		if info, err := os.Lstat(name + ".link"); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s: the link is %v, %v; want a link", name, info, err)
		}
		if text := string(readFile(t, name+".txt")); !strings.Contains(text, want) {
			t.Errorf("%s: the file has %.200q; want %q", name, text, want)
		}
	}
}

const shortProgram = `package main

import "os"

func main() {
	n := 0
	for i := range 200_000 {
		n = often(n, i)
	}
	for i := range 50_000_000 { // other work, so that little is gained without the zone
		n ^= i
	}
	if n < 0 {
		os.Exit(1)
	}
}

//go:noinline
func often(n, i int) int {
	a, b := n, i
	a++
	b++
	a ^= b
	b ^= a
	a &= 0xFFFF
	b &= 0xFF
	for range b % 2 {
		a++
	}
	return a + b
}
`

// TestAShortRunTeaches: it ends before any function is muted. The whole run is judged at its end, but not with -all.
func TestAShortRunTeaches(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	module := inModule(t, map[string]string{"main.go": shortProgram})
	for _, run := range []struct {
		arguments []string
		want      string
	}{
		{[]string{"-all", "."}, "2 of 2 functions"},
		{[]string{"."}, "2 of 2 functions"},
		{[]string{"-relearn", "."}, "muted, as calls are too short to measure: 1 (often)"},
		{[]string{"."}, "2 of 2 functions"}, // nothing is built: it is muted from the start
		{[]string{"-min", "3", "."}, "1 of 2 functions"},
	} {
		if _, stderr := launched(t, module, "run", run.arguments...); !strings.Contains(stderr, run.want) {
			t.Errorf("%q: no %q in\n%.600s", run.arguments, run.want, stderr)
		}
	}
}

// TestAReportThatCannotBeWrittenIsMissed: the program says so at its end, which is as it was.
func TestAReportThatCannotBeWrittenIsMissed(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	module := inModule(t, map[string]string{"main.go": recordedProgram})
	files := map[string]string{"none/report": "open none/report: ", ".": "open .: "}
	if runtime.GOOS == "linux" {
		files["/dev/full"] = "write /dev/full: no space left"
	}
	for file, want := range files {
		status, stderr := launched(t, module, "run", "-report", file, ".")
		if status != 0 || !strings.Contains(stderr, "the report is not written: "+want) {
			t.Errorf("%s: got status %d, %q; want 0 and %q", file, status, stderr, want)
		}
	}
}

// TestAPanicElsewhereLeavesTheReport: a program that a panic on another goroutine ends cannot write its report. The
// command has the one of a moment before. What the program writes and its status stay.
func TestAPanicElsewhereLeavesTheReport(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	module := inModule(t, map[string]string{"main.go": panickingProgram})
	status, stderr := launched(t, module, "run", ".")
	for _, want := range []string{
		"panic: lost", "main.work(", "main.go:14", "ended from outside, or by an error", " step ",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %q in\n%s", want, stderr)
		}
	}
	if status != 2 {
		t.Errorf("status %d; want 2", status)
	}
}
