package instrument_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
)

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

// measured builds the program in dir, runs it, and looks for a zone in its report. All files below dir stay as they
// are.
func measured(t *testing.T, dir, zone string, o instrument.Options) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a program")
	}
	before := digest(t, filepath.Dir(dir))
	o.Dir, o.Packages, o.Cache = dir, []string{"."}, t.TempDir()
	plan := must.Get(o.Plan())(t)
	written := must.Get(plan.Write())(t)
	program := filepath.Join(t.TempDir(), "program.exe")
	cmd := exec.Command("go", append(append([]string{"build", "-o", program}, written.Flags...), ".")...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), written.Environment...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if report := reported(t, program); !strings.Contains(report, " "+zone+" ") {
		t.Errorf("the report has no %q:\n%s", zone, report)
	}
	if digest(t, filepath.Dir(dir)) != before {
		t.Error("the sources were changed")
	}
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
	before := digest(t, cached)
	all := instrument.Options{Deps: []string{module}, Selection: instrument.Selection{All: true}}
	measured(t, dir, "Transformer.String", all)
	if digest(t, cached) != before {
		t.Error("the module cache was changed")
	}
}

// TestFilesForOtherSystemsAndTags: only the files that are built are rewritten, and assembly stays.
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
