package runreport_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
	"example.com/iprof/platform"
)

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
		f := gather.Frame{Index: i, Begin: begin, End: end, TicksPerSecond: 1e6, CPU: 6 * time.Millisecond,
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

// TestTheReportOfAGameIsAboutItsFrames: the first sentence is on the slowest frame, without the start. The wait of a
// host for the display is a wait, and not the profiler's time.
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
