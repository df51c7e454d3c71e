//go:build unix

package lake_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"example.com/iprof/cmd/iprof-query/internal/machines"
	"example.com/iprof/cmd/iprof-query/lake"
	"example.com/iprof/internal/must"
)

// Where a file cannot grow, as on a full disk, the error has the cause, the files that were there stay, and none is
// left half.
func TestAFullDiskLeavesNoHalfFile(t *testing.T) {
	const folder = "IPROF_FULL_LAKE"
	if out := os.Getenv(folder); out != "" {
		var done lake.Result
		err := lake.Options{Folder: out + "/lake"}.Add(out+"/machine1.iprof", &done)
		if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "file too large") {
			t.Errorf("got %v; want the cause in a line", err)
		}
		return
	}
	out := t.TempDir()
	captured(t, out, machines.Machine{Number: 1, Frames: 3000})
	cmd := exec.Command("sh", "-c", `ulimit -f 16 && exec "$@"`, "sh", os.Args[0], "-test.run=^TestAFullDisk")
	cmd.Env = append(os.Environ(), folder+"="+out)
	must.Run(t, cmd)
	var done lake.Result
	written, _ := contents(t, out+"/lake") // reads each file to its end
	must.Do(t, lake.Options{Folder: out + "/lake"}.Add(out+"/machine1.iprof", &done))
	whole, _ := contents(t, out+"/lake")
	if len(written) == 0 || len(written) >= len(whole) {
		t.Errorf("got %d tables on the full disk; want some of %d", len(written), len(whole))
	}
	for name, rows := range written {
		if len(rows) != len(whole[name]) {
			t.Errorf("%s: got %d rows; want %d or no file", name, len(rows), len(whole[name]))
		}
	}
}
