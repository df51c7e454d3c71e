//go:build linux

package instrument_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/runreport"
)

// TestTheProgramStaysItself: what a program knows of itself, what it writes and how it ends is as without zones, and
// there is a report however it ends. Its dependency is in the folder vendor alone, and calls os.Exit.
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
		"knows", "value", "flags", "fatal", "signal", "panic", "deadlock", "goexit", "killed",
	} {
		t.Run(mode, func(t *testing.T) {
			record := filepath.Join(t.TempDir(), "out.iprof")
			want := endOf(exec.Command(filepath.Join(plain, "stays"), mode))
			cmd := exec.Command(filepath.Join(zoned, "stays"), mode)
			cmd.Env = append(os.Environ(), `IPROF_RUN={"Mute":true,"Lines":true,"Record":`+strconv.Quote(record)+`}`)
			if got := endOf(cmd); got != want {
				t.Errorf("got\n%s\nwithout zones\n%s", got, want)
			}
			run, err := runreport.Read(record)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			_ = run.Write(&b, runreport.Options{})
			if !strings.Contains(b.String(), " of ") || !strings.Contains(b.String(), " work ") {
				t.Errorf("the report has no row of work:\n%s", &b)
			}
		})
	}
}

// endOf runs a program and returns all that it writes and its end. Addresses and offsets in stack traces may differ.
func endOf(cmd *exec.Cmd) string {
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	err := cmd.Run()
	end := "ended well"
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		end = exit.String()
		if s := exit.Sys().(syscall.WaitStatus); s.Signaled() {
			end = s.Signal().String()
		}
	}
	return out.String() + regexp.MustCompile(` ?\+?0x[0-9a-f]+|goroutine \d+`).ReplaceAllString(log.String(), "") + end
}

// TestTheReportHasTheHottestLines: samples of the CPU profiler say which line of a zone takes the time.
func TestTheReportHasTheHottestLines(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": hotProgram})
	program := filepath.Join(built(t, dir, planned(t, dir, instrument.Options{})), "user")
	record := filepath.Join(t.TempDir(), "out.iprof")
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), `IPROF_RUN={"Lines":true,"Record":`+strconv.Quote(record)+`}`)
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	run, err := runreport.Read(record)
	if err != nil {
		t.Fatal(err)
	}
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

// TestRootIsTheProgramsOwn: time outside zones is that of the program's goroutines. The profiler's goroutine is in no
// lane, zone, sum or verdict of the recording, with frames of a length and without frames.
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
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		run, err := runreport.Read(record)
		if err != nil {
			t.Fatal(err)
		}
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

// TestFilesInCAreCompiledOnce: they may take minutes. What the compiler inlines is found without them.
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
	if err := os.WriteFile(cc, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
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
