//go:build linux

package instrument_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
)

// The kinds of programs here need more than one build, so they are no folders of the corpus.

// withZones returns the flags and the environment that build a program with zones.
func withZones(t *testing.T, dir string, o instrument.Options) *instrument.Build {
	t.Helper()
	b := must.Get(planned(t, dir, o).Write())(t)
	return b
}

// recorded returns the settings of a program that records into a file.
func recorded(record string) string {
	return `IPROF_RUN={"Mute":true,"Lines":true,"Record":` + strconv.Quote(record) + `}`
}

// has reports whether the report of a recording has a zone.
func has(t *testing.T, record, zone string) bool {
	t.Helper()
	run := readRun(t, record)
	for _, z := range run.Dump.ZoneTotals() {
		if run.Dump.Zones[z.Zone].Name == zone && z.Count > 0 {
			return true
		}
	}
	return false
}

const mainOfTests = `package sums

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
)

var word = flag.String("word", "none", "")

func TestMain(m *testing.M) {
	flag.Parse()
	fmt.Println("before", *word, len(flag.Args()), runtime.NumGoroutine(), os.Getenv("IPROF_RUN"))
	code := run(m)
	fmt.Println("after", code)
	os.Exit(code + 2)
}

func run(m *testing.M) int {
	defer fmt.Println("deferred")
	return m.Run()
}

func TestGood(t *testing.T) {
	t.Run("later", func(t *testing.T) {
		t.Parallel()
		if Sum(3) != 3 {
			t.Error(Sum(3))
		}
	})
}

func TestBad(t *testing.T) {
	t.Cleanup(func() { t.Log("cleaned") })
	t.Errorf("sum %d", Sum(4))
}

func TestSkipped(t *testing.T) { t.Skip("not now") }

func ExampleSum() {
	fmt.Println(Sum(5))
	// Output: 10
}

func BenchmarkSum(b *testing.B) {
	for b.Loop() {
		Sum(10)
	}
}

func FuzzSum(f *testing.F) {
	f.Add(6)
	f.Fuzz(func(t *testing.T, n int) { Sum(n % 10) })
}
`

// One with a TestMain that parses flags, counts goroutines and has a status of its own, with tests of the package and
// of outside.
func TestAProgramOfTestsStaysItself(t *testing.T) {
	longSkip(t)
	offline(t)
	dir := files(t, map[string]string{
		"go.mod": "module example.org/sums\n\ngo 1.25\n",
		"sums.go": "package sums\n\nfunc Sum(n int) (sum int) {\n\tfor i := range n {\n\t\tsum += i\n\t}\n" +
			"\treturn sum\n}\n",
		"main_test.go": mainOfTests,
		"out_test.go": "package sums_test\n\nimport (\n\t\"testing\"\n\n\t\"example.org/sums\"\n)\n\n" +
			"func TestOutside(t *testing.T) {\n\tt.Log(sums.Sum(7))\n}\n",
	})
	b := withZones(t, dir, instrument.Options{Test: true, Selection: everything})
	record := filepath.Join(t.TempDir(), "out.iprof")
	test := func(flags, environment []string) string {
		args := append([]string{"test", "-v", "-vet=off", "-count=1", "-bench=Sum", "-benchtime=10x"}, flags...)
		args = append(args, ".", "-word=one", "-args", "a", "b")
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), environment...)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		times := regexp.MustCompile(`\d+(\.\d+)?( ns/op|s\b)|[ \t]+`)
		return times.ReplaceAllString(string(out), " ") + cmd.ProcessState.String()
	}
	want := test(nil, nil)
	if !strings.Contains(want, "after 1\n") || !strings.Contains(want, "before one 2 1 \n") {
		t.Fatalf("without zones:\n%s", want)
	}
	if got := test(b.Flags, append(b.Environment, recorded(record))); got != want {
		t.Errorf("got\n%s\nwithout zones\n%s", got, want)
	}
	for _, zone := range []string{"Sum", "run", "TestOutside", "FuzzSum"} {
		if !has(t, record, zone) {
			t.Errorf("the report has no %s", zone)
		}
	}
}

// pluginSources are a program that opens plugins, one of its own module, and one of another.
var pluginSources = map[string]string{
	"go.mod": "module example.org/host\n\ngo 1.25\n",
	"state/state.go": "package state\n\nvar Calls int\n\nfunc Count(n int) {\n\tfor range n {\n\t\tCalls++\n" +
		"\t}\n}\n",
	"host/main.go": `package main

import (
	"fmt"
	"os"
	"plugin"

	"example.org/host/state"
)

func main() {
	state.Count(2)
	for _, name := range os.Args[1:] {
		p, err := plugin.Open(name)
		if err != nil {
			fmt.Println("no plugin")
			os.Exit(3)
		}
		f, err := p.Lookup("Add")
		fmt.Println(f.(func(int) int)(5), err, state.Calls)
	}
}
`,
	"own/main.go": "package main\n\nimport \"example.org/host/state\"\n\n" +
		"func Add(n int) int {\n\tstate.Count(n)\n\treturn state.Calls\n}\n\nfunc main() {}\n",
	"other/go.mod": "module example.org/other\n\ngo 1.25\n",
	"other/main.go": "package main\n\nvar calls int\n\nfunc Add(n int) int {\n\tfor range n {\n\t\tcalls++\n\t}\n" +
		"\treturn calls\n}\n\nfunc main() {}\n",
}

