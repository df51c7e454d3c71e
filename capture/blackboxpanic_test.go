package capture_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
)

// panics are ways to panic, by name.
var panics = map[string]func(){
	"value": func() { panic("boom") },
	"error": func() { panic(errors.New("boom")) },
	"index": func() { _ = os.Args[len(os.Args)] },
	"nil":   func() { var p *flight; p.session = nil },
	"twice": func() { defer func() { panic("second") }(); panic("first") },
	"again": func() {
		defer func() { panic(recover()) }()
		panic("boom")
	},
}

// TestAPanicsTraceStays: a program that panics prints the same with and without a black box, and ends the same.
func TestAPanicsTraceStays(t *testing.T) {
	if dir := os.Getenv("CAPTURE_PANIC_DIR"); dir != "" {
		go panicWith(t, dir, os.Getenv("CAPTURE_PANIC"))
		select {}
	}
	for name := range panics {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			without, status := panicking(t, name, "none")
			with, statusWith := panicking(t, name, dir)
			if with != without || status != statusWith || status != 2 {
				t.Errorf("got status %d and\n%s\nwithout, %d and\n%s", statusWith, with, status, without)
			}
			files, _ := filepath.Glob(filepath.Join(dir, "*-panic-at-blackboxpanic-test.go-*.iprof"))
			if len(files) != 1 {
				t.Errorf("got files %q; want one", files)
			}
		})
	}
}

// panicking runs a program that panics. It returns what it printed, without addresses and numbers of goroutines.
func panicking(t *testing.T, name, dir string) (printed string, status int) {
	t.Helper()
	program := exec.Command(os.Args[0], "-test.run=^TestAPanicsTraceStays$")
	program.Env = append(os.Environ(), "CAPTURE_PANIC="+name, "CAPTURE_PANIC_DIR="+dir)
	out, err := program.CombinedOutput()
	if exit := new(exec.ExitError); !errors.As(err, &exit) {
		t.Fatalf("got %v\n%s", err, out)
	}
	own, _, _ := strings.Cut(string(out), "\n\ngoroutine 1 ") // GOTRACEBACK may ask for all goroutines
	number := regexp.MustCompile(`0x[0-9a-f]+\??|goroutine \d+|gp=|m=\d+|mp=`)
	return number.ReplaceAllString(own, ""), program.ProcessState.ExitCode()
}

// panicWith panics with a black box, or without one if there is no dir.
func panicWith(t *testing.T, dir, name string) {
	if dir != "none" {
		x := newFlight(t, capture.BlackBoxOptions{Dir: dir})
		x.steps(10, 5*time.Millisecond)
		defer x.box.OnPanic()
	}
	panics[name]()
}

// TestOnlyTheDeferredCallOfAPanicWrites: what merely runs while a panic is on its way writes nothing.
func TestOnlyTheDeferredCallOfAPanicWrites(t *testing.T) {
	x := newFlight(t, capture.BlackBoxOptions{})
	x.steps(10, 5*time.Millisecond)
	func() {
		defer func() { _ = recover() }()
		defer func() {
			func() { defer x.box.OnPanic() }()
		}()
		panic("elsewhere")
	}()
	func() {
		defer x.box.OnPanic()
		defer func() { _ = recover() }()
		panic("recovered")
	}()
	if log := x.log.text(); log != "" {
		t.Errorf("got %s", log)
	}
	func() {
		defer func() { _ = recover() }()
		end := x.box.OnPanic
		defer end()
		panic("by a method value")
	}()
	if names := x.files(); len(names) != 1 {
		t.Errorf("got %q; want a file", names)
	}
}
