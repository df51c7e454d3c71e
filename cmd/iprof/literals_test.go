package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
)

// literals are functions, as Go 1.26 and 1.27 name them.
var literals = []struct{ before, after string }{
	{"main.(*World).step.func1", "main.(*World).step.func1"},
	{"main.(*World).step.(*World).step.func1.func8", "main.(*World).step.func1.func1"},
	{"main.(*World).step.(*World).step.func3.func9", "main.(*World).step.func3.func1"},
	{"main.(*World).step.func5", "main.(*World).step-range1.1"},
	{"main.main.Twice.func5", "example.com/other.Twice.func1"},
	{"main.main.main.func2.main.main.func2.func8", "main.main.func2-range1-range1"},
	{"main.Sort[...].func1.func2", "main.Sort[...].func1.func1"},
}

// ofLiterals returns a capture of a program with a zone in each of the literals. The zone
// is a private one, or if own is set it has the name of the function.
func ofLiterals(t *testing.T, seed uint32, own bool, of func(i int) string, last float64) string {
	t.Helper()
	times := make([]zoneTime, len(literals))
	for i := range times {
		if times[i] = (zoneTime{"part", 1000 * float64(i+1)}); own {
			times[i].name = of(i)
		}
	}
	times[len(times)-1].ticks += last
	i := 0
	return capturedAs(t, seed, 100, func(z *gather.ZoneInfo) {
		z.Function, z.File, z.Line = of(i), "/home/game/main.go", 10*i+int(seed)
		i++
	}, times...)
}

func TestDiffKnowsLiteralsOfOtherToolchains(t *testing.T) {
	before := func(i int) string { return literals[i].before }
	after := func(i int) string { return literals[i].after }
	for _, own := range []bool{false, true} {
		a, b := ofLiterals(t, 1, own, before, 0), ofLiterals(t, 2, own, after, 5000)
		d := must.Get(compare(a, b, 5))(t)
		if want := len(literals) + 2; len(d.Changes) != want || d.Slower != 2 {
			t.Errorf("own names %v: got %d changes, %d slower; want %d, 2 slower\n%+v", own, len(d.Changes), d.Slower,
				want, d.Changes)
		}
		if c := d.Changes[1]; own && c.Name != literals[len(literals)-1].after || c.Before < 6.5 || c.After < 11 {
			t.Errorf("own names %v: got %+v; want the last literal, under its new name", own, c)
		}
		var dirs [2]string
		for side, of := range []func(int) string{before, after} {
			dirs[side] = t.TempDir()
			for m := range 5 {
				file := ofLiterals(t, uint32(1+side+10*m), own, of, float64(side*5000))
				must.Do(t, os.Rename(file, filepath.Join(dirs[side], fmt.Sprint(m, ".iprof"))))
			}
		}
		fleet := must.Get(compareSets(dirs[0], dirs[1], 5))(t)
		for _, c := range fleet.Changes {
			if c.Verdict == "new" || c.Verdict == "gone" || c.Before == 0 || c.After == 0 {
				t.Errorf("own names %v, sets: got %+v; want no zone new or gone", own, c)
			}
		}
		if fleet.Slower != 2 || fleet.Changes[1].Zone.File == "" {
			t.Errorf("own names %v, sets: got %d slower, %+v; want 2, with lines", own, fleet.Slower, fleet.Changes)
		}
	}
}

// A new literal is new, and its neighbours are the same.
func TestDiffKeepsNewLiterals(t *testing.T) {
	lines := map[string]int{"main.step.step.func1.func7": 12, "main.step.step.func1.func8": 20,
		"main.step.func1.func1": 12, "main.step.func1.func2": 15, "main.step.func1.func3": 20}
	as := func(z *gather.ZoneInfo) { z.Function, z.File, z.Line = z.Name, "/home/game/main.go", lines[z.Name] }
	a := capturedAs(t, 1, 100, as, zoneTime{"main.step.step.func1.func7", 1000},
		zoneTime{"main.step.step.func1.func8", 2000})
	b := capturedAs(t, 2, 100, as, zoneTime{"main.step.func1.func1", 1000}, zoneTime{"main.step.func1.func2", 3000},
		zoneTime{"main.step.func1.func3", 2000})
	got := ""
	for _, c := range must.Get(compare(a, b, 5))(t).Changes[1:] {
		got += c.Name + " " + c.Verdict + ", "
	}
	want := "main.step.func1.func2 new, main.step.func1.func3 same, main.step.func1.func1 same, (root) same, "
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// inLiterals is a program with zones of one name in function literals that Go 1.26 and 1.27 name differently.
const inLiterals = `package main

import (
	"time"

	"example.com/iprof"
)

func part() {
	defer iprof.Begin("part").End()
	for begin := time.Now(); time.Since(begin) < 200*time.Microsecond; {
	}
}

type world struct{}

//go:noinline
func (w *world) step() {
	func() {
		defer iprof.Begin("one").End()
		func() { defer iprof.Begin("one").End(); part() }()
		defer func() { func() { defer iprof.Begin("one").End(); part() }() }()
	}()
	for range func(yield func(int) bool) { yield(1) } {
		func() { defer iprof.Begin("one").End(); part() }()
	}
}

func twice(f func()) {
	func() {
		defer iprof.Begin("one").End()
		func() { defer iprof.Begin("one").End(); f() }()
	}()
}

func main() {
	r, err := iprof.Record("FILE")
	if err != nil {
		panic(err)
	}
	defer r.Close()
	for range 100 {
		(&world{}).step()
		twice(part)
		iprof.Update()
	}
}
`

func TestDiffAcrossToolchains(t *testing.T) {
	longtest.Skip(t)
	root, files := must.Get(filepath.Abs("../.."))(t), [2]string{}
	for i, toolchain := range []string{"go1.26.0", "go1.27.0"} {
		dir := t.TempDir()
		files[i] = filepath.Join(dir, "run.iprof")
		for name, content := range map[string]string{
			"main.go": strings.Replace(inLiterals, "FILE", filepath.ToSlash(files[i]), 1),
			"go.mod": "module example.org/literals\n\ngo 1.25\n\nrequire example.com/iprof v0.0.0\n\n" +
				"replace example.com/iprof => " + root + "\n",
		} {
			must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
		}
		run := func(args ...string) ([]byte, error) {
			cmd := exec.Command("go", args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOTOOLCHAIN="+toolchain, "GOFLAGS=-mod=mod")
			return cmd.CombinedOutput()
		}
		if out, err := run("version"); err != nil {
			t.Skipf("no %s: %v\n%s", toolchain, err, out)
		}
		if out, err := run("run", "."); err != nil {
			t.Fatalf("%s: %v\n%s", toolchain, err, out)
		}
	}
	d := must.Get(compare(files[0], files[1], 5))(t)
	zones := 0
	for _, c := range d.Changes {
		if c.Name == "one" {
			zones++
		}
		if c.Verdict == "new" || c.Verdict == "gone" || c.Name == "one" && (c.Before == 0 || c.After == 0) {
			t.Errorf("got %+v; want no zone new or gone", c)
		}
	}
	if zones != 6 {
		t.Errorf("got %d zones in literals; want 6: %+v", zones, d.Changes)
	}
}
