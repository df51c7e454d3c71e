//go:build !iprof_off

package measure

import (
	"os/exec"
	"strings"
	"testing"
	"unsafe"

	"example.com/iprof/platform"
)

// compilerSays returns the compiler's messages about this package.
func compilerSays(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	out, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func TestHotPathInlines(t *testing.T) {
	said := compilerSays(t)
	for _, f := range []string{"(*Zone).Begin", "(*Zone).In", "Scope.End", "Scope.Text", "Scope.Value"} {
		if !strings.Contains(said, "can inline "+f+"\n") {
			t.Errorf("%s: got no inlining; want it inlined", f)
		}
	}
	for _, f := range []string{"begin", "in", "end", "OpenSite", "beginSlow", "endSlow"} {
		if strings.Contains(said, "can inline "+f+"\n") {
			t.Errorf("%s: got it inlined; want a call", f)
		}
	}
}

func TestAddressOfAZoneEscapes(t *testing.T) {
	said := compilerSays(t)
	for line := range strings.Lines(said) {
		if strings.Contains(line, "zone.go") && strings.Contains(line, ": z does not escape") {
			t.Errorf("got %q; want every Zone's address to leak", line)
		}
	}
	if got := strings.Count(said, "leaking param: z\n"); got < 5 {
		t.Errorf("functions that z leaks from: got %d; want Begin, In, begin, in and their slow forms", got)
	}
}

var escaped *chunk

func TestNodeLayout(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("lines are counted for 64-bit machines")
	}
	if got := unsafe.Offsetof(node{}.kids); got != 64 {
		t.Errorf("offset of kids: got %d; want 64", got)
	}
	if got := unsafe.Sizeof(Zone{}); got != 32 {
		t.Errorf("size of a Zone: got %d; want 32", got)
	}
	if got := unsafe.Sizeof(baseline{}); got != 48 {
		t.Errorf("size of what the reader keeps: got %d; want 48", got)
	}
	for range 10 {
		escaped = new(chunk)
		if got := uintptr(unsafe.Pointer(escaped)) % 64; got != 0 {
			t.Errorf("address of a chunk modulo 64: got %d; want 0", got)
		}
	}
	if got := unsafe.Sizeof(platform.Slot{}); got != 64 {
		t.Errorf("size of a slot: got %d; want 64", got)
	}
}
