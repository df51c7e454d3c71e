//go:build unix && !iprof_off

package integration_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/internal/must"
)

// killed is a program that stops in the midst of WriteOnExit, when its file has half of the table.
const killed = `package main

import (
	"fmt"
	"os"
	"syscall"

	"example.com/iprof"
)

type half struct{ f *os.File }

func (w half) Write(p []byte) (int, error) {
	n, err := w.f.Write(p[:len(p)/2])
	fmt.Println("half", n, err)
	return n, syscall.Kill(syscall.Getpid(), syscall.SIGSTOP) // its time does not run out
}

func main() {
	f, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if len(os.Args) > 2 {
		defer iprof.WriteOnExit(f)
	} else {
		defer iprof.WriteOnExit(half{f})
	}
	for i := range 200 {
		z := &iprof.Zone{Name: fmt.Sprint("zone ", i)}
		z.Begin().End()
	}
}
`

// A program that is killed while it writes leaves whole lines behind, at most one of them cut, and nothing else.
func TestKilledInWriteOnExit(t *testing.T) {
	long(t)
	binary, table := builtProgram(t, killed), filepath.Join(t.TempDir(), "table")
	must.Run(t, exec.Command(binary, table, "whole"))
	whole := tableLines(t, table)
	for tries := 0; !killInTheMidst(t, binary, table); tries++ {
		if tries == 5 {
			t.Fatal("the program ended before it was killed, six times")
		}
	}
	lines := tableLines(t, table)
	if len(lines) < 50 || len(lines) >= len(whole) {
		t.Fatalf("got %d lines; want about half of %d", len(lines), len(whole))
	}
	if lines[1] != whole[1] { // the headings; before them is the length of the run
		t.Errorf("headings: got %q; want %q", lines[1], whole[1])
	}
	for _, line := range lines[2 : len(lines)-1] {
		if len(strings.Fields(line)) < 7 {
			t.Errorf("got line %q; want a whole one", line)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(table)); err != nil || len(left) != 1 {
		t.Errorf("files: got %v, %v; want the table only", left, err)
	}
}

// builtProgram builds a program of one file and returns where it is.
func builtProgram(t *testing.T, text string) string {
	t.Helper()
	source := filepath.Join(programs.dir, fmt.Sprintf("%x.go", sha256.Sum256([]byte(text))))
	must.Do(t, os.WriteFile(source, []byte(text), 0o600))
	binary, _ := built(t, source)
	return binary
}

// killInTheMidst starts the program and kills it when half of its table is written. It returns false if the program
// ended before: a write has 250 ms, and on a busy machine the program may not have stopped itself by then.
func killInTheMidst(t *testing.T, binary, table string) bool {
	t.Helper()
	cmd := exec.Command(binary, table)
	cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Dir(table))
	out := must.Get(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); !strings.HasPrefix(line, "half ") {
		t.Fatalf("got %q, %v; want the program in the midst of its table", line, err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	got := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return got.Signaled() && got.Signal() == syscall.SIGKILL
}

func tableLines(t *testing.T, name string) []string {
	t.Helper()
	text := must.Get(os.ReadFile(name))(t)
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
		return strings.HasPrefix(line, "warning: clock: ") // each run measures a slow clock itself
	})
}

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

// ending is a program that works in a random way and ends in the way that its argument names. With a folder, it has a
// table at its end, a recording and a black box there. It says how many frames it has ended.
const ending = `package main

import (
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"

	"example.com/iprof"
)

var zones = [...]iprof.Zone{{Name: "p"}, {Name: "q"}, {Name: "r"}}

func work(r *rand.Rand, depth int) {
	for range r.IntN(4) {
		defer zones[r.IntN(len(zones))].Begin().End()
		if depth > 0 {
			work(r, depth-1)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func main() {
	how, dir, done := os.Args[1], os.Args[3], make(chan bool)
	defer close(done)
	if how == "goexit" { // the program ends when main's deferred calls have run
		go func() { <-done; os.Exit(3) }()
	}
	seed := must(strconv.ParseUint(os.Args[2], 10, 64))
	if dir != "" {
		table := must(os.Create(filepath.Join(dir, "table")))
		logged := must(os.Create(filepath.Join(dir, "log")))
		defer iprof.WriteOnExit(table)
		recording := must(iprof.Record(filepath.Join(dir, "capture")))
		defer recording.Close()
		options := capture.BlackBoxOptions{Dir: filepath.Join(dir, "box"), Log: logged}
		box := must(capture.NewBlackBox(iprof.Default(), options))
		defer box.Close()
		defer box.OnPanic()
	}
	r := rand.New(rand.NewPCG(seed, 3))
	frames := 1 + r.IntN(40)
	for range frames {
		work(r, 3)
		iprof.Update()
	}
	fmt.Println("frames", frames)
	defer zones[0].Begin().End()
	if r.IntN(2) == 0 {
		work(r, 2)
	}
	end(how)
}

func end(how string) {
	switch how {
	case "panic":
		panic("on purpose")
	case "nil":
		var z *sync.WaitGroup
		z.Wait()
	case "elsewhere":
		go panic("on purpose")
		select {}
	case "goexit":
		runtime.Goexit()
	case "exit":
		os.Exit(7)
	case "log":
		log.SetFlags(0)
		log.Fatal("on purpose")
	case "throw":
		new(sync.Mutex).Unlock()
	case "deadlock":
		select {}
	case "term", "kill", "quit":
		n := map[string]syscall.Signal{"term": syscall.SIGTERM, "kill": syscall.SIGKILL, "quit": syscall.SIGQUIT}[how]
		syscall.Kill(os.Getpid(), n)
		for {
		}
	}
}
`

