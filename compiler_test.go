package iprof_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What the compiler makes of zones in the functions of testdata/compiledout, a program that imports this package alone.

// compiled builds the program and returns its file and what the compiler said of it.
func compiled(t *testing.T, tags string) (binary, said string) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	binary = filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("go", "build", "-tags="+tags, "-gcflags=-m", "-o", binary, "./testdata/compiledout")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary, string(out)
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
	for _, name := range []string{"guarded", "guardedName", "guardedFunction", "pair", "pairName", "onLane", "span", "onStack"} {
		if got := strings.Join(functions[name], "; "); got != "RET" {
			t.Errorf("%s: got %q; want a bare RET", name, got)
		}
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
		module + "/gather.(*Zone).Begin(SB)": false, module + "/gather.(*Zone).In(SB)": false, module + "/gather.Scope.End(SB)": false,
		module + "/gather.end(SB)": true, "register": true, // what Begin and In go on with, which the governor may change
		module + ".Begin(SB)": true, module + ".Func(SB)": true,
	} {
		if calls[name] != want {
			t.Errorf("a call of %s: got %v; want %v", name, calls[name], want)
		}
	}
}

// What is called between the reading of the clock and the zone's own work would be told for the zone.
func TestEntriesTimedMeanwhileInline(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	out, err := exec.Command("go", "build", "-gcflags=-m", "./gather").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for call, want := range map[string]int{"kid": 6, "(*node).enterTimed": 2, "readInVain": 2} {
		if got := strings.Count(string(out), "inlining call to "+call+"\n"); got != want {
			t.Errorf("calls of %s inlined: got %d; want %d", call, got, want)
		}
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
	for _, writer := range []string{"text", "csv", "tree", "json", "html"} {
		out, err := exec.Command(binary, writer).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", writer, err, out)
		}
		if !strings.Contains(string(out), "compiled out") {
			t.Errorf("%s: got %.300q; want it to say compiled out", writer, out)
		}
	}
}

// Programs need no change to be built without the profiler. That they also need no cgo is left to them.
func TestProgramsBuildCompiledOut(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	out, err := exec.Command("go", "build", "-tags=iprof_off", "-o", t.TempDir()+"/", "./examples/...", "./cmd/...").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
