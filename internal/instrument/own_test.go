package instrument_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
)

const (
	versionsMod = `module example.org/user

go 1.25

require (
	golang.org/x/sys v0.18.0
	golang.org/x/text v0.14.0
)

replace (
	golang.org/x/sys => ../sys
	golang.org/x/text => ../text
)
`
	versionsMain = `package main

import (
	"fmt"
	"runtime/debug"

	"golang.org/x/sys/cpu"
	"golang.org/x/text/unicode/norm"
)

func main() {
	fmt.Println(cpu.Own, norm.Own, tagged)
	b, _ := debug.ReadBuildInfo()
	for _, d := range b.Deps {
		fmt.Println(d.Path, d.Version, d.Replace)
	}
}
`
)

// The program is built with its own versions of modules that the profiler uses, too, and as GOFLAGS says. -mod=mod
// cannot be used in a workspace.
func TestDependenciesStayAsTheyAre(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	offline(t)
	t.Setenv("GOFLAGS", "-mod=mod -tags=special")
	dir := filepath.Join(files(t, map[string]string{
		"user/go.mod":               versionsMod,
		"user/main.go":              versionsMain,
		"user/special.go":           "//go:build special\n\npackage main\n\nconst tagged = true\n",
		"sys/go.mod":                "module golang.org/x/sys\n\ngo 1.25\n",
		"sys/cpu/cpu.go":            "package cpu\n\nconst Own = 1\n",
		"text/go.mod":               "module golang.org/x/text\n\ngo 1.25\n",
		"text/unicode/norm/norm.go": "package norm\n\nconst Own = 2\n",
	}), "user")
	to := t.TempDir()
	build(t, dir, to, nil, nil)
	want := endOf(exec.Command(filepath.Join(to, "user")))
	if !strings.HasPrefix(want, "1 2 true\n") || !strings.Contains(want, "golang.org/x/text v0.14.0 ") {
		t.Fatalf("without zones it prints %q", want)
	}
	zoned := built(t, dir, planned(t, dir, instrument.Options{}))
	if got := endOf(exec.Command(filepath.Join(zoned, "user"))); got != want {
		t.Errorf("got\n%s\nwithout zones\n%s", got, want)
	}
}

const recursive = `package main

type tree[K int | float64] struct {
	left, right *tree[K]
	key         K
}

func (t *tree[K]) put(k K) *tree[K] {
	if t == nil {
		return &tree[K]{key: k}
	}
	t.left = t.left.put(k)
	return t
}

func depth[K int | float64](t *tree[K]) int {
	if t == nil {
		return 0
	}
	return 1 + max(depth(t.left), depth(t.right))
}

func (t *tree[K]) get() K { return t.key }

func sum(t *tree[int], n int) int {
	if n == 0 {
		return 0
	}
	return product(t, n-1)
}

func product(t *tree[int], n int) int { return third(t, n) }

func third(t *tree[int], n int) int { return sum(t, n) + alone(n) }

func alone(n int) int {
	if n > 0 {
		println(n)
	}
	return n
}

type file struct{}

func (*file) close() {}

type closer interface{ close() }

type wrapper struct{ closer }

func (w wrapper) close() { w.closer.close() }

func main() {
	var ints *tree[int]
	var floats *tree[float64]
	ints, floats = ints.put(1), floats.put(1)
	println(depth(ints), depth(floats), ints.get(), floats.get() > 0)
	wrapper{&file{}}.close()
	var count func(n int) int
	count = func(n int) int {
		if n == 0 {
			return 0
		}
		return 1 + count(n-1)
	}
	once := func() int { return count(1) }
	println(count(3), once(), sum(nil, 3))
}
`

// Functions with type parameters have wrappers that the compiler inlines, but are not inlined themselves.
func TestWhatCallsItselfHasAZone(t *testing.T) {
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": recursive})
	got := reasons(planned(t, dir, instrument.Options{}))
	for name, zone := range map[string]bool{
		"(*tree).put": true, "depth": true, "(*tree).get": false, "wrapper.close": false,
		"main": true, "main func:60": true, "main func:66": false,
		"third": true, "alone": false,
	} {
		if reason, there := got["example.org/user."+name]; !there || (reason == "") != zone {
			t.Errorf("%s: %q (there: %t); want a zone: %t", name, reason, there, zone)
		}
	}
}

