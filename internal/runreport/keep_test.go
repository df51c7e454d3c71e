package runreport_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// Without the notes, a recording has what zones waited and the hottest lines, whether the program ended it or not.
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
			h := s.Sources().HotZones()
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

// A server that a signal ends at rest was not held up by its wait for connections, also where its lane slept at the
// end. A wait that is over was a pause.
func TestAWaitAtTheEndIsNoPause(t *testing.T) {
	const pause = "was waiting: main waits for http"
	for name, open := range map[string]bool{"open": true, "over": false} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "out.iprof")
			file := must.Get(os.Create(path))(t)
			defer file.Close()
			w := framefile.NewWriter(file, framefile.Info{Program: "shop"})
			zones := []gather.ZoneInfo{{Name: "(root)"},
				{Name: "main", Function: "main.main", File: "/src/main.go", Line: 41},
				{Name: "wait for http", Function: "main.main", File: "/src/main.go", Line: 45, Idle: true}}
			main := gather.LaneFrame{ID: 1, Name: "main goroutine", Updater: true, End: 100, Nodes: []gather.Node{
				{ID: 1, Parent: -1}, {ID: 2, Zone: 1, Self: 20, Count: 1, Open: true},
				{ID: 3, Zone: 2, Parent: 1, Self: 80, Count: 1, Open: open}}}
			other := gather.LaneFrame{ID: 2, Name: "other", End: 100, Nodes: []gather.Node{{ID: 4, Parent: -1}}}
			for i, lane := range []gather.LaneFrame{main, other} {
				f := gather.Frame{Index: uint64(i), Begin: 100 * platform.Ticks(i), End: 100 * platform.Ticks(i+1),
					TicksPerSecond: 1000, Zones: zones, Lanes: []gather.LaneFrame{lane}}
				must.Do(t, w.WriteFrame(&f))
			}
			run := must.Get(runreport.Read(path))(t)
			if text := written(t, run); strings.Contains(text, pause) == open {
				t.Errorf("got\n%s\nwant %q only if it is over", text, pause)
			}
		})
	}
}

// game is the recording of a game of 100 frames. Each updates for 5 ms and waits for the display for 10. The first two
// load for 300 ms, and frame 60 saves for 90. The host waits in a zone of its own. Times are in microseconds.
func game(t *testing.T) *runreport.Run {
	t.Helper()
	path := filepath.Join(t.TempDir(), "game.iprof")
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	w := framefile.NewWriter(file, framefile.Info{Program: "game"})
	begin := platform.Ticks(0)
	for i := range uint64(100) {
		load, save := platform.Ticks(0), platform.Ticks(0)
		if i < 2 {
			load = 300_000
		} else if i == 60 {
			save = 90_000
		}
		end := begin + 15_000 + load + save
		f := gather.Frame{Index: i, Begin: begin, End: end, TicksPerSecond: 1e6,
			CPU: 6*time.Millisecond + time.Duration(save)*time.Microsecond,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "update", Function: "main.update"},
				{Name: "save", Function: "main.save"}, {Name: "load", Function: "main.load"},
				{Name: "(between frames)", Function: "example.com/iprof/hosts/ebitengine.Wrap", Idle: true}},
			Lanes: []gather.LaneFrame{{ID: 1, Begin: begin, End: end, Updater: true, Nodes: []gather.Node{
				{ID: 1, Parent: -1}, {ID: 2, Zone: 1, Self: 5000, Count: 1}, {ID: 3, Zone: 2, Self: save, Parent: 1,
					Count: uint32(min(save, 1))}, {ID: 4, Zone: 3, Self: load}, {ID: 5, Zone: 4, Self: 10_000}}}}}
		if begin = end; w.WriteFrame(&f) != nil {
			t.Fatal("no frame is written")
		}
	}
	must.Do(t, w.Close())
	run := must.Get(runreport.Read(path))(t)
	run.Notes.Ended = true
	return run
}

// The first sentence is on the slowest frame, without the start. The wait of a host for the display is a wait, and not
// the profiler's time.
func TestTheReportOfAGameIsAboutItsFrames(t *testing.T) {
	var b strings.Builder
	must.Do(t, game(t).Write(&b, runreport.Options{Frames: true}))
	if !strings.HasPrefix(b.String(), "Frame 60: +90.0 ms. save 90.0 (usually not called), called by update.\n") {
		t.Errorf("the first sentence is not on frame 60:\n%s", &b)
	}
	for _, want := range []string{"start: 630 ms in the first 2 frames\n97 frames: median 15.00 ms, ",
		", profiler 0.0 % of it", "Wrap: (between frames)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("there is no %q in\n%s", want, &b)
		}
	}
	if n := strings.Count(b.String(), "Frame 60"); n != 1 {
		t.Errorf("frame 60 is explained %d times:\n%s", n, &b)
	}
}
