package integration_test

import (
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
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	home := t.TempDir()
	cmd := exec.Command(binary)
	cmd.Dir, cmd.Env = home, []string{"HOME=" + home, "TMPDIR=" + home, "PWD=" + home}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
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
