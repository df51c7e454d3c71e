//go:build !windows && !iprof_off

package integration_test

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
)

// cgoProgram builds one of the programs in testdata that need a C compiler, and returns its file. Without a C compiler
// the test is skipped. If IPROF_GL=must it fails instead.
func cgoProgram(t *testing.T, name string, flags ...string) string {
	t.Helper()
	long(t)
	cc := must.Get(exec.Command("go", "env", "CC").Output())(t)
	if _, err := exec.LookPath(strings.Fields(string(cc))[0]); err != nil {
		if os.Getenv("IPROF_GL") == "must" {
			t.Fatalf("%v, and IPROF_GL=must", err)
		}
		t.Skip(err)
	}
	binary := filepath.Join(t.TempDir(), name)
	cmd := exec.Command("go", append(append([]string{"build", "-o", binary}, flags...), "./testdata/"+name)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		if strings.Contains(string(out), "-race is") { // only supported on …, not supported with …
			t.Skipf("%s", out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// The profiler orders nothing between goroutines, so it hides no race of theirs; and it adds none of its own.
func TestRacesOfUsersAreStillReported(t *testing.T) {
	binary := cgoProgram(t, "race", "-race")
	var out []byte
	var err error
	for try := 0; try < 3 && err == nil; try++ { // the program's locks may have ordered its goroutines
		cmd := exec.Command(binary, "race")
		cmd.Env = append(os.Environ(), "GOMAXPROCS=4")
		out, err = cmd.CombinedOutput()
	}
	if err == nil || !strings.Contains(string(out), "DATA RACE") || !strings.Contains(string(out), "main.bump()") {
		t.Errorf("two goroutines without a lock: got %v\n%s; want a data race in main.bump", err, out)
	}
	for part := range strings.SplitSeq(string(out), "==================") {
		if strings.Contains(part, "DATA RACE") && !strings.Contains(part, "main.bump()") {
			t.Errorf("got a race that is not the program's:\n%s", part)
		}
	}
	if out, err := exec.Command(binary, "lock").CombinedOutput(); err != nil || string(out) != "done\n" {
		t.Errorf("with a lock: got %v\n%s; want no report", err, out)
	}
}

func TestZonesInCallbacksFromC(t *testing.T) {
	out := must.Get(exec.Command(cgoProgram(t, "callback")).Output())(t)
	var d struct {
		Zones  []struct{ Name string }
		Merged []struct {
			Zone, Parent int
			Count        float64
		}
		Warnings []string
	}
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := map[string]float64{}
	for _, n := range d.Merged {
		if n.Parent >= 0 {
			got[d.Zones[d.Merged[n.Parent].Zone].Name+"/"+d.Zones[n.Zone].Name] = n.Count
		}
	}
	want := map[string]float64{"(root)/before C": 1, "before C/called by C": 100, "called by C/inside": 100,
		"(root)/called on C's thread": 50, "called on C's thread/inside": 50}
	d.Warnings = slices.DeleteFunc(d.Warnings, func(w string) bool { return strings.HasPrefix(w, "clock: ") })
	if !maps.Equal(got, want) || len(d.Warnings) > 0 { // but for one about a machine's slow clock
		t.Errorf("got %v, warnings %q; want %v and none", got, d.Warnings, want)
	}
}
