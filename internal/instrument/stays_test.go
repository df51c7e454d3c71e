//go:build linux

package instrument_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/auto"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
)

// A program's view of itself, its output and its end are as without zones, and there is a report however it ends. Its
// dependency is in the folder vendor alone, and calls os.Exit.
func TestTheProgramStaysItself(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir, to := copied(t, "stays"), t.TempDir()
	plain := filepath.Join(to, "plain")
	build(t, dir, plain, nil, nil)
	zoned := built(t, dir, planned(t, dir, instrument.Options{}))
	for _, mode := range []string{
		"knows", "value", "flags", "fatal", "signal", "panic", "deadlock", "goexit", "killed", "executes", "daemon",
		"closes", "numbers",
	} {
		t.Run(mode, func(t *testing.T) {
			record := filepath.Join(t.TempDir(), "out.iprof")
			want := endOf(exec.Command(filepath.Join(plain, "stays"), mode))
			cmd := exec.Command(filepath.Join(zoned, "stays"), mode)
			if slices.Contains([]string{"panic", "deadlock", "killed", "executes"}, mode) { // these have no time then
				cmd.Args = append(cmd.Args, record)
			}
			cmd.Env = append(os.Environ(), `IPROF_RUN={"Mute":true,"Lines":true,"Record":`+strconv.Quote(record)+`}`)
			if got := endOf(cmd); got != want {
				t.Errorf("got\n%s\nwithout zones\n%s", got, want)
			}
			run := must.Get(runreport.Read(record))(t)
			var b strings.Builder
			_ = run.Write(&b, runreport.Options{})
			if !strings.Contains(b.String(), " of ") || !strings.Contains(b.String(), " work ") {
				t.Errorf("the report has no row of work:\n%s", &b)
			}
		})
	}
}

const panicking = `package main

import "os"

func step(n int) (sum int) {
	for i := range n {
		sum += i
	}
	return sum
}

func work() {
	defer func() {
		if len(os.Args) > 1 {
			_ = recover()
		}
	}()
	sum := 0
	for n := range 1000 {
		sum += step(n)
	}
	panic(sum)
}

func main() { work() }
`

// The report is of all that the main goroutine did, however short it was. Here no frame ends before.
func TestAPanicLeavesAllOfTheRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": panicking})
	program := filepath.Join(built(t, dir, planned(t, dir, instrument.Options{})), "user")
	for _, recovers := range []bool{false, true} {
		record := filepath.Join(t.TempDir(), "out.iprof")
		cmd := exec.Command(program)
		if recovers {
			cmd.Args = append(cmd.Args, "recover")
		}
		cmd.Env = append(os.Environ(), `IPROF_RUN={"Every":3600000000000,"Frames":true,"Record":`+
			strconv.Quote(record)+`}`)
		out, _ := cmd.CombinedOutput()
		if status := cmd.ProcessState.ExitCode(); recovers != (status == 0) || recovers != (len(out) == 0) {
			t.Errorf("recovers: %t: status %d\n%s", recovers, status, out)
		}
		run := must.Get(runreport.Read(record))(t)
		var steps float64
		for _, z := range run.Dump.ZoneTotals() {
			if run.Dump.Zones[z.Zone].Name == "step" {
				steps = z.Count
			}
		}
		if steps != 1000 || run.Notes.Ended != recovers {
			t.Errorf("recovers: %t: %v calls, ended by itself: %t; want 1000", recovers, steps, run.Notes.Ended)
		}
	}
}

// There is a report as soon as main has begun, also where the goroutine that records has not run by then.
func TestAProgramThatIsKilledAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": `package main

import "syscall"

func main() {
	syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
	select {}
}
`})
	all := instrument.Options{Selection: instrument.Selection{All: true}}
	program := filepath.Join(built(t, dir, planned(t, dir, all)), "user")
	for range 10 {
		record := filepath.Join(t.TempDir(), "out.iprof")
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1", `IPROF_RUN={"Record":`+strconv.Quote(record)+`}`)
		_ = cmd.Run()
		run := must.Get(runreport.Read(record))(t)
		found := false
		for _, z := range run.Dump.ZoneTotals() {
			at := run.Dump.Zones[z.Zone]
			found = found || at.Name == "main" && at.Function == "main.main" && z.Count == 1
		}
		if !found {
			t.Fatal("the report has no main")
		}
	}
}

const crowded = `package main

import (
	"runtime"
	"sync"
)

var end = make(chan bool)

func wait(entered *sync.WaitGroup) {
	entered.Done()
	<-end
}

