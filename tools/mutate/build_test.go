package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// printing calls count of the sample with values whose result each fault in a function changes.
const printing = `package main

const limit = 4

func count(values []int) (n int) {
	for _, v := range values {
		if v > limit && v != 7 {
			n++
		}
	}
	return min(n, 5)
}

func show(n int) {
	n *= 10
	println(n)
}

func main() {
	show(count([]int{1, 4, 5, 6, 7, 8, 9}))
}
`

// A program with all faults behind switches does the same as one with each fault written into its text. In short mode
// some are compared.
func TestSwitchedFaultsAreTheFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"go.mod": "module example.com/sample\n\ngo 1.25\n", "main.go": printing} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
	possible := must.Get(faultsOf(&areas[0], "main.go"))(t)
	run := func(b *build, number int) string {
		t.Helper()
		must.Do(t, b.write())
		program := filepath.Join(b.scratch, "program")
		args := []string{"build", "-overlay", b.overlay(), "-o", program, "."}
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		c := exec.Command(program)
		c.Env = append(os.Environ(), fmt.Sprint(variable, "=", number))
		out, _ := c.CombinedOutput()
		first, _, _ := strings.Cut(string(out), "\n")
		return first
	}
	switched := &build{scratch: t.TempDir()}
	for _, f := range possible {
		if f.body != nil {
			switched.faults = append(switched.faults, f)
		}
	}
	for must.Get(switched.compile(t.Context()))(t) {
	}
	if got := run(switched, 0); got != "40" {
		t.Errorf("without a fault: got %q; want 40", got)
	}
	different := 0
	for i, f := range switched.faults {
		if testing.Short() && i%8 > 0 { // each needs a build
			continue
		}
		f.body = nil
		want := run(&build{faults: []fault{f}, scratch: t.TempDir()}, 0)
		got := run(switched, i+1)
		if got != want {
			t.Errorf("%s: got %q; want %q", f.change, got, want)
		}
		if got != "40" {
			different++
		}
	}
	if different*2 < len(switched.faults)/8 {
		t.Errorf("got %d faults with another result of %d; want more", different, len(switched.faults))
	}
}
