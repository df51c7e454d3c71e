//go:build unix && !iprof_off

package integration_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/internal/must"
)

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