func main() {
	const many = 2000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var entered sync.WaitGroup
	entered.Add(many)
	for range many {
		go wait(&entered)
	}
	entered.Wait()
	runtime.ReadMemStats(&after)
	println((after.TotalAlloc-before.TotalAlloc)/many > 1500)
}
`

// A program that another one has started, as the workers of go test -fuzz are, takes no memory for zones.
func TestWhereNobodyLooksNothingIsMeasured(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": crowded})
	all := instrument.Options{Selection: instrument.Selection{All: true}}
	program := filepath.Join(built(t, dir, planned(t, dir, all)), "user")
	for settings, want := range map[string]string{"": "false\n", auto.Variable + "={}": "true\n"} {
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), settings)
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != want {
			t.Errorf("with %q it takes much memory: %s%v; want %s", settings, out, err, want)
		}
	}
}

// sampled builds a program of one file with zones, runs it with samples of its lines, and returns its report.
func sampled(t *testing.T, source string) *runreport.Run {
	t.Helper()
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": source})
	program := filepath.Join(built(t, dir, planned(t, dir, instrument.Options{})), "user")
	record := filepath.Join(t.TempDir(), "out.iprof")
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), `IPROF_RUN={"Lines":true,"Record":`+strconv.Quote(record)+`}`)
	must.Do(t, cmd.Run())
	run := must.Get(runreport.Read(record))(t)
	return run
}

// Samples of the CPU profiler say which line of a zone takes the time.
func TestTheReportHasTheHottestLines(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	run := sampled(t, hotProgram)
	var b strings.Builder
	_ = run.Write(&b, runreport.Options{})
	for _, want := range []string{
		`^\d+ % of .* was \(\*world\)\.step, called [\d,]+ times by main;\s+main\.go:\d+ alone has \d+ %\n`,
		`\d+ %  main\.go:\d+  x = x\*31 \+ i`, `lines of main\.\(\*world\)\.step, by \d+ samples:`,
	} {
		if !regexp.MustCompile(want).MatchString(b.String()) {
			t.Errorf("the report has no %s:\n%s", want, &b)
		}
	}
}

// Calls of C are in the line that calls, not in the file that cgo has made.
func TestCallsOfCBelongToTheirLine(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil || testing.Short() {
		t.Skip("needs gcc, and builds a program")
	}
	program := strings.Replace(hotProgram, "import \"os\"", "// static int same(int n) { return n; }\nimport \"C\"\n"+
		"import \"os\"", 1)
	program = strings.ReplaceAll(strings.Replace(program, "x*31 + i", "int(C.same(C.int(x + i)))", 1), "5_000", "80")
	run := sampled(t, program)
	for _, s := range run.Notes.Samples {
		if strings.Contains(s.File, "_cgo_") || strings.Contains(s.Function, "_Cfunc_") {
			t.Errorf("got %+v", s)
		}
	}
	if len(run.Notes.Samples) == 0 {
		t.Error("there are no samples")
	}
}

const hotProgram = `package main

import "os"

type world struct{ x int }

func (w *world) step() {
	x := w.x
	for i := range 100_000 {
		x = x*31 + i
	}
	w.x = x
}

func main() {
	var w world
	for range 5_000 { // about 0.4 s of processor time, however many others want it
		w.step()
	}
	if w.x == 1 {
		os.Exit(1)
	}
}
`

// Time outside zones is that of the program's goroutines. The profiler's goroutine is in no lane, zone, sum or verdict
// of the recording, with frames of a length and without frames.
func TestRootIsTheProgramsOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": hotProgram})
	program := filepath.Join(built(t, dir, planned(t, dir, instrument.Options{})), "user")
	for _, settings := range []string{"", `"Every":16000000,"Frames":true,`} {
		record := filepath.Join(t.TempDir(), "out.iprof")
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), `IPROF_RUN={"Lines":true,`+settings+`"Record":`+strconv.Quote(record)+`}`)
		must.Do(t, cmd.Run())
		run := must.Get(runreport.Read(record))(t)
		if self := run.Dump.Merged[0].Self; self > 0.2*run.Dump.Merged[0].Hier {
			t.Errorf("%s: %v of %v ms are outside zones; main has one", settings, self, run.Dump.Merged[0].Hier)
		}
		for i := range run.Dump.Lanes {
			if name := run.Dump.Lanes[i].Name; name != "main goroutine" {
				t.Errorf("%s: a lane is %q", settings, name)
			}
		}
		for i := range run.Dump.Zones {
			if name := run.Dump.Zones[i].Name; strings.HasPrefix(name, "iprof ") {
				t.Errorf("%s: a zone is %q", settings, name)
			}
		}
	}
}

// What the compiler inlines is found without them.
func TestFilesInCAreCompiledOnce(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil || testing.Short() {
		t.Skip("needs gcc, and builds a program")
	}
	offline(t)
	dir, log := files(t, map[string]string{
		"go.mod":  "module example.org/user\n\ngo 1.25\n",
		"twice.c": "/* a marker */\nint twice(int n) { return 2 * n; }\n",
		"main.go": "package main\n\n// int twice(int n);\nimport \"C\"\n\n" +
			"func main() { println(C.twice(2), small(1)) }\n\n" +
			"func small(n int) int {\n\tn++\n\tn++\n\tn++\n\tn++\n\tn++\n\tn++\n\tn++\n\treturn n\n}\n",
	}), filepath.Join(t.TempDir(), "log")
	cc := filepath.Join(t.TempDir(), "cc")
	script := "#!/bin/sh\nfor a in \"$@\"; do case $a in *.c) grep -l 'a marker' \"$a\" >>'" + log +
		"' 2>/dev/null;; esac; done\nexec gcc \"$@\"\n"
	must.Do(t, os.WriteFile(cc, []byte(script), 0o755))
	t.Setenv("CC", cc)
	plan := planned(t, dir, instrument.Options{})
	if got := reasons(plan)["example.org/user.small"]; got != "the compiler inlines it" {
		t.Errorf("small: %q", got)
	}
	built(t, dir, plan)
	text, err := os.ReadFile(log)
	if n := strings.Count(string(text), "\n"); err != nil || n != 1 {
		t.Errorf("compiled %d times, %v", n, err)
	}
}
