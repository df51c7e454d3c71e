package process

import (
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// A history that memory cuts short keeps the newest frames, and says so.
func TestCutHistoryIsTold(t *testing.T) {
	defer func(was int) { history.SeriesBytes = was }(history.SeriesBytes)
	history.SeriesBytes = 1 << 20
	s := NewSession()
	s.SetHistory(5000, 5000)
	f := gather.Frame{TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true,
			Nodes: []gather.Node{{Parent: -1}, {ID: 1, Zone: 1, Count: 1, Self: 5}}}}}
	said := func() bool {
		var r report.Report
		s.View().AppendReport(&r)
		return slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "5000 asked for") })
	}
	for i := range 4000 {
		f.Index = uint64(i)
		f.Begin = f.End
		f.End += 10
		if s.WriteFrame(&f) != nil {
			t.Fatal("the frame is not valid")
		}
		if i == 1000 && said() {
			t.Error("the history is said to be cut short before it is")
		}
	}
	if n := s.store.Past.Length(); n < 1000 || n >= 4000 || s.store.Past.Memory() > 1<<20 || !said() {
		t.Errorf("got %d frames of %d bytes, told %v; want some thousand, 1 MB and true", n,
			s.store.Past.Memory(), said())
	}
}
