package integration_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
)

// program is a newcomer's first program.
const program = `package main

import (
	"os"

	"MODULE"
)

func step() { defer iprof.Begin("step").End() }

func main() {
	for range 3 {
		step()
		iprof.Update()
	}
	iprof.WriteText(os.Stdout)
}
`

// run runs a command in a folder and returns what it printed.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	// With -trimpath a package's file does not depend on its folder, so the build cache has it from the run before.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod -trimpath")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// needed makes an empty module of a program that uses the profiler as the README says. Its go.mod must name none of the
// others.
func needed(t *testing.T, program, module, tree string, others ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	source := strings.ReplaceAll(program, "MODULE", module)
	must.Do(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644))
	run(t, dir, "go", "mod", "init", "newcomer")
	run(t, dir, "go", "mod", "edit", "-go=1.25", "-require="+module+"@v0.0.0", "-replace="+module+"="+tree)
	run(t, dir, "go", "mod", "tidy")
	mod := must.Get(os.ReadFile(filepath.Join(dir, "go.mod")))(t)
	if !strings.Contains(string(mod), "\ngo 1.25") {
		t.Errorf("taking the profiler in changed the Go version of its user:\n%s", mod)
	}
	for _, other := range others {
		if strings.Contains(string(mod), other) {
			t.Errorf("got %s in the user's go.mod; want what it links alone:\n%s", other, mod)
		}
	}
	return dir
}

// consumer returns what the newcomer's program prints.
func consumer(t *testing.T, module, tree string) string {
	t.Helper()
	dir := needed(t, program, module, tree, "glfw", "pprof", "xgb", "ebiten", "raylib", "go-gl", "urfave")
	return run(t, dir, "go", "run", "-trimpath", ".") // its packages are compiled once, wherever the copy lies
}

// A program that serves, draws and records gets nothing that only tests and the viewer's window need.
func TestEveryLibraryTakenIntoAnEmptyModule(t *testing.T) {
	here := must.Get(filepath.Abs(root))(t)
	const every = `package main

import (
	_ "MODULE/capture"
	_ "MODULE/console"
	_ "MODULE/debug"
	_ "MODULE/draw/gl"
	_ "MODULE/draw/soft"
	_ "MODULE/export"
	_ "MODULE/input"
	_ "MODULE/iproftest"
	_ "MODULE/logmark"
	_ "MODULE/wait"
)

func main() {}
`
	needed(t, every, "example.com/iprof", here, "glfw", "pprof", "xgb", "ebiten", "raylib", "urfave")
}

func TestTakenIntoAnEmptyModule(t *testing.T) {
	longtest.Skip(t)
	here := must.Get(filepath.Abs(root))(t)
	if out := consumer(t, "example.com/iprof", here); !strings.Contains(out, "step") {
		t.Errorf("got %q; want a report with the zone step", out)
	}
}

func TestModulePathCanBeChanged(t *testing.T) {
	longtest.Skip(t)
	tree := copyOfTree(t)
	const module = "example.org/somebody/iprof"
	run(t, tree, "sh", "tools/module-path", module)
	search := `grep -rl 'example[.]com/iprof' --include='*.go' --include=go.mod . || true`
	if left := run(t, tree, "sh", "-c", search); left != "" {
		t.Errorf("the old path is left in:\n%s", left)
	}
	if out := consumer(t, module, tree); !strings.Contains(out, "step") {
		t.Errorf("got %q; want a report with the zone step", out)
	}
}

// copyOfTree copies this module's sources without what version control or tests left there.
func copyOfTree(t *testing.T) string {
	t.Helper()
	target := t.TempDir()
	must.Do(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); path != root && strings.HasPrefix(name, ".") || name == "testdata" ||
				name == "bin" {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(target, inside), 0o755)
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(target, inside), data, 0o755)
	}))
	return target
}

