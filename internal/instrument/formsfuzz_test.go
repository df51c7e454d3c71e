package instrument_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/auto"
	"example.com/iprof/internal/instrument"
)

// TestEveryFormOfAStatementStaysItself: a program of all forms of statements that can hold a wait builds with zones,
// and does what it does without. IPROF_FORMS=N tries N programs.
func TestEveryFormOfAStatementStaysItself(t *testing.T) {
	offline(t)
	programs, size := 1, 60
	if n, err := strconv.Atoi(os.Getenv("IPROF_FORMS")); err == nil {
		programs = n
	} else if testing.Short() {
		size = 30
	}
	for seed := range uint64(programs) {
		g := forms{r: rand.New(rand.NewPCG(seed, 1))}
		dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n",
			"main.go": g.program(size)})
		to, zoned := t.TempDir(), t.TempDir()
		const quick = "-gcflags=-N -l"
		build(t, dir, to, []string{quick}, nil)
		with := withZones(t, dir, instrument.Options{Selection: everything})
		build(t, dir, zoned, append(with.Flags, quick), with.Environment)
		want := endOf(exec.Command(filepath.Join(to, "user")))
		cmd := exec.Command(filepath.Join(zoned, "user"))
		cmd.Env = append(os.Environ(), auto.Variable+"={}")
		if got := endOf(cmd); got != want {
			t.Fatalf("seed %d: %s", seed, firstDifference(got, want))
		}
	}
}

// firstDifference returns the first line that differs, with the lines before it.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "got " + a[i] + ", without zones " + b[i] + ", after\n" + strings.Join(a[max(0, i-20):i], "\n")
		}
	}
	return "one output is shorter"
}
