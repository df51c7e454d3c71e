package instrument_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
)

const besideProgram = `package main

func main() {
	first(1)
	second(2)
}

//go:noinline
func first(n int) {
	for range n {
		second(n)
	}
}

//go:noinline
func second(n int) {
	for range n {
		n++
	}
}
`

// Several starts write for one program before the first of them is built. Each program has the zones that its start
// chose.
func TestStartsBesideEachOther(t *testing.T) {
	longtest.Skip(t)
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": besideProgram})
	without := []string{"first", "second", "none"}
	builds, failures, cache := make([]*instrument.Build, 3*len(without)), make([]error, 3*len(without)), t.TempDir()
	var all sync.WaitGroup
	for i := range builds {
		all.Go(func() {
			exclude := regexp.MustCompile(without[i%len(without)])
			o := instrument.Options{Dir: dir, Packages: []string{"."}, Cache: cache,
				Selection: instrument.Selection{Exclude: exclude}}
			_, builds[i], failures[i] = o.Start()
		})
	}
	all.Wait()
	for i, b := range builds {
		if failures[i] != nil {
			t.Fatal(failures[i])
		}
		if i >= len(without) {
			continue // as an earlier one
		}
		to := t.TempDir()
		build(t, dir, to, b.Flags, b.Environment)
		text := reported(t, filepath.Join(to, "user"))
		for _, name := range []string{"first", "second"} {
			there := strings.Contains(text, " "+name+" ")
			if there != (name != without[i]) {
				t.Errorf("without a zone of %s: %s has a row: %t", without[i], name, there)
			}
		}
	}
}

// Functions that each of several runs has muted are kept, also while others move them to those left out.
func TestRunsThatLearnAtOnce(t *testing.T) {
	const runs, zones = 4, 50
	learned := filepath.Join(t.TempDir(), "muted")
	var all sync.WaitGroup
	for run := range runs {
		all.Go(func() {
			for n := range zones {
				muted := []gather.ZoneInfo{{File: fmt.Sprint(run, ".go"), Name: fmt.Sprint("f", n)}}
				instrument.Learn(learned, muted, time.Duration(n%5)*time.Minute, 50*time.Minute) // moves some lists
			}
		})
	}
	all.Wait()
	left := must.Get(os.ReadFile(learned))(t)
	if got := strings.Count(string(left), "\n") + len(instrument.Pending(learned)); got != runs*zones {
		t.Errorf("got %d functions; want %d", got, runs*zones)
	}
}

// Functions lose their zones when the last eight runs together would have gained more than 3 % and 20 ms. Short runs
// say little, and a new build begins anew.
func TestTheLastRunsJudgeABuild(t *testing.T) {
	const ms = time.Millisecond
	type run struct{ gain, of time.Duration }
	many := func(n int, r run) []run { return slices.Repeat([]run{r}, n) }
	for _, test := range []struct {
		what string
		runs []run
		want int // the run that moves the functions, from 1; 0 for none
	}{
		{"a large gain", []run{{400 * ms, 10_000 * ms}}, 1},
		{"a small gain", many(20, run{300 * ms, 10_000 * ms}), 0},
		{"short runs", many(5, run{5 * ms, 10 * ms}), 4},
		{"a short run after long ones", []run{{0, 10_000 * ms}, {0, 10_000 * ms}, {300 * ms, 300 * ms}}, 0},
		{"long runs forgotten", append(many(1, run{0, 10_000 * ms}), many(9, run{40 * ms, 1000 * ms})...), 9},
		{"the sum", append(many(1, run{0, 1000 * ms}), many(9, run{40 * ms, 1000 * ms})...), 5},
		{"too short ever", many(20, run{2 * ms, 3 * ms}), 0},
	} {
		t.Run(test.what, func(t *testing.T) {
			learned, got := filepath.Join(t.TempDir(), "muted"), 0
			for i, r := range test.runs {
				muted := []gather.ZoneInfo{{File: "a.go", Name: "f"}, {File: "a.go", Name: fmt.Sprint("g", i)}}
				n := instrument.Learn(learned, muted, r.gain, r.of)
				if n != 0 && n != i+2 {
					t.Errorf("run %d: got %d functions; want all %d", i+1, n, i+2)
				}
				if n > 0 {
					got = i + 1
					break
				}
			}
			if got != test.want {
				t.Errorf("got run %d; want %d", got, test.want)
			}
			if n := instrument.Learn(learned, []gather.ZoneInfo{{File: "b.go", Name: "h"}}, 0, ms); n != 0 {
				t.Errorf("then a run without a gain moves %d", n)
			}
		})
	}
}

