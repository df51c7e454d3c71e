//go:build unix && !iprof_off

package integration_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/iprof/capture"
)

// recording is a program that records its frames to a file, until it is killed or ends in another way. It prints the
// number of each frame that it has ended. Before the next one it waits until the recorder has written that one, unless
// it is free.
const recording = `package main

import (
	"fmt"
	"log"
	"os"
	"strconv"
	"syscall"

	"example.com/iprof"
	"example.com/iprof/process"
)

type file struct {
	*os.File
	written chan struct{}
}

func (f file) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	f.written <- struct{}{}
	return n, err
}

var zones [1000]iprof.Zone

func frame(i int) {
	for j := 0; j < len(zones); j += i%7 + 1 {
		zones[j].Begin().End()
	}
	iprof.Update()
	os.Stdout.WriteString(strconv.Itoa(i) + "\n")
}

func main() {
	for i := range zones {
		zones[i].Name = fmt.Sprint("zone ", i)
	}
	if os.Args[2] == "free" {
		if _, err := iprof.Record(os.Args[1]); err != nil {
			panic(err)
		}
		for i := 1; ; i++ {
			frame(i)
		}
	}
	f, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	out := file{f, make(chan struct{})}
	if _, err := capture.Record(process.Default(), capture.RecordOptions{To: out}); err != nil {
		panic(err)
	}
	<-out.written // the head
	for i := 1; ; i++ {
		frame(i)
		<-out.written
		if i == 400 && os.Args[2] != "paced" {
			end(os.Args[2])
		}
	}
}

func end(how string) {
	switch how {
	case "exit":
		os.Exit(7)
	case "fatal":
		log.SetFlags(0)
		log.Fatal("on purpose")
	case "panic":
		go panic("on purpose")
		select {}
	case "limited":
		iprof.SetOverheadLimit(0.02)
		select {}
	case "deadlock":
		select {}
	case "quit":
		syscall.Kill(os.Getpid(), syscall.SIGQUIT)
		for {}
	case "term":
		syscall.Kill(os.Getpid(), syscall.SIGTERM)
		for {}
	}
}
`

// A recording of a program that is killed at any moment opens as it is. It lacks the frame in progress at most, and
// what the disk has not yet taken. A program that is free may be some frames ahead of the disk.
func TestKilledWhileRecording(t *testing.T) {
	long(t)
	binary, dir := builtProgram(t, recording), t.TempDir()
	var workers sync.WaitGroup
	for _, how := range []string{"paced", "free"} {
		workers.Go(func() {
			most, all := 0, 0
			for i := range 50 {
				path := filepath.Join(dir, fmt.Sprint(how, i))
				ended := killRecording(t, binary, path, how)
				frames := readCut(t, path)
				if how == "paced" && frames < ended-1 || frames > ended+1 {
					t.Errorf("%s: got %d frames of %d; want all but the last at least", path, frames, ended)
				}
				most, all = max(most, ended-frames), all+ended
				os.Remove(path)
			}
			t.Logf("%s: of %d frames, a kill took %d at most", how, all, most)
		})
	}
	workers.Wait()
}

// killRecording starts the program, kills it a moment after one of its first 300 frames, and returns how many frames it
// has ended.
func killRecording(t *testing.T, binary, path, how string) (ended int) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, path, how)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Error(err)
		return 0
	}
	last, moment := 1+rand.IntN(300), time.Duration(rand.IntN(500))*time.Microsecond
	for lines := bufio.NewReader(out); ; ended++ {
		if line, err := lines.ReadString('\n'); err != nil || line != fmt.Sprint(ended+1, "\n") {
			break
		}
		if ended+1 == last {
			time.AfterFunc(moment, func() { cmd.Process.Kill() })
		}
	}
	cmd.Wait()
	s := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ended < last || !s.Signaled() || s.Signal() != syscall.SIGKILL {
		t.Errorf("%s: got %v after %d frames; want killed after %d", path, cmd.ProcessState, ended, last)
	}
	return ended
}

// readCut opens a capture without an end and returns how many frames it has. It may end in the midst of one, but has no
// other damage.
func readCut(t *testing.T, path string) (frames int) {
	_, c, err := capture.Open(path)
	if err != nil {
		t.Error(err)
		return 0
	}
	for _, damage := range c.Damages {
		if d := new(capture.DamageError); !errors.As(damage, &d) || !d.Cut {
			t.Errorf("%s: got the damage %v; want at most a cut end", path, damage)
		}
	}
	if c.Complete || len(c.Damages) > 1 {
		t.Errorf("%s: got complete: %t, damages %v; want no end", path, c.Complete, c.Damages)
	}
	return int(c.Frames + c.Lost)
}

// However a program ends that does not close its recording, all frames that were written are in the file. Its end is
// the one that it has without a recording.
func TestEndsOfRecordings(t *testing.T) {
	long(t)
	binary, dir := builtProgram(t, recording), t.TempDir()
	for _, test := range []struct{ how, status, stderr string }{
		{"exit", "exit status 7", ""},
		{"fatal", "exit status 1", "on purpose\n"},
		{"panic", "exit status 2", "panic: on purpose\n"},
		// found when the profiler's own timers rest, a moment after the last frame
		{"limited", "exit status 2", "fatal error: all goroutines are asleep - deadlock!\n"},
		{"deadlock", "exit status 2", "fatal error: all goroutines are asleep - deadlock!\n"},
		{"quit", "exit status 2", "SIGQUIT: quit\n"},
		{"term", "signal: terminated", ""},
	} {
		t.Run(test.how, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(dir, test.how)
			var stderr strings.Builder
			cmd := exec.Command(binary, path, test.how)
			cmd.Stderr = &stderr
			begun := time.Now()
			cmd.Run()
			if took := time.Since(begun); took > time.Minute {
				t.Errorf("it ended after %v; want soon", took)
			}
			status := cmd.ProcessState.String()
			if !strings.HasPrefix(stderr.String(), test.stderr) || test.stderr == "" && stderr.Len() > 0 ||
				status != test.status {
				t.Errorf("got %q and\n%s\nwant %q and %q", status, &stderr, test.status, test.stderr)
			}
			if frames := readCut(t, path); frames != 400 {
				t.Errorf("got %d frames; want 400", frames)
			}
		})
	}
}
