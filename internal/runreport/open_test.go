package runreport_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/runreport"
	"example.com/iprof/platform"
)

// TestAWaitAtTheEndIsNoPause: a server that a signal ends at rest was not held up by its wait for connections, also
// where its lane slept at the end. A wait that is over was a pause.
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