// What a start has used in that time stays.
func TestWhatNoStartUsesIsRemoved(t *testing.T) {
	longtest.Skip(t)
	offline(t)
	dir := files(t, map[string]string{"go.mod": "module example.org/user\n\ngo 1.25\n", "main.go": besideProgram})
	start := func(exclude string) (overlay string) {
		t.Helper()
		o := instrument.Options{Dir: dir, Packages: []string{"."}, Cache: filepath.Join(dir, "a cache"),
			Selection: instrument.Selection{Exclude: regexp.MustCompile(exclude)}}
		_, b := must.Two(o.Start())(t)
		return strings.TrimPrefix(b.Flags[0], "-overlay=")
	}
	first, second := start("first"), start("second")
	old := time.Now().Add(-25 * time.Hour)
	names := func(pattern string) []string {
		t.Helper()
		list := must.Get(filepath.Glob(filepath.Join(filepath.Dir(first), pattern)))(t)
		return list
	}
	for _, name := range append(names("*"), names("files/*")...) {
		must.Do(t, os.Chtimes(name, old, old))
	}
	if got := names("files/*_main.go"); len(got) != 2 {
		t.Fatalf("got %q; want two rewritten files", got)
	}
	if again := start("second"); again != second {
		t.Errorf("the second start took %s; want %s", again, second)
	}
	third := start("none")
	for name, want := range map[string]bool{first: false, second: true, third: true} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s: %v; want it there: %t", name, err, want)
		}
	}
	if got := names("files/*_main.go"); len(got) != 2 {
		t.Errorf("got %q; want two rewritten files", got)
	}
}

// files writes files into a new folder with a space in its name. The key is the path.
func files(t *testing.T, texts map[string]string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "a folder")
	for name, text := range texts {
		name = filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must.Do(t, os.WriteFile(name, []byte(text), 0o644))
	}
	return dir
}

const (
	helperMod  = "module example.org/helper\n\ngo 1.25\n"
	helperText = "package helper\n\n//iprof:zone the helper\nfunc Help[T int | float64](n T) T { return n + 1 }\n"
	userText   = `package main

import (
	"fmt"

	"example.org/helper"
)

func main() { fmt.Println(helper.Help(1)) }
`
)

// offline is how the go command works without a network.
func offline(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOSUMDB", "off")
}

// measured builds the program in dir, runs it, and looks for a zone in its report. In short mode the go command reads
// the program, and the zone is looked for in the rewritten files. All files below dir stay as they are.
func measured(t *testing.T, dir, zone string, o instrument.Options) {
	t.Helper()
	before := golden.Digest(t, filepath.Dir(dir))
	o.Dir, o.Packages, o.Cache = dir, []string{"."}, t.TempDir()
	plan := must.Get(o.Plan())(t)
	if testing.Short() {
		if !strings.Contains(readBy(t, dir, plan), "{Name: "+strconv.Quote(zone)+",") {
			t.Errorf("no file has the zone %q", zone)
		}
	} else {
		written := must.Get(plan.Write())(t)
		program := filepath.Join(t.TempDir(), "program.exe")
		cmd := exec.Command("go", append(append([]string{"build", "-o", program}, written.Flags...), ".")...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), written.Environment...)
		must.Run(t, cmd)
		if report := reported(t, program); !strings.Contains(report, " "+zone+" ") {
			t.Errorf("the report has no %q:\n%s", zone, report)
		}
	}
	if golden.Digest(t, filepath.Dir(dir)) != before {
		t.Error("the sources were changed")
	}
}

// readBy lets the go command read the program in dir with the zones of a plan, and all that it imports, and returns
// the texts that replace its files.
func readBy(t *testing.T, dir string, plan *instrument.Plan) (texts string) {
	t.Helper()
	written := must.Get(plan.Write())(t)
	cmd := exec.Command("go", append(append([]string{"list", "-deps"}, written.Flags...), ".")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), written.Environment...)
	must.Run(t, cmd)
	return textsOf(t, written)
}

// textsOf returns the texts of the rewritten files of a build.
func textsOf(t *testing.T, written *instrument.Build) (texts string) {
	t.Helper()
	for _, path := range must.Get(filepath.Glob(filepath.Join(written.Dir, "files", "*.go")))(t) {
		if text := string(must.Get(os.ReadFile(path))(t)); strings.Contains(text, "\nvar iprofZones") {
			texts += text
		}
	}
	return texts
}

func TestAWorkspaceBuildsWithZones(t *testing.T) {
	offline(t)
	dir := files(t, map[string]string{
		"go.work":          "go 1.25\n\nuse (\n\t./user\n\t./helper\n)\n",
		"user/go.mod":      "module example.org/user\n\ngo 1.25\n",
		"user/main.go":     userText,
		"helper/go.mod":    helperMod,
		"helper/helper.go": helperText,
	})
	measured(t, filepath.Join(dir, "user"), "the helper", instrument.Options{})
}

