package instrument_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
)

// TestOverheadSpreadOverManyFunctionsIsBounded: the limit holds for the sum over all functions, also if none of them
// has many calls, with both clocks, and where other programs have the processor most of the time.
func TestOverheadSpreadOverManyFunctionsIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	const functions = 400
	var b strings.Builder
	b.WriteString("package main\n\nvar sum int\n\nvar list []func()\n\n")
	for i := range functions {
		fmt.Fprintf(&b, "func f%d() {\n\tfor i := range 150 {\n\t\tsum += i\n\t}\n}\n\n", i)
	}
	b.WriteString("func main() {\n\tlist = []func(){")
	for i := range functions {
		fmt.Fprintf(&b, "f%d, ", i)
	}
	b.WriteString("}\n\tfor range 12_000 { // about a second of processor time\n" +
		"\t\tfor _, f := range list {\n\t\t\tf()\n\t\t}\n\t}\n}\n")
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": b.String()})
	program := filepath.Join(built(t, dir, planned(t, dir, instrument.Options{})), "user")
	for _, clock := range []string{"counter", "go"} {
		t.Run(clock, func(t *testing.T) {
			t.Setenv("IPROF_CLOCK", clock)
			run := firstRun(t, program)
			if n := len(run.Notes.Muted); n < functions/10 {
				t.Errorf("%d of %d functions are muted; measuring all took %v of %v", n, functions, run.Dump.Overhead,
					run.Dump.CPU)
			}
		})
	}
}

// firstRun runs a program as a first run, and returns what is known of that.
func firstRun(t *testing.T, program string) *runreport.Run {
	t.Helper()
	record := filepath.Join(t.TempDir(), "out.iprof")
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), `IPROF_RUN={"Mute":true,"Record":`+strconv.Quote(record)+`}`)
	must.Do(t, cmd.Run())
	run := must.Get(runreport.Read(record))(t)
	return run
}

// TestDeepRecursionIsMuted: entries that are too deep for nodes of their own count for the function that calls itself,
// and not for the row that they are folded into.
func TestDeepRecursionIsMuted(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": `package main

func deep(n int) int {
	if n == 0 {
		return 0
	}
	return deep(n-1) + n
}

func main() {
	sum := 0
	for range 100 {
		sum += deep(100_000)
	}
	println(sum)
}
`})
	var names []string
	program := filepath.Join(built(t, dir, planned(t, dir, instrument.Options{})), "user")
	for _, z := range firstRun(t, program).Notes.Muted {
		names = append(names, z.Name)
	}
	if len(names) != 1 || names[0] != "deep" {
		t.Errorf("muted are %q; want deep alone", names)
	}
}
