package integration_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"example.com/iprof/internal/must"
)

// What the compiler makes of zones in the functions of testdata/compiledout, a program that imports this package alone.

// long skips a test that builds programs, in short mode.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs")
	}
}

// programs has the programs that several tests run. They are built once.
var programs struct {
	sync.Mutex
	dir  string
	said map[string]string // what the compiler said, by what was built
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "iprof-integration")
	if err != nil {
		panic(err)
	}
	programs.dir, programs.said = dir, map[string]string{}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// built returns the file of a program, which is built the first time that a test asks for it, and what the compiler
// said. args are those of go build.
func built(t *testing.T, args ...string) (binary, said string) {
	t.Helper()
	long(t)
	programs.Lock()
	defer programs.Unlock()
	key := strings.Join(args, " ")
	binary = filepath.Join(programs.dir, fmt.Sprintf("%x", sha256.Sum256([]byte(key))))
	if said, is := programs.said[key]; is {
		return binary, said
	}
	cmd := inRoot("go", append([]string{"build", "-o", binary}, args...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	programs.said[key] = string(out)
	return binary, string(out)
}

// compiled builds the program and returns its file and what the compiler said of it.
func compiled(t *testing.T, tags string) (binary, said string) {
	t.Helper()
	return built(t, "-tags="+tags, "-gcflags=-m", "./internal/integration/testdata/compiledout")
}

// disassembled returns the instructions of each function of package main, one a line.
func disassembled(t *testing.T, binary string) map[string][]string {
	t.Helper()
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("reads the assembly of amd64 and arm64 only")
	}
	out, err := exec.Command("go", "tool", "objdump", "-s", `^main\.`, binary).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	functions := map[string][]string{}
	name := ""
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(line, "TEXT main."); ok {
			name, _, _ = strings.Cut(rest, "(SB)")
		} else if fields := strings.Fields(line); len(fields) > 3 {
			functions[name] = append(functions[name], strings.Join(fields[3:], " ")) // without place, address and bytes
		}
	}
	return functions
}

func TestCompiledOutIsNothing(t *testing.T) {
	binary, _ := compiled(t, "iprof_off")
	functions := disassembled(t, binary)
	for _, name := range []string{"guarded", "guardedName", "guardedFunction", "pair", "pairName", "onLane", "span",
		"onStack"} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(functions[name], "; "); got != "RET" {
				t.Errorf("%s: got %q; want a bare RET", name, got)
			}
		})
	}
}

func TestHotPathInlinesInUsers(t *testing.T) {
	binary, _ := compiled(t, "")
	calls := map[string]bool{}
	for _, instructions := range disassembled(t, binary) {
		for _, line := range instructions {
			if strings.HasPrefix(line, "CALL ") {
				callee := strings.TrimPrefix(line, "CALL ")
				if !strings.Contains(callee, "(SB)") {
					callee = "register"
				}
				calls[callee] = true
			}
		}
	}
	const module = "example.com/iprof"
	for name, want := range map[string]bool{
		module + "/internal/measure.(*Zone).Begin(SB)": false, module + "/internal/measure.(*Zone).In(SB)": false,
		module + "/internal/measure.Scope.End(SB)": false, module + "/internal/measure.(*Zone).Live(SB)": false,
		// what Begin and In go on with, which the governor may change
		module + "/internal/measure.end(SB)": true, "register": true,
		module + ".Begin(SB)": true, module + ".Func(SB)": true,
	} {
		t.Run(name, func(t *testing.T) {
			if calls[name] != want {
				t.Errorf("a call of %s: got %v; want %v", name, calls[name], want)
			}
		})
	}
}

// The time of calls between the reading of the clock and the zone's own work would count as the zone's.
func TestEntriesTimedMeanwhileInline(t *testing.T) {
	long(t)
	out, err := inRoot("go", "build", "-gcflags=-m", "./internal/measure").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for call, want := range map[string]int{"kid": 8, "(*node).enterTimed": 2, "readInVain": 3} {
		t.Run(call, func(t *testing.T) {
			if got := strings.Count(string(out), "inlining call to "+call+"\n"); got != want {
				t.Errorf("calls of %s inlined: got %d; want %d", call, got, want)
			}
		})
	}
}

// A zone's identity is its address, so a zone must not move, as what is on a stack does.
func TestAddressOfAZoneEscapes(t *testing.T) {
	if _, said := compiled(t, ""); !strings.Contains(said, "moved to heap: local") {
		t.Errorf("got %q; want the local zone on the heap", said)
	}
}

func TestWritersSayCompiledOut(t *testing.T) {
	binary, _ := compiled(t, "iprof_off")
	for _, writer := range []string{"text", "tree", "json", "html", "verdict", "zones", "exit", "log"} {
		t.Run(writer, func(t *testing.T) {
			out, err := exec.Command(binary, writer).CombinedOutput()
			if err != nil {
				t.Fatalf("%s: %v\n%s", writer, err, out)
			}
			if !strings.Contains(string(out), "compiled out") {
				t.Errorf("%s: got %.300q; want it to say compiled out", writer, out)
			}
		})
	}
}

