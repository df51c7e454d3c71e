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
		s.AppendReport(&r)
		return slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "5000 asked for") })
	}
	for i := range 4000 {
		if f.Index, f.Begin, f.End = uint64(i), f.End, f.End+10; s.WriteFrame(&f) != nil {
			t.Fatal("the frame is not valid")
		}
		if i == 1000 && said() {
			t.Error("the history is said to be cut short before it is")
		}
	}
	if n := s.past.Length(); n < 1000 || n >= 4000 || s.past.Memory() > 1<<20 || !said() {
		t.Errorf("got %d frames of %d bytes, told %v; want some thousand, 1 MB and true", n, s.past.Memory(), said())
	}
}

// Beyond their memory, sorted histories are made anew each time: slower, and the same.
func TestWindowsAreBounded(t *testing.T) {
	var s builder
	s.resize(history.DefaultFrames, history.DefaultFrames)
	s.past.Zones.Grow(1)
	trace := new(history.Chunks).NewSeries(nil)
	for seq := range uint64(400) {
		trace.Put(seq, float32(seq*7919%400))
	}
	s.past.Next = 400
	want := slices.Clone(s.sorted(&row{path: -1}, &report.View{}, &trace, 0, true))
	s.windows.Bytes = history.WindowBytes
	if got := s.sorted(&row{path: -1}, &report.View{}, &trace, 0, false); !slices.Equal(got, want) ||
		s.windows.Bytes != history.WindowBytes {
		t.Errorf("got %d values, %d bytes; want the same %d, no more bytes", len(got), s.windows.Bytes, len(want))
	}
	if s.windows.Zones[0].Self.Made() {
		t.Error("got a window beyond the memory for them")
	}
}
