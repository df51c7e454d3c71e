package runreport_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"example.com/iprof/auto"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// recorded writes a recording of ten frames with the zones of pool, and the notes of that run.
func recorded(t *testing.T, closed bool) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "out.iprof")
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	run := pool(41)
	zones := append(run.Dump.Zones, gather.ZoneInfo{Name: "wait", Idle: true})
	w := framefile.NewWriter(file, framefile.Info{Program: "pool"})
	for i := range platform.Ticks(10) {
		f := gather.Frame{Index: uint64(i), Begin: 60 * i, End: 60 * (i + 1), TicksPerSecond: 1000, Zones: zones,
			CPU: run.Dump.CPU / 10, Lanes: []gather.LaneFrame{{ID: 1, Begin: 60 * i, End: 60 * (i + 1), Updater: true,
				Nodes: []gather.Node{{ID: 1, Parent: -1}, {ID: 2, Zone: 1, Self: 160, Count: 1},
					{ID: 3, Zone: 2, Parent: 1, Self: 80, Count: 200}, {ID: 4, Zone: 3, Self: 1, Count: 1}}}}}
		must.Do(t, w.WriteFrame(&f))
	}
	if closed {
		must.Do(t, w.Close())
	}
	text := must.Get(json.Marshal(run.Notes))(t)
	must.Do(t, os.WriteFile(path+auto.NotesEnds[0], text, 0o600))
	return path
}

// TestTheRecordingKnowsWhatWaited: without the notes, a recording has what zones waited and the hottest lines, whether
// the program ended it or not.
func TestTheRecordingKnowsWhatWaited(t *testing.T) {
	for name, closed := range map[string]bool{"closed": true, "ended from outside": false} {
		t.Run(name, func(t *testing.T) {
			path := recorded(t, closed)
			run := must.Get(runreport.Read(path))(t)
			must.Do(t, run.Keep(path))
			must.Do(t, os.Remove(path+auto.NotesEnds[0]))
			s, c, err := framefile.Open(path)
			if err != nil || c.Frames != 10 || c.Complete != closed || len(c.Damages) > 0 {
				t.Fatalf("got %v, %+v; want ten frames", err, c)
			}
			wantWaits(t, s)
			h := s.HotZones()
			if h.Samples != 40 || len(h.Zones) != 2 || h.Zones[0].Lines[0].Line != 12 || h.Zones[0].Zone != 2 ||
				h.Zones[0].Functions[0] != (report.HotFunction{Function: "main.hash", Samples: 38}) {
				t.Errorf("got %+v; want 38 samples in line 12 of hash and 2 in worker", h)
			}
		})
	}
}

// wantWaits: worker works for 20 ms of 1,600, hash for 380 of 800, and wait waits.
func wantWaits(t *testing.T, s *process.Session) {
	t.Helper()
	s.View().SetLens(report.Lens{Kind: report.LensAll})
	var r report.Report
	s.View().AppendReport(&r)
	if !r.Waited || r.Columns[1] != report.ColumnWaited {
		t.Fatalf("the columns are %v; want what waited behind self", r.Columns)
	}
	want := map[string]float64{"(root)": 0, "worker": 100 - 100*20/1600., "hash": 100 - 100*380/800., "wait": 100}
	for i := range r.Records {
		k := &r.Records[i]
		got := k.Values[report.ColumnWaited]
		if math.Abs(got-want[k.Name]) > 0.01 || k.Mask.Has(report.ColumnWaited) != (want[k.Name] > 0) {
			t.Errorf("%s waited for %v %%; want %v", k.Name, got, want[k.Name])
		}
		delete(want, k.Name)
	}
	if len(want) > 0 {
		t.Errorf("there is no row of %v", want)
	}
}