// looks is a program that says what there is of it once its imports are initialised.
const looks = `package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	IMPORTS
)

func main() {
	fmt.Println("goroutines", runtime.NumGoroutine())
	links, _ := os.ReadDir("/proc/self/fd")
	for _, link := range links {
		to, err := os.Readlink("/proc/self/fd/" + link.Name())
		if err == nil && !strings.HasPrefix(to, "/proc/") {
			fmt.Println("open", link.Name(), to[:min(len(to), 6)])
		}
	}
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "SigCgt") || strings.HasPrefix(line, "SigIgn") || strings.HasPrefix(line, "SigBlk") {
			fmt.Print(line)
		}
	}
	fmt.Println(os.Environ())
	files, _ := os.ReadDir(".")
	fmt.Println(files)
}
`

// after builds the program with some imports, runs it in an empty folder, and returns what it says.
func after(t *testing.T, cgo string, imports ...string) string {
	t.Helper()
	source, binary := filepath.Join(t.TempDir(), "main.go"), filepath.Join(t.TempDir(), "program")
	for i, name := range imports {
		imports[i] = `_ "` + name + `"`
	}
	text := strings.Replace(looks, "IMPORTS", strings.Join(imports, "\n\t"), 1)
	must.Do(t, os.WriteFile(source, []byte(text), 0o644))
	build := inRoot("go", "build", "-o", binary, source)
	build.Env = append(os.Environ(), "CGO_ENABLED="+cgo)
	must.Run(t, build)
	home := t.TempDir()
	cmd := exec.Command(binary)
	cmd.Dir, cmd.Env = home, []string{"HOME=" + home, "TMPDIR=" + home, "PWD=" + home}
	out := must.Run(t, cmd)
	return strings.ReplaceAll(string(out), home, "HOME")
}

// libraries are our packages for others to import.
func libraries(t *testing.T) (libraries []listed) {
	_, packages := list(t)
	for _, p := range packages {
		switch kind, rest, _ := strings.Cut(p.name(), "/"); {
		case kind == "cmd", kind == "examples", kind == "internal", kind == "tools":
		case strings.HasPrefix(rest, "internal/"): // of one library
		default:
			libraries = append(libraries, p)
		}
	}
	return libraries
}

func TestImportingStartsNothing(t *testing.T) {
	longtest.Skip(t)
	if runtime.GOOS != "linux" {
		t.Skip("builds programs that look at themselves in Linux's /proc")
	}
	var all []string
	for _, p := range libraries(t) {
		all = append(all, p.ImportPath)
	}
	if len(all) < 12 {
		t.Fatalf("got packages %v; want all of the table", all)
	}
	without, with := after(t, "0", "embed"), after(t, "0", slices.Clone(all)...)
	if with != without {
		t.Errorf("after importing all packages, got:\n%s\nwant what an empty program says:\n%s", with, without)
	}
	without = after(t, "1", "runtime/cgo")
	with = after(t, "1", all...)
	if with != without {
		t.Errorf("after importing all packages, with cgo, got:\n%s\nwant what an empty program says:\n%s", with,
			without)
	}
}

// Handlers and signals need these packages, some of which register things of their own when imported. The root imports
// os/signal for WriteOnSignal; by itself it does nothing, as the test above shows.
func TestLibrariesReachNoServer(t *testing.T) {
	module, _ := list(t)
	for _, p := range libraries(t) {
		switch p.name() {
		case "debug", "auto/serve", "export/pyroscope", "iprofhttp":
			continue // servers, what starts one in programs of the command iprof, and a client
		}
		for _, banned := range []string{"net", "net/http", "os/signal", "expvar", "plugin"} {
			if banned == "os/signal" && (p.ImportPath == module || slices.Contains(p.Imports, module)) {
				continue
			}
			if slices.Contains(p.Deps, banned) {
				t.Errorf("%s reaches %s, which it must never", p.ImportPath, banned)
			}
		}
	}
}
