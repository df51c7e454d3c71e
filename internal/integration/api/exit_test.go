package api_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/internal/must"
)

// ending is a program that ends in the way its first argument says; its second says whether it writes the table.
const ending = `package main

import (
	"io"
	"os"
	"runtime"
	"syscall"
	"time"

	"example.com/iprof"
)

var public = iprof.Zone{Name: "public"}

func work() {
	defer iprof.Begin("work").End()
	for range 3 {
		public.Begin().End()
	}
}

type bad struct{}

func (bad) Write([]byte) (int, error) { panic("the writer's own") }

func tableTo() io.Writer {
	if os.Args[2] == "bad" {
		return bad{}
	}
	return os.Stderr
}

func main() {
	if os.Args[2] != "plain" {
		defer iprof.WriteOnExit(tableTo())
	}
	if os.Args[2] != "plain" && os.Args[1] != "goexit" {
		defer iprof.WriteOnSignal(tableTo(), signals()...)()
	}
	defer iprof.Begin("still open").End()
	work()
	end(os.Args[1])
}

func signals() []os.Signal {
	if os.Args[1] == "TERM" {
		return nil // it is one of the usual signals
	}
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
}

func end(how string) {
	switch how {
	case "panic":
		panic("on purpose")
	case "nil":
		var p *int
		*p = 1
	case "goexit":
		runtime.Goexit()
	case "exit":
		if os.Args[2] == "plain" {
			os.Exit(7)
		}
		if os.Args[2] == "bad" {
			os.Stderr.Close()
		}
		iprof.Exit(7)
	case "interrupt", "ignored", "TERM":
		signals := map[string]syscall.Signal{
			"interrupt": syscall.SIGINT, "ignored": syscall.SIGHUP, "TERM": syscall.SIGTERM,
		}
		syscall.Kill(os.Getpid(), signals[how])
		if how == "ignored" {
			time.Sleep(100 * time.Millisecond) // for a signal that is not ignored after all
		} else {
			time.Sleep(time.Hour) // until the signal ends the program
		}
	case "elsewhere":
		go panic("on another goroutine")
		time.Sleep(time.Hour)
	}
}
`

// programs are the folders of the programs that tests have built, by their text, until all tests have ended.
var programs = map[string]string{}

func TestMain(m *testing.M) {
	status := m.Run()
	for _, dir := range programs {
		os.RemoveAll(dir)
	}
	os.Exit(status)
}

// built returns the file of a program, which is built for the first test that needs it.
func built(t *testing.T, text string) string {
	t.Helper()
	if dir, is := programs[text]; is {
		return filepath.Join(dir, "program")
	}
	dir := must.Get(os.MkdirTemp("", "iprof-api"))(t)
	source, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	must.Do(t, os.WriteFile(source, []byte(text), 0o600))
	if out, err := exec.Command("go", "build", "-o", binary, source).CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		t.Fatalf("%v\n%s", err, out)
	}
	programs[text] = dir
	return binary
}

// endings builds the program and returns a function that runs it.
func endings(t *testing.T) func(how, table string) (status, stderr string) {
	t.Helper()
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" || testing.Short() {
		t.Skip("builds a program that sends itself signals")
	}
	binary := built(t, ending)
	return func(how, table string) (status, stderr string) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, binary, how, table)
		if how == "ignored" {
			cmd = exec.CommandContext(ctx, "sh", "-c", `trap "" HUP; exec "$0" "$@"`, binary, how, table)
		}
		var b bytes.Buffer
		cmd.Stderr = &b
		cmd.Run()
		return cmd.ProcessState.String(), b.String()
	}
}

// trace takes out of a panic's message what differs from run to run.
func trace(s string) string {
	s = s[max(0, strings.Index(s, "panic: ")):]
	s = regexp.MustCompile(`0x[0-9a-f]+`).ReplaceAllString(s, "0x")
	return regexp.MustCompile(`goroutine [0-9]+|main\.go:[0-9]+`).ReplaceAllString(s, "")
}

// However the program ends, there is the table, and the end is the one it has without the table.
func TestEndsAreUnchanged(t *testing.T) {
	if !iprof.Enabled {
		t.Skip("nothing is measured")
	}
	run := endings(t)
	for _, how := range []string{"return", "panic", "nil", "goexit", "exit", "interrupt", "TERM", "ignored"} {
		t.Run(how, func(t *testing.T) {
			plainStatus, plain := run(how, "plain")
			status, stderr := run(how, "table")
			if status != plainStatus {
				t.Errorf("%s: got %q; want %q as without the table", how, status, plainStatus)
			}
			for _, want := range []string{
				`(?m)^ +[0-9.]+ +[0-9.]+ +[0-9.]+[kMG]? +3 +0  public +main\.work +main\.go:18$`,
				`(?m) 1 +0  work +main\.work +main\.go:16$`, `(?m) 1 +0  still open +main\.main +main\.go:40$`} {
				if n := len(regexp.MustCompile(want).FindAllString(stderr, -1)); n != 1 {
					t.Errorf("%s: got %d lines like %s; want 1:\n%s", how, n, want, stderr)
				}
			}
			if how == "panic" || how == "nil" {
				if got, want := trace(stderr), trace(plain); got != want {
					t.Errorf("%s: got the trace\n%s\nwant\n%s", how, got, want)
				}
			}
			if badStatus, badly := run(how, "bad"); badStatus != plainStatus ||
				strings.Contains(badly, "the writer's own") {
				t.Errorf("%s, with a writer that panics: got %q and\n%s\nwant %q", how, badStatus, badly, plainStatus)
			}
		})
	}
}

// What the documentation says cannot be caught is not caught.
func TestPanicElsewhereIsNotCaught(t *testing.T) {
	run := endings(t)
	status, stderr := run("elsewhere", "table")
	if status != "exit status 2" || !strings.Contains(stderr, "on another goroutine") ||
		strings.Contains(stderr, "still open") {
		t.Errorf("got %q and\n%s\nwant the panic only: has it become possible to catch it? Then say so in WriteOnExit",
			status, stderr)
	}
}

func TestStoppingWriteOnSignalTwiceDoesNotPanic(t *testing.T) {
	stop := iprof.WriteOnSignal(os.Stderr)
	stop()
	stop()
}
