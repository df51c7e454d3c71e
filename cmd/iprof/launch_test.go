package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
)

// launched runs a command and returns its status and what it writes to standard error. module is the folder of this
// module.
func launched(t *testing.T, module, verb string, args ...string) (status int, stderr string) {
	t.Helper()
	stderr = complained(t, func() { status = launch(verb, append([]string{"-module", module}, args...)) })
	return status, stderr
}

// complained returns what a function writes to standard error.
func complained(t *testing.T, do func()) string {
	t.Helper()
	file := must.Get(os.Create(filepath.Join(t.TempDir(), "stderr")))(t)
	defer file.Close()
	old := os.Stderr
	os.Stderr = file
	defer func() { os.Stderr = old }()
	do()
	return string(readFile(t, file.Name()))
}

// inModule makes a folder with these files the working directory. It returns the folder of this module.
func inModule(t *testing.T, texts map[string]string) (module string) {
	t.Helper()
	module = must.Get(filepath.Abs("../.."))(t)
	freshCache(t)
	t.Chdir(t.TempDir())
	write(t, "go.mod", "module example.org/user\n\ngo 1.25\n")
	for name, text := range texts {
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o755))
		write(t, name, text)
	}
	return module
}

const (
	emptyMain  = "package main\n\nfunc main() {}\n"
	brokenMain = "package main\n\nfunc main() {\n\tvar n int = \"text\"\n\tmissing(n)\n}\n"
)

// Each error says what to do. Those of the compiler have the program's own files and lines.
func TestRunNamesTheNextStep(t *testing.T) {
	module := inModule(t, map[string]string{
		"lib/lib.go": "package lib\n\nfunc F() {}\n", "bad/main.go": brokenMain,
		"a/main.go": emptyMain, "b/main.go": emptyMain,
	})
	dir := must.Get(os.Getwd())(t)
	for line, want := range map[string]string{
		"./lib":          "iprof test ./lib",
		"./...":          "example.org/user/a, example.org/user/b",
		"./bad":          filepath.Join(dir, "bad", "main.go") + `:4:14: cannot use "text"`,
		"./nowhere":      "directory not found",
		"-unknown ./a":   "there is no flag -unknown",
		"-overlay o ./a": "overlay",
	} {
		t.Run(line, func(t *testing.T) {
			if status, stderr := launched(t, module, "run", strings.Fields(line)...); status == 0 ||
				!strings.Contains(stderr, want) {
				t.Errorf("status %d; want an error with %q:\n%s", status, want, stderr)
			}
		})
	}
	t.Run("a cache that cannot be written", func(t *testing.T) {
		t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "go.mod"))
		t.Setenv("LocalAppData", filepath.Join(dir, "go.mod"))
		status, stderr := launched(t, module, "run", "./a")
		if status == 0 || !strings.Contains(stderr, "XDG_CACHE_HOME") {
			t.Errorf("status %d; want an error that names XDG_CACHE_HOME:\n%s", status, stderr)
		}
	})
}

// The flag asks for the help of this command, not of the go command.
func TestHelpIsOurs(t *testing.T) {
	for _, flag := range []string{"-h", "-help", "--help"} {
		if out, _ := asIprof(t, t.TempDir(), "run", flag); !strings.Contains(out, "-frame FUNC") {
			t.Errorf("%s: %q", flag, out)
		}
	}
}

// -n lists each function with the reason why it has no zone, and writes no file.
func TestTheListingGivesReasonsAndWritesNothing(t *testing.T) {
	inModule(t, map[string]string{"main.go": recordedProgram + "\n//iprof:skip\nfunc skipped() {}\n"})
	a := must.Get(parse("run", []string{"-n", "."}))(t)
	var out bytes.Buffer
	if status := a.printPlan(&out); status != 0 {
		t.Errorf("status %d", status)
	}
	for _, want := range []string{
		`(?m)^\+ example\.org/user\.main +main\.go:9 *$`, `(?m)^\+ example\.org/user\.step +main\.go:18 *$`,
		`(?m)^- example\.org/user\.skipped +main\.go:\d+ +has //iprof:skip$`,
		`(?m)^2 of 3 functions would have a zone$`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("no line %s in\n%s", want, &out)
		}
	}
	entries, err := os.ReadDir(".")
	if err != nil || len(entries) != 2 {
		t.Errorf("%d files, %v; want go.mod and main.go", len(entries), err)
	}
}

const testedStep = `package user

import "testing"

//iprof:zone in the test
func TestStep(t *testing.T) { step(3) }

//iprof:zone not run
func TestOther(t *testing.T) { step(3) }
`

