//go:build unix

package api_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/internal/must"
)

// pipedProgram does what its first argument says with a standard error that is in some way broken.
const pipedProgram = `package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"example.com/iprof"
)

var zone = iprof.Zone{Name: "zone"}

// slow is a writer that interrupts the program during its first Write. Left alone, it writes for five seconds.
type slow struct{ interrupt sync.Once }

func (w *slow) Write(p []byte) (int, error) {
	fmt.Println("write")
	w.interrupt.Do(func() { syscall.Kill(os.Getpid(), syscall.SIGINT) })
	time.Sleep(50 * time.Millisecond)
	return len(p), nil
}

func main() {
	if os.Args[1] == "log" {
		iprof.LogScope("logged").End()
		iprof.LogScope("logged").End()
		return
	}
	if os.Args[1] == "every" {
		stop := iprof.LogEvery(os.Stderr, 10*time.Millisecond, &zone)
		for range 10 {
			zone.Begin().End()
			time.Sleep(20 * time.Millisecond)
		}
		stop()
		return
	}
	zone.Begin().End()
	switch os.Args[1] {
	case "signal":
		iprof.WriteOnSignal(os.Stderr)
		fmt.Println("ready")
		time.Sleep(time.Hour)
	case "signals":
		for i := range 20000 {
			name := fmt.Sprint("a zone with a long name, so that the table has many lines that are long ", i)
			iprof.Begin(name).End()
			z := &iprof.Zone{Name: name}
			z.Begin().End()
		}
		iprof.WriteOnSignal(new(slow))
		fmt.Println("ready")
		time.Sleep(time.Hour)
	}
	defer iprof.WriteOnExit(os.Stderr)
	switch os.Args[1] {
	case "exit":
		iprof.Exit(7)
	case "panic":
		panic("on purpose")
	case "goexit":
		runtime.Goexit()
	}
}
`

// pipedProgramFile builds the program.
func pipedProgramFile(t *testing.T) string {
	t.Helper()
	if testing.Short() || !iprof.Enabled {
		t.Skip("builds a program that is measured")
	}
	return built(t, pipedProgram)
}

// brokenPipe is a pipe whose reader is closed.
func brokenPipe(t *testing.T) *os.File {
	t.Helper()
	r, w := must.Two(os.Pipe())(t)
	r.Close()
	t.Cleanup(func() { w.Close() })
	return w
}

// fullPipe is a full pipe whose reader does not read yet.
func fullPipe(t *testing.T) *os.File {
	t.Helper()
	r, w := must.Two(os.Pipe())(t)
	t.Cleanup(func() { r.Close(); w.Close() })
	raw, err := w.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	for size := 4096; size > 0; size /= 8 {
		raw.Write(func(descriptor uintptr) bool {
			for err = nil; err == nil; {
				_, err = syscall.Write(int(descriptor), make([]byte, size))
			}
			return true
		})
		if err != syscall.EAGAIN {
			t.Fatalf("filling a pipe: got %v; want %v", err, syscall.EAGAIN)
		}
	}
	return w
}

// within is a command that is killed when it hangs.
func within(t *testing.T, binary string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	return exec.CommandContext(ctx, binary, args...)
}

// A standard error without a reader changes nothing: only the lines are lost.
func TestEndsAreUnchangedByPipes(t *testing.T) {
	binary := pipedProgramFile(t)
	for _, test := range []struct {
		name string
		pipe func(*testing.T) *os.File
		how  string
		want string
	}{
		{"broken", brokenPipe, "return", "exit status 0"},
		{"broken", brokenPipe, "exit", "exit status 7"},
		{"broken", brokenPipe, "panic", "exit status 2"},
		{"broken", brokenPipe, "goexit", "exit status 2"},
		{"broken", brokenPipe, "log", "exit status 0"},
		{"broken", brokenPipe, "every", "exit status 0"},
		{"full", fullPipe, "return", "exit status 0"}, // after a panic the runtime itself would wait for a reader
		{"full", fullPipe, "exit", "exit status 7"},
		{"full", fullPipe, "every", "exit status 0"},
	} {
		t.Run("pipe="+test.name+"/end="+test.how, func(t *testing.T) {
			cmd := within(t, binary, test.how)
			cmd.Stderr = test.pipe(t)
			cmd.Run()
			if got := cmd.ProcessState.String(); got != test.want {
				t.Errorf("got %q; want %q", got, test.want)
			}
		})
	}
}

// interrupted starts the program, waits until it is ready and interrupts it. It returns the rest of the output.
func interrupted(t *testing.T, cmd *exec.Cmd) (rest string) {
	t.Helper()
	out := must.Get(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	reader := bufio.NewReader(out)
	if got, err := reader.ReadString('\n'); got != "ready\n" {
		t.Fatalf("got %q, %v; want the line %q", got, err, "ready")
	}
	cmd.Process.Signal(os.Interrupt)
	text, _ := io.ReadAll(reader)
	cmd.Wait()
	if got := cmd.ProcessState.Sys().(syscall.WaitStatus); !got.Signaled() || got.Signal() != syscall.SIGINT {
		t.Errorf("got %q; want it interrupted", cmd.ProcessState)
	}
	return string(text)
}

func TestInterruptWithAFullPipe(t *testing.T) {
	cmd := within(t, pipedProgramFile(t), "signal")
	cmd.Stderr = fullPipe(t)
	interrupted(t, cmd)
}

func TestSecondInterruptEndsAtOnce(t *testing.T) {
	cmd := within(t, pipedProgramFile(t), "signals")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	rest := interrupted(t, cmd)
	if got := strings.Count(rest, "write"); got < 1 || got > 60 { // of 100
		t.Errorf("got %d Writes, with the second signal during the first; want it to end the program", got)
	}
}