// A name as stack traces have it, or any end of one that is of one function alone.
func TestFramesByTheEndOfAName(t *testing.T) {
	offline(t)
	dir := files(t, map[string]string{
		"go.mod": "module example.org/user\n\ngo 1.25\n",
		"main.go": "package main\n\nimport (\n\t\"example.org/user/a/scene\"\n\t\"example.org/user/b/scene2\"\n" +
			")\n\nfunc frame() { scene.Draw(); scene2.Draw() }\n\nfunc main() { frame() }\n",
		"a/scene/s.go":  "package scene\n\n//go:noinline\nfunc Draw() {}\n",
		"b/scene2/s.go": "package scene2\n\n//go:noinline\nfunc Draw() {}\n",
	})
	named := func(name string) (*instrument.Plan, error) {
		return instrument.Options{Dir: dir, Packages: []string{"./..."}, Cache: t.TempDir(),
			Frames: instrument.Frames{Functions: []string{name}}, Selection: instrument.Selection{All: true}}.Plan()
	}
	for name, want := range map[string]string{
		"main.frame": "example.org/user.frame", "frame": "example.org/user.frame",
		"a/scene.Draw": "example.org/user/a/scene.Draw", "scene2.Draw": "example.org/user/b/scene2.Draw",
		"user/b/scene2.Draw": "example.org/user/b/scene2.Draw",
	} {
		plan, err := named(name)
		if err != nil || len(plan.Frames) != 1 || plan.Frames[0] != "when "+want+" returns" {
			t.Errorf("%s: got %+v, %v; want frames that end when %s returns", name, plan, err, want)
		}
	}
	const several = "example.org/user/a/scene.Draw, example.org/user/b/scene2.Draw"
	if _, err := named("Draw"); err == nil || !strings.Contains(err.Error(), several) {
		t.Errorf("Draw: got %v; want an error with %s", err, several)
	}
}

// A function of a dependency, or one that is nearly written so.
func TestFramesOfOtherFunctionsNameTheNextStep(t *testing.T) {
	offline(t)
	dir := filepath.Join(files(t, map[string]string{
		"user/go.mod": "module example.org/user\n\ngo 1.25\n\nrequire example.org/helper v0.0.0\n\n" +
			"replace example.org/helper => ../helper\n",
		"user/main.go": userText, "helper/go.mod": helperMod, "helper/helper.go": helperText,
	}), "user")
	for name, want := range map[string]string{
		"helper.Help": "-deps example.org/helper", "Main": "example.org/user.main", "nobody": "iprof run -n",
	} {
		_, err := instrument.Options{Dir: dir, Packages: []string{"."}, Cache: t.TempDir(),
			Frames: instrument.Frames{Functions: []string{name}}}.Plan()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v; want an error with %s", name, err, want)
		}
	}
}

const ownUser = `package main

import (
	"golang.org/x/sys/cpu"
	own "golang.org/x/sys/OWN"

	"example.com/iprof"
)

func main() {
	iprof.Update()
	println(cpu.IsBigEndian, own.Getpagesize())
}
`

// A package that the profiler calls gets no zones, in a program that imports the profiler, too; others of its module
// get some, in a copy of the module.
func TestWhatTheProfilerCallsHasNoZones(t *testing.T) {
	offline(t)
	own := map[bool]string{true: "windows", false: "unix"}[runtime.GOOS == "windows"]
	root := must.Get(filepath.Abs("../.."))(t)
	mod := string(must.Get(os.ReadFile(filepath.Join(root, "go.mod")))(t))
	dir := files(t, map[string]string{
		"go.mod": strings.Replace(mod, "module example.com/iprof", "module example.org/user", 1) +
			"\nrequire example.com/iprof v0.0.0\n\nreplace example.com/iprof => " + root + "\n",
		"go.sum":  string(must.Get(os.ReadFile(filepath.Join(root, "go.sum")))(t)),
		"main.go": strings.Replace(ownUser, "OWN", own, 1),
	})
	plan := planned(t, dir, instrument.Options{Deps: []string{"golang.org/x/sys"}, Flags: []string{"-mod=mod"},
		Selection: instrument.Selection{All: true}})
	zones := map[bool]int{}
	for name, reason := range reasons(plan) {
		if strings.HasPrefix(name, "golang.org/x/sys/cpu.") && reason == "" {
			zones[false]++
		}
		if strings.HasPrefix(name, "golang.org/x/sys/"+own+".") && reason != "the profiler itself uses its package" {
			zones[true]++
		}
	}
	if zones[false] == 0 || zones[true] > 0 {
		t.Errorf("got %d functions with zones in cpu, %d in %s; want some and none", zones[false], zones[true], own)
	}
	written := must.Get(plan.Write())(t)
	if !strings.Contains(textsOf(t, written), `{Name: "processOptions",`) {
		t.Error("no file has the zone of a function in cpu")
	}
	copies := must.Get(filepath.Glob(filepath.Join(written.Dir, "copies", "sys-*")))(t)
	if len(copies) != 1 {
		t.Fatalf("got copies %q; want one of the module", copies)
	}
	changed := must.Get(filepath.Glob(filepath.Join(written.Dir, "modules", "*", "go.mod")))(t)
	if len(changed) != 1 {
		t.Fatalf("got changed files %q; want go.mod", changed)
	}
	if text := string(must.Get(os.ReadFile(changed[0]))(t)); !strings.Contains(text,
		"golang.org/x/sys => "+strconv.Quote(copies[0])) && !strings.Contains(text, "golang.org/x/sys => "+copies[0]) {
		t.Errorf("got %s; want the copy in place of the module", text)
	}
}
