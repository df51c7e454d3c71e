package capture_test

import (
	"os"
	"testing"
)

// TestOldFilesOpen: testdata has a file of each version of the format. They are never written anew.
func TestOldFilesOpen(t *testing.T) {
	for _, name := range []string{"v1.0"} {
		file, err := os.ReadFile("testdata/" + name + ".iprof")
		if err != nil {
			t.Fatal(err)
		}
		frames, damages, r := readAll(t, file)
		if info := r.Info(); len(frames) != 20 || damages != 0 || !r.Complete() || info.Program != "replay" ||
			info.Machine != "none" || info.Reason != "" {
			t.Fatalf("%s: got %d frames, %d damages, complete %t, %+v", name, len(frames), damages, r.Complete(), info)
		}
		last := &frames[19]
		sum := int64(0)
		for _, n := range last.Lanes[0].Nodes {
			sum += int64(n.Self)
		}
		if last.Index != 19 || int64(last.End) != wantEnd || sum != wantSum || len(last.Lanes) != 2 ||
			last.Zones[2].Name != "physics_solve" {
			t.Errorf("%s: got frame %d, end %d, sum %d, lanes %d, zone %q", name, last.Index, last.End, sum,
				len(last.Lanes), last.Zones[2].Name)
		}
	}
}

// What the files hold.
const (
	wantEnd = 310_984_437
	wantSum = 15_506_723
)