// endings are the ways to end, and whether deferred calls run.
var endings = []struct {
	how      string
	deferred bool
}{{"return", true}, {"panic", true}, {"nil", true}, {"goexit", true}, {"elsewhere", false}, {"exit", false},
	{"log", false}, {"throw", false}, {"term", false}, {"kill", false}, {"quit", false}, {"deadlock", false}}

// TestAttackWithEndings ends programs in all ways, with and without what writes at the end. Both end with the same
// status and print the same, and the files open.
func TestAttackWithEndings(t *testing.T) {
	long(t)
	binary, random, each := builtProgram(t, ending), rand.New(rand.NewPCG(41, 4)), 1
	if os.Getenv("IPROF_SOAK") != "" {
		each = 20
	}
	ends := 0
	for range each {
		for _, e := range endings {
			ends++
			seed, dir := fmt.Sprint(random.Uint64()), t.TempDir()
			without, with := ended(t, binary, e.how, seed, ""), ended(t, binary, e.how, seed, dir)
			if with != without {
				t.Errorf("%s, seed %s: got\n%s\nwithout a profiler,\n%s", e.how, seed, with, without)
			}
			var frames uint64
			if _, err := fmt.Sscanf(with, "frames %d", &frames); err != nil {
				t.Fatalf("%s, seed %s: %v in %q", e.how, seed, err, with)
			}
			checkEnding(t, dir, e.deferred, e.how == "panic" || e.how == "nil", frames)
			if t.Failed() {
				t.Fatalf("%s, seed %s", e.how, seed)
			}
		}
	}
	t.Logf("%d endings, each with and without", ends)
}

// ended runs a program to its end. It returns its output and its status, without the parts that differ from run to run:
// addresses, numbers of goroutines, and goroutines beside the first that is printed.
func ended(t *testing.T, binary, how, seed, dir string) string {
	t.Helper()
	soon, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	program := exec.CommandContext(soon, binary, how, seed, dir)
	var out, trace bytes.Buffer
	program.Stdout, program.Stderr = &out, &trace
	err := program.Run()
	if soon.Err() != nil {
		t.Fatalf("%s, seed %s: it does not end", how, seed)
	}
	parts := strings.SplitN(trace.String(), "\n\ngoroutine ", 3)
	own := strings.Join(parts[:min(len(parts), 2)], "\n\ngoroutine ")
	if how == "quit" { // where the signal met the program differs
		own, _, _ = strings.Cut(own, "\n")
	}
	varying := regexp.MustCompile(`0x[0-9a-f]+\??|goroutine \d+|gp=\S+|m=\d+|mp=\S+|, \d+ minutes`)
	return fmt.Sprintf("%s%s\n%v", out.String(), strings.TrimSpace(varying.ReplaceAllString(own, "")), err)
}

// checkEnding checks the files of a program that has ended so many frames.
func checkEnding(t *testing.T, dir string, deferred, panicked bool, frames uint64) {
	t.Helper()
	path := filepath.Join(dir, "capture")
	info := must.Get(os.Stat(path))(t)
	if info.Size() > 0 || deferred { // a program may end before the first write
		_, c, err := capture.Open(path)
		if err != nil || len(c.Damages) > 1 || c.Frames > frames+1 {
			t.Fatalf("the capture: got %+v, %v; want at most %d frames", c, err, frames)
		}
		if deferred && (c.Frames < frames || !c.Complete) {
			t.Errorf("the capture: got %+v; want %d frames", c, frames)
		}
	}
	table, err := os.ReadFile(filepath.Join(dir, "table"))
	if has := strings.Count(string(table), "\n") > 2; err != nil || has != deferred {
		t.Errorf("the table: got %q, %v", table, err)
	}
	boxes, _ := filepath.Glob(filepath.Join(dir, "box", "blackbox-*.iprof"))
	panics := 0
	for _, box := range boxes {
		if _, c, err := capture.Open(box); err != nil || len(c.Damages) > 0 || c.Frames == 0 {
			t.Errorf("%s: got %+v, %v", box, c, err)
		}
		if strings.Contains(box, "-panic-at-") {
			panics++
		}
	}
	if want := map[bool]int{true: 1}[panicked]; panics != want {
		t.Errorf("black boxes: got %q; want %d of a panic", boxes, want)
	}
}
