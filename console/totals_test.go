package console

import (
	"bytes"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// afterward returns a session whose zone "db" was entered only in the first frame, on a goroutine that ended with it.
// All frames of the history are later ones.
func afterward(t *testing.T) *process.Session {
	t.Helper()
	s := process.NewSession()
	s.SetHistory(20, 20)
	s.View().SetAverage(report.AverageInstant)
	zones := []gather.ZoneInfo{{Name: "(root)"}, {Name: "update"}, {Name: "db"}}
	for i := range uint64(60) {
		begin := platform.Ticks(i+1) * 1000
		f := &gather.Frame{Index: i, TicksPerSecond: 1e6, Begin: begin, End: begin + 1000, Zones: zones}
		f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: begin, End: begin + 1000,
			Nodes: []gather.Node{{Parent: -1, Self: 400}, {ID: 1, Zone: 1, Count: 1, Self: 600}}}}
		if i == 0 {
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: 2, Name: "request", Begin: begin, End: begin + 900,
				Nodes: []gather.Node{{ID: 2, Parent: -1, Self: 100}, {ID: 3, Zone: 2, Count: 1, Self: 800}}})
		}
		must.Do(t, s.WriteFrame(f))
	}
	return s
}

// TestCommandsFindEveryZoneOfTheTotals names a zone whose goroutine has ended, in each command that takes a zone.
func TestCommandsFindEveryZoneOfTheTotals(t *testing.T) {
	for _, line := range []string{"calls db off", "mute db off", "zone-budget db 4ms", "select db", "pin db"} {
		t.Run(line, func(t *testing.T) {
			var b bytes.Buffer
			if err := Command(afterward(t), &b, line); err != nil || !strings.Contains(b.String(), "db") {
				t.Errorf("got %v, %q; want the zone found", err, &b)
			}
		})
	}
}
