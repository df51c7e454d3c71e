package auto_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/iprof/auto"
	"example.com/iprof/internal/must"
)

// A program whose recording is there already runs, keeps the file, and says why it records nothing and what to do.
func TestARecordingThatIsThereStays(t *testing.T) {
	there := filepath.ToSlash(filepath.Join(t.TempDir(), "there.iprof"))
	must.Do(t, os.WriteFile(there, []byte("kept"), 0o600))
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), auto.Variable+`={"Record":"`+there+`"}`)
	var said strings.Builder
	cmd.Stderr = &said
	must.Do(t, cmd.Run())
	if text, err := os.ReadFile(there); err != nil || string(text) != "kept" {
		t.Errorf("got the file %q, %v; want the old one", text, err)
	}
	for _, want := range []string{"iprof: no frame is recorded: ", there, "exists",
		"name another file as Record in IPROF_RUN\n"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("said %q; want %q in it", said.String(), want)
		}
	}
}

var zones = [1]auto.Zone{{Name: "measured"}}

//go:noinline
func plain(n int) int {
	s := 0
	for i := range n {
		s += i ^ n
	}
	return s
}

// measured is plain as the command iprof changes it.
//
//go:noinline
func measured(n int) int {
	if scope := zones[0].Begin(); auto.Opened(scope) {
		defer scope.End()
	}
	s := 0
	for i := range n {
		s += i ^ n
	}
	return s
}

func timed(f func(int) int, n, round int) time.Duration {
	start := time.Now()
	for range round {
		f(n)
	}
	return time.Since(start)
}
