package instrument_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/auto"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
)

// TestTheCorpusBehavesAsBefore builds small programs, one trap each, with and without zones, and compares what they
// print and how they end. Their folder has a space in its name.
func TestTheCorpusBehavesAsBefore(t *testing.T) {
	if testing.Short() {
		t.Skip("builds twenty programs")
	}
	dir := copied(t, "corpus")
	writeLast(t, dir)
	before := digest(t, dir)
	plain := t.TempDir()
	build(t, dir, plain, nil, nil)
	zoned := built(t, dir, planned(t, dir, instrument.Options{Selection: instrument.Selection{All: true}}))
	if after := digest(t, dir); after != before {
		t.Error("the sources were changed")
	}
	compare(t, plain, zoned)
	checkReports(t, zoned)
}

// writeLast adds a program that gofmt would not leave as it is: all on one line, and the last line has no end.
func writeLast(t *testing.T, dir string) {
	const text = `package main; import "fmt"

func f(n int) int { if n > 0 { return f(n-1) + 1 }; return 0 }

func main() { fmt.Println(f(5)) }`
	must.Do(t, os.Mkdir(filepath.Join(dir, "last"), 0o755))
	must.Do(t, os.WriteFile(filepath.Join(dir, "last", "main.go"), []byte(text), 0o644))
}

// compare runs each program in both folders.
func compare(t *testing.T, plain, zoned string) {
	programs, err := os.ReadDir(plain)
	if err != nil || len(programs) < 9 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	for _, p := range programs {
		t.Run(p.Name(), func(t *testing.T) {
			want, wantStatus := run(filepath.Join(plain, p.Name()))
			got, gotStatus := run(filepath.Join(zoned, p.Name()))
			if got != want {
				t.Errorf("it prints\n%s\nwithout zones\n%s", got, want)
			}
			if gotStatus != wantStatus {
				t.Errorf("its status is %d; without zones %d", gotStatus, wantStatus)
			}
		})
	}
}

// run returns what a program prints, the source lines in the stack trace it dies with, and its status.
func run(program string) (out string, status int) {
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), auto.Variable+"={}") // else nothing is measured
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		status = exit.ExitCode()
	}
	lines := regexp.MustCompile(`\S+/main\.go:\d+`).FindAllString(stderr.String(), -1)
	return stdout.String() + fmt.Sprint(lines), status
}

// TestWaitsAreIdle: a function that only waits has an idle zone by default, and any other has none.
func TestWaitsAreIdle(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	dir := copied(t, "corpus")
	plan := planned(t, dir, instrument.Options{})
	if plan.Waits != 73 {
		t.Errorf("%d places wait; want 73", plan.Waits)
	}
	programs := built(t, dir, plan)
	if n := notesWritten(t, filepath.Join(programs, "idle")); n > 11 { // of 13 looks, and it has nine go statements
		t.Errorf("the notes of a program that waits were written %d times", n)
	}
	text := reported(t, filepath.Join(programs, "waits"))
	for line := range strings.Lines(text) {
		idle := strings.HasSuffix(line, "  [idle]\n")
		name := regexp.MustCompile(`\d  (clock.next|tick|drain|take|forever|sleep|wait.*?) +main\.`).FindString(line)
		if idle != (name != "") {
			t.Errorf("idle: %t in the row %s", idle, line)
		}
	}
	if rows := strings.Count(text, "  [idle]\n"); rows != 14 {
		t.Errorf("%d rows are idle; want 14:\n%s", rows, text)
	}
}

// notesWritten runs a program and returns how often it was seen to write notes beside its recording.
func notesWritten(t *testing.T, program string) (n int) {
	t.Helper()
	cmd := exec.Command(program)
	record := filepath.Join(t.TempDir(), "out.iprof")
	cmd.Env = append(os.Environ(), auto.Variable+`={"Record":`+strconv.Quote(record)+`}`)
	must.Do(t, cmd.Start())
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	var last [len(auto.NotesEnds)]time.Time
	for {
		for i, end := range auto.NotesEnds {
			if now, err := os.Stat(record + end); err == nil && now.Size() > 0 && !now.ModTime().Equal(last[i]) {
				n, last[i] = n+1, now.ModTime()
			}
		}
		select {
		case <-ended:
			return n
		default:
			time.Sleep(100 * time.Microsecond)
		}
	}
}

// TestATestProgramWaitsForItsTests: m.Run is no work of TestMain, also where a function in between calls it.
func TestATestProgramWaitsForItsTests(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "user.go": "package user\n",
		"user_test.go": `package user

import (
	"os"
	"testing"
	"time"
)

type suite struct{ tests *testing.M }

func (s *suite) all() int { return s.tests.Run() }

func TestMain(m *testing.M) { os.Exit((&suite{m}).all()) }

func TestSlow(*testing.T) { time.Sleep(30 * time.Millisecond) }
`})
	plan := planned(t, dir, instrument.Options{Test: true, Selection: instrument.Selection{All: true}})
	written := must.Get(plan.Write())(t)
	program := filepath.Join(t.TempDir(), "user.test")
	args := append([]string{"test", "-c", "-vet=off", "-o", program}, written.Flags...)
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), written.Environment...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text := reported(t, program)
	if !regexp.MustCompile(`(?m)  wait for s.tests .* \[idle\]$`).MatchString(text) {
		t.Errorf("the wait for the tests is not idle:\n%s", text)
	}
}

// checkReports runs programs with zones and looks for functions in their reports.
func checkReports(t *testing.T, to string) {
	for program, want := range map[string][]string{
		"generics": {"(*list).sum", "find", "(*list).all func:21"},
		"embed":    {"big", "a name of its own"},
		"exit":     {"work", "sleep"},
		"waits": {"clock.next", "tick", "drain", "take", "forever", "wait for c.ticker.C", "wait for done",
			"wait for one of 2 channels", "wait forever"},
		"idle": {"wait for c", "wait for one of 3 channels", "wait for l", "wait for conn", "wait for l.Listener",
			"wait for l.conns[]", "wait for l.byName[]", "wait for l.queue", "wait for l.child",
			"wait for exec.Command()", "wait for to"},
		"heads": {"wait for forIf", "wait for forElse", "wait for forSwitch", "wait for forType", "wait for forVar",
			"wait for forFirst", "wait for forNext", "wait for forSend", "main.go func:81", "wait for forDefer"},
	} {
		t.Run(program+" report", func(t *testing.T) {
			text := reported(t, filepath.Join(to, program))
			for _, name := range want {
				if !strings.Contains(text, " "+name+" ") {
					t.Errorf("the report has no %q:\n%s", name, text)
				}
			}
			for _, name := range []string{"skipped", "small"} {
				if strings.Contains(text, " "+name+" ") {
					t.Errorf("the report has %q, which must not be touched", name)
				}
			}
		})
	}
}

// digest is a hash of all files below dir.
func digest(t *testing.T, dir string) [32]byte {
	t.Helper()
	var all bytes.Buffer
	must.Do(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&all, "%s %x\n", path, sha256.Sum256(text))
		return err
	}))
	return sha256.Sum256(all.Bytes())
}
