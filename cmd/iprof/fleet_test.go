package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// servers runs the example that makes captures of so many servers.
func servers(t *testing.T, number string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	cmd := exec.Command("go", "run", "./examples/fleet", "-servers", number, dir)
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

func TestDiffOfFleets(t *testing.T) {
	dir := servers(t, "300")
	var out bytes.Buffer
	slower, err := writeDiff(&out, filepath.Join(dir, "v1"), filepath.Join(dir, "v2"), 5, false)
	if err != nil {
		t.Fatal(err)
	}
	line := func(name string) string {
		for l := range strings.Lines(out.String()) {
			if strings.HasSuffix(l, " "+name+"\n") {
				return l
			}
		}
		return ""
	}
	if slower < 1 || !strings.Contains(line("physics"), "slower") || line("path finding")+line("receive") != "" {
		t.Errorf("got %d slower:\n%s\nwant physics, and not what is the same", slower, &out)
	}
	out.Reset()
	second := filepath.Join(dir, "v2")
	if slower, err = writeDiff(&out, second, second, 5, true); err != nil || slower != 0 {
		t.Errorf("a set and itself: got %d slower, %v", slower, err)
	}
	var d fleetDifference
	if err := json.Unmarshal(out.Bytes(), &d); err != nil || d.Machines != [2]int{150, 150} || len(d.Changes) != 3 {
		t.Errorf("got %+v, %v; want 150 machines and 3 rows", d, err)
	}
	for _, c := range d.Changes {
		if c.Chance < 0.9 || c.Verdict != "same" {
			t.Errorf("a set and itself: got %+v", c)
		}
	}
}

func TestDiffOfFleetsNamesWhatIsWrong(t *testing.T) {
	dir := servers(t, "12")
	one := filepath.Join(dir, "v1", "server0.iprof")
	few, bad := t.TempDir(), t.TempDir()
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		if err := os.WriteFile(filepath.Join(bad, name+".iprof"), []byte("nothing"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ before, after, want string }{
		{one, dir, "a directory with a directory"},
		{few, dir, "0 captures are too few"},
		{dir, bad, "a.iprof"},
	} {
		t.Run(test.want, func(t *testing.T) {
			_, err := writeDiff(new(bytes.Buffer), test.before, test.after, 5, false)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v: got error %v", test, err)
			}
		})
	}
}
