//go:build unix && !iprof_off

package integration_test

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

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
	if out, err := exec.Command(binary, table, "whole").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
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