// The most bytes by which a program may be larger than one that does not import this package: without a window, with
// the lines that a window needs, and with a panel. The second links no screen and no typeface, the third has what the
// types of a panel say of themselves.
const (
	mostCompiledOut = 100_000
	mostWithWindow  = 200_000
	mostWithPanel   = 550_000
)

// TestCompiledOutLinksNothing compares the sizes of programs built with the tag iprof_off and of one without this
// package.
func TestCompiledOutLinksNothing(t *testing.T) {
	long(t)
	dir := t.TempDir()
	size := func(name, source string) int64 {
		cmd := exec.Command("go", "build", "-tags=iprof_off", "-trimpath", "-ldflags=-s -w", "-o",
			filepath.Join(dir, name), source)
		cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		info := must.Get(os.Stat(filepath.Join(dir, name)))(t)
		return info.Size()
	}
	bare := filepath.Join(dir, "bare.go")
	source := "package main\nimport (\"fmt\"; \"os\")\nfunc main() { fmt.Fprintln(os.Stdout, len(os.Args)) }\n"
	must.Do(t, os.WriteFile(bare, []byte(source), 0o644))
	panel := filepath.Join(dir, "panel.go")
	source = "package main\nimport (\"example.com/iprof\"; \"example.com/iprof/viewer\")\n" +
		"func main() { viewer.PanelFor(iprof.Default()).Change(func(o *viewer.Options) { o.Scale = 2 }) }\n"
	must.Do(t, os.WriteFile(panel, []byte(source), 0o644))
	without := size("without", bare)
	for program, most := range map[string]int64{"./examples/hello": mostCompiledOut,
		"./internal/integration/testdata/glhost": mostWithWindow, panel: mostWithPanel} {
		if got := size("with", program); got-without > most {
			t.Errorf("%s: got %d bytes; want at most %d more than the %d without this package", program, got, most,
				without)
		}
	}
	checkNotLinked(t, "./examples/hello", "example.com/iprof/fonts", "example.com/iprof/viewer",
		"example.com/iprof/draw", "example.com/iprof/draw/html", "example.com/iprof/console")
	checkNotLinked(t, "./internal/integration/testdata/glhost", "golang.org/x/text/encoding/charmap",
		"golang.org/x/image/font/sfnt")
}

// A program that measures and prints has nothing of the screen, the typefaces, the page and the files, and one that
// writes a page little more. What initialises a variable of a package is in every program that imports it, also by way
// of package iprof, so these packages have no such variables.
func TestMeasuringLinksNoDisplay(t *testing.T) {
	const mostHello, mostPage = 5_000_000, 7_000_000 // bytes, on amd64
	dir := t.TempDir()
	source := must.Get(os.ReadFile(filepath.Join(root, "examples/hello/main.go")))(t)
	page := filepath.Join(dir, "page.go")
	changed := strings.Replace(string(source), "iprof.WriteText(", "iprof.WriteHTML(", 1)
	if err := os.WriteFile(page, []byte(changed), 0o644); err != nil || changed == string(source) {
		t.Fatal(err, "examples/hello does not call WriteText")
	}
	for program, most := range map[string]int64{"./examples/hello": mostHello, page: mostPage} {
		file := filepath.Join(dir, "program")
		cmd := inRoot("go", "build", "-trimpath", "-o", file, program) // the same size in any folder
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS=linux", "GOARCH=amd64")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		info := must.Get(os.Stat(file))(t)
		if t.Log(program, info.Size()); info.Size() > most {
			t.Errorf("%s: got %d bytes; want at most %d", program, info.Size(), most)
		}
		if program == page {
			continue
		}
		symbols := must.Get(inRoot("go", "tool", "nm", file).Output())(t)
		for _, heavy := range []string{"viewer", "fonts", "input", "draw", "draw/html", "console", "capture"} {
			if at := strings.Index(string(symbols), " example.com/iprof/"+heavy+"."); at >= 0 {
				line, _, _ := strings.Cut(string(symbols[at:]), "\n")
				t.Errorf("%s: got%s; want nothing of package %s", program, line, heavy)
			}
		}
	}
}

// checkNotLinked checks that a program built with the tag iprof_off has no such packages.
func checkNotLinked(t *testing.T, program string, heavy ...string) {
	t.Helper()
	out := must.Get(inRoot("go", "list", "-tags=iprof_off", "-deps", program).Output())(t)
	for _, name := range heavy {
		if strings.Contains(string(out), name+"\n") {
			t.Errorf("%s: got package %s linked; want it not to be", program, name)
		}
	}
}
