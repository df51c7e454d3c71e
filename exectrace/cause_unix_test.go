//go:build linux

package exectrace_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
)

// A slow system call: reading from a pipe that a blocking file descriptor stands for.
func TestASlowSystemCall(t *testing.T) {
	g := newGame(t)
	var pipe [2]int
	must.Do(t, syscall.Pipe(pipe[:]))
	defer syscall.Close(pipe[0])
	defer syscall.Close(pipe[1])
	verdict, _ := g.slow(gather.StateSyscall, func() {
		go func() {
			time.Sleep(g.long())
			syscall.Write(pipe[1], []byte{1})
		}()
		syscall.Read(pipe[0], make([]byte, 1))
	})
	g.expect(verdict, "it was in a system call for ", " at cause_unix_test.go:")
}

// A call of C that shows a picture waits for the display, which the program chose.
func TestVerticalSync(t *testing.T) {
	g := newGame(t)
	verdict, _ := g.slow(gather.StateSyscall, func() { SwapBuffers(g.long()) })
	g.expect(verdict, ". The program waited for the display for ", " in work at cause_unix_test.go:")
}

// SwapBuffers has the name of the functions that libraries for windows have.
func SwapBuffers(d time.Duration) {
	wait := syscall.NsecToTimespec(int64(d))
	syscall.Nanosleep(&wait, nil)
}

// A goroutine that may run and has no processor: another one has the only one.
func TestNoProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	g := newGame(t)
	verdict, q := g.slow(gather.StateRunnable, func() {
		for spent := time.Duration(0); spent < g.long(); {
			before := time.Now()
			stop := make(chan bool, 1)
			for range 8 { // each keeps the processor until the runtime interrupts it
				go func() {
					for begin := time.Now(); time.Since(begin) < 10*time.Millisecond; {
					}
				}()
			}
			stop <- true
			runtime.Gosched()
			spent += time.Since(before)
		}
	})
	g.expect(verdict, "it wanted a processor for ")
	if q.End <= q.Begin {
		t.Error("got no state without a processor")
	}
}

// The process is stopped from outside, while its goroutine works.
func TestAStoppedProcess(t *testing.T) {
	g := newGame(t)
	ms := int(g.long().Milliseconds()) + 200
	script := fmt.Sprintf("kill -STOP %d; sleep %d.%03d; kill -CONT %d", os.Getpid(), ms/1000, ms%1000, os.Getpid())
	g.frame(func() {
		done := make(chan error, 1)
		go func() { done <- exec.Command("sh", "-c", script).Run() }()
		for waiting := true; waiting; {
			select {
			case err := <-done:
				if waiting = false; err != nil {
					t.Fatal(err)
				}
			default: // it works
			}
		}
	})
	verdict, q := g.verdict(0, gather.StateGone)
	t.Logf("%s %+v", verdict, q)
	g.expect(verdict, "the process was stopped for ")
}