// A program opens a plugin that was built with the same zones, and one that shares no package with it and was built
// without. Both share state as without zones, and the report has the zones of both.
func TestAPluginStaysItself(t *testing.T) {
	longSkip(t)
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("plugins need gcc")
	}
	offline(t)
	dir := files(t, pluginSources)
	other, to := filepath.Join(t.TempDir(), "other.so"), t.TempDir()
	buildAs(t, filepath.Join(dir, "other"), other, ".", "-buildmode=plugin")
	built := func(name string, b *instrument.Build) string {
		host, own := filepath.Join(to, name), filepath.Join(to, name+".so")
		buildAs(t, dir, host, "./host", b.Flags...)
		buildAs(t, dir, own, "./own", append([]string{"-buildmode=plugin"}, b.Flags...)...)
		cmd := exec.Command(host, own, other)
		cmd.Env = append(os.Environ(), recorded(filepath.Join(to, name+".iprof")))
		return endOf(cmd)
	}
	want := built("plain", &instrument.Build{})
	if !strings.HasSuffix(want, "ended well") {
		t.Skipf("there are no plugins: %s", want)
	}
	if got := built("zoned", withZones(t, dir, instrument.Options{Selection: everything})); got != want {
		t.Errorf("got\n%s\nwithout zones\n%s", got, want)
	}
	for _, zone := range []string{"Count", "Add"} {
		if !has(t, filepath.Join(to, "zoned.iprof"), zone) {
			t.Errorf("the report has no %s", zone)
		}
	}
}

// buildAs builds a package as a file.
func buildAs(t *testing.T, dir, to, pkg string, flags ...string) {
	t.Helper()
	cmd := exec.Command("go", append(append([]string{"build", "-o", to}, flags...), pkg)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", pkg, err, out)
	}
}

// Each of two modules has a program that uses the other. Both programs say the same of themselves as without zones, and
// the functions of both modules have zones.
func TestMembersOfAWorkspaceThatUseEachOther(t *testing.T) {
	longSkip(t)
	offline(t)
	texts := map[string]string{"go.work": "go 1.25\n\ngodebug panicnil=1\n\nuse (\n\t./a\n\t./b\n)\n"}
	for own, other := range map[string]string{"a": "b", "b": "a"} {
		texts[own+"/go.mod"] = "module example.org/" + own + "\n\ngo 1.25\n"
		texts[own+"/lib/lib.go"] = "package lib\n\nfunc Of" + own + "(n int) (sum int) {\n\tfor i := range n {\n" +
			"\t\tsum += i\n\t}\n\treturn sum\n}\n"
		texts[own+"/cmd/main.go"] = strings.NewReplacer("OTHER", other, "OWN", own).Replace(`package main

import (
	"fmt"
	"runtime/debug"

	own "example.org/OWN/lib"
	other "example.org/OTHER/lib"
)

func main() {
	defer func() { fmt.Println(recover()) }()
	fmt.Println(own.OfOWN(4), other.OfOTHER(5))
	info, _ := debug.ReadBuildInfo()
	fmt.Println(info.Main.Path, info.Deps[0].Path, info.Deps[0].Version, len(info.Deps))
	for _, s := range info.Settings {
		if s.Key == "DefaultGODEBUG" {
			fmt.Println(s.Value)
		}
	}
	panic(nil)
}
`)
	}
	dir := files(t, texts)
	for _, own := range []string{"a", "b"} {
		o := instrument.Options{Dir: filepath.Join(dir, own), Packages: []string{"./cmd"}, Cache: t.TempDir(),
			Selection: everything}
		plan := must.Get(o.Plan())(t)
		b := must.Get(plan.Write())(t)
		to, record := t.TempDir(), filepath.Join(t.TempDir(), "out.iprof")
		buildAs(t, o.Dir, filepath.Join(to, "plain"), "./cmd")
		buildAs(t, o.Dir, filepath.Join(to, "zoned"), "./cmd", b.Flags...)
		want := endOf(exec.Command(filepath.Join(to, "plain")))
		cmd := exec.Command(filepath.Join(to, "zoned"))
		cmd.Env = append(os.Environ(), recorded(record))
		if got := endOf(cmd); got != want || !strings.Contains(want, "panicnil=1") {
			t.Errorf("%s: got\n%s\nwithout zones\n%s", own, got, want)
		}
		if !has(t, record, "Ofa") || !has(t, record, "Ofb") {
			t.Errorf("%s: the report has not the functions of both modules", own)
		}
	}
}

func longSkip(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
}

// readRun returns the report of a recording.
func readRun(t *testing.T, record string) *runreport.Run {
	t.Helper()
	run := must.Get(runreport.Read(record))(t)
	return run
}