// -std takes packages that only the test files import.
func TestTestsMeasureTheStandardLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds tests")
	}
	const text = "package user\n\nimport (\n\t\"encoding/json\"\n\t\"testing\"\n)\n\n" +
		"func TestJSON(t *testing.T) {\n\tvar v []any\n\tif json.Unmarshal([]byte(`[[1]]`), &v) != nil {\n" +
		"\t\tt.Fatal(v)\n\t}\n}\n"
	module := inModule(t, map[string]string{"user.go": "package user\n", "user_test.go": text})
	status, stderr := launched(t, module, "test", "-full", "-std", "encoding/json", ".")
	if status != 0 || !strings.Contains(stderr, " encoding/json.(*decodeState).array ") {
		t.Errorf("status %d; want 0 and the zone (*decodeState).array:\n%s", status, stderr)
	}
}

// iprof test shows the zones of the tests that run, with and without a TestMain, and has the status of go test.
func TestTestsAreMeasured(t *testing.T) {
	if testing.Short() {
		t.Skip("builds tests")
	}
	const own = "\nfunc TestMain(m *testing.M) { println(\"own main\"); m.Run() }\n"
	for name, test := range map[string]struct {
		text, zone string
		status     int
	}{
		"without TestMain": {testedStep, "in the test", 0},
		"with TestMain":    {testedStep + own, "in the test", 0},
		"failing":          {strings.Replace(testedStep, "step(3) }", "step(3); t.Fatal(1) }", 1), "in the test", 1},
	} {
		t.Run(name, func(t *testing.T) {
			module := inModule(t, map[string]string{
				"user.go": "package user\n\n//iprof:zone the step\n" +
					"func step(n int) { for range n { println(n) } }\n",
				"user_test.go": test.text,
			})
			status, stderr := launched(t, module, "test", ".", "-run", "TestStep")
			if status != test.status {
				t.Errorf("status %d; want %d", status, test.status)
			}
			for zone, want := range map[string]bool{test.zone: true, "the step": true, "not run": false} {
				if got := strings.Contains(stderr, "  "+zone+" "); got != want {
					t.Errorf("%q in the report: %t; want %t:\n%s", zone, got, want, stderr)
				}
			}
		})
	}
}

const namedProgram = `package main

import (
	"fmt"
	"os"
)

var name string

func main() {
	program, err := os.Executable()
	if err == nil {
		_, err = os.Stat(program)
	}
	fmt.Println(name, err)
}
`

// Several commands run one program at the same time, each built with other flags. Each runs its own, which stays where
// it is until it ends, and leaves nothing but the last one.
func TestRunsBesideEachOther(t *testing.T) {
	longtest.Skip(t)
	module := inModule(t, map[string]string{"main.go": namedProgram})
	outputs, failures := make([][]byte, 4), make([]error, 4)
	for range 2 { // the second time, a program of another run is there
		var all sync.WaitGroup
		for i := range outputs {
			all.Go(func() {
				cmd := exec.Command(os.Args[0], "run", "-module", module, "-report", "none",
					fmt.Sprint("-ldflags=-X main.name=number", i), ".")
				cmd.Env = append(os.Environ(), asMain+"=1")
				outputs[i], failures[i] = cmd.CombinedOutput()
			})
		}
		all.Wait()
		for i, out := range outputs {
			if want := fmt.Sprintf("number%d <nil>\n", i); string(out) != want || failures[i] != nil {
				t.Errorf("got %q, %v; want %q", out, failures[i], want)
			}
		}
	}
	left, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "iprof", "user-*", "bin", "*"))
	if err != nil || len(left) != 2 {
		t.Errorf("got %q, %v; want the program of the last build, and what it was built from", left, err)
	}
	for _, name := range left {
		if base := filepath.Base(name); strings.TrimSuffix(base, builtEnd) != "user" {
			t.Errorf("%s is left", name)
		}
	}
}

// A report without lines says why.
func TestWhatASystemCannotDoIsSaid(t *testing.T) {
	longtest.Skip(t)
	for _, system := range []string{"windows", "darwin"} {
		if why := linesRefused(system, false); !strings.Contains(why, system) {
			t.Errorf("%s: %q", system, why)
		}
	}
	if why := linesRefused("linux", false); why != "" {
		t.Errorf("linux: %q", why)
	}
	const text = "package main\n\nimport _ \"runtime/pprof\"\n\nfunc main() {}\n"
	module := inModule(t, map[string]string{"main.go": text})
	status, stderr := launched(t, module, "run", ".")
	if status != 0 || strings.Contains(stderr, "no lines") {
		t.Errorf("status %d: %s", status, stderr)
	}
}