func TestAReplacedModule(t *testing.T) {
	offline(t)
	dir := files(t, map[string]string{
		"user/go.mod": "module example.org/user\n\ngo 1.25\n\nrequire example.org/helper v1.0.0\n\n" +
			"replace example.org/helper => ../helper\n",
		"user/main.go":     userText,
		"helper/go.mod":    helperMod,
		"helper/helper.go": helperText,
	})
	deps := instrument.Options{Deps: []string{"example.org/helper"}}
	measured(t, filepath.Join(dir, "user"), "the helper", deps)
}

// TestAVendoredModule has dependencies that are nowhere but in the folder vendor. One is inside the other's folder.
func TestAVendoredModule(t *testing.T) {
	offline(t)
	dir := files(t, map[string]string{
		"go.mod": "module example.org/user\n\ngo 1.25\n\nrequire (\n\texample.org/helper v1.0.0\n" +
			"\texample.org/helper/inner v1.0.0\n)\n",
		"main.go": strings.Replace(strings.Replace(userText, "func main", "//iprof:zone the start\nfunc main", 1),
			"import (", "import (\n\t_ \"example.org/helper/inner\"", 1),
		"vendor/modules.txt": "# example.org/helper v1.0.0\n## explicit; go 1.25\nexample.org/helper\n" +
			"# example.org/helper/inner v1.0.0\n## explicit\nexample.org/helper/inner\n",
		"vendor/example.org/helper/helper.go":      helperText,
		"vendor/example.org/helper/inner/inner.go": "package inner\n",
	})
	t.Run("alone", func(t *testing.T) { measured(t, dir, "the start", instrument.Options{}) })
	t.Run("deps", func(t *testing.T) {
		measured(t, dir, "the helper", instrument.Options{Deps: []string{"example.org/helper"}})
	})
}

const textUser = `package main

import (
	"fmt"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/width"
)

func main() {
	fmt.Println(charmap.ISO8859_1.NewDecoder().String("abc"))
	fmt.Println(width.Narrow.String("abc"))
}
`

// TestADependencyInTheModuleCache measures functions of a module in the cache, which is not changed. The profiler uses
// the module's package charmap itself, so that one gets no zones.
func TestADependencyInTheModuleCache(t *testing.T) {
	offline(t)
	const module, version = "golang.org/x/text", "v0.33.0" // in this module's go.sum
	sums := must.Get(os.ReadFile("../../go.sum"))(t)
	dir := files(t, map[string]string{
		"go.mod":  "module example.org/user\n\ngo 1.25\n\nrequire " + module + " " + version + "\n",
		"go.sum":  string(sums),
		"main.go": textUser,
	})
	out := must.Get(exec.Command("go", "env", "GOMODCACHE").Output())(t)
	cached := filepath.Join(strings.TrimSpace(string(out)), filepath.FromSlash(module)+"@"+version)
	before := golden.Digest(t, cached)
	all := instrument.Options{Deps: []string{module}, Selection: instrument.Selection{All: true}}
	measured(t, dir, "Transformer.String", all)
	if golden.Digest(t, cached) != before {
		t.Error("the module cache was changed")
	}
}

func TestFilesForOtherSystemsAndTags(t *testing.T) {
	offline(t)
	other := "windows"
	if runtime.GOOS == other {
		other = "linux"
	}
	dir := files(t, map[string]string{
		"go.mod":  "module example.org/user\n\ngo 1.25\n",
		"main.go": "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(chosen(), stub(3)) }\n",
		"tagged.go": "//go:build special\n\npackage main\n\n" +
			"//iprof:zone tagged\nfunc chosen() int { return 1 }\n",
		"plain.go":           "//go:build !special\n\npackage main\n\nfunc chosen() int { return broken }\n",
		"x_" + other + ".go": "package main\n\nfunc chosen() int { return broken }\n",
		"stub_amd64.go":      "package main\n\nfunc stub(n int) int\n",
		"stub_amd64.s": "TEXT ·stub(SB),4,$0-16\n\tMOVQ n+0(FP), AX\n\tADDQ AX, AX\n" +
			"\tMOVQ AX, ret+8(FP)\n\tRET\n",
		"stub.go": "//go:build !amd64\n\npackage main\n\nfunc stub(n int) int { return 2 * n }\n",
	})
	t.Setenv("GOFLAGS", "-tags=special")
	measured(t, dir, "tagged", instrument.Options{Selection: instrument.Selection{All: true}})
}
