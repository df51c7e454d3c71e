package capture_test

import (
	"bytes"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// idleSecond is a frame of a server that handles an event for 2 ms and waits for the rest of a second.
func idleSecond(index uint64, driven bool, budgets ...gather.ZoneBudget) *gather.Frame {
	begin := int64(index) * 1000
	f := &gather.Frame{Index: index, TicksPerSecond: 1000, EventDriven: driven, Budgets: budgets,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "handle"}}}
	f.Begin, f.End = platform.Ticks(begin), platform.Ticks(begin+1000)
	f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: f.Begin, End: f.End, Nodes: []gather.Node{
		{Parent: -1, Self: 998}, {ID: 1, Zone: 1, Self: 2, Count: 1}}}}
	return f
}

// TestSettingsTravel: what changes the meaning of numbers is in the file, and is as it was at each frame. A session
// that reads it passes it on.
func TestSettingsTravel(t *testing.T) {
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	handle := gather.ZoneBudget{Zone: 1, Budget: time.Millisecond}
	for i := range uint64(600) { // beyond a key
		f := idleSecond(i, i >= 10, handle)
		if i < 5 {
			f.Budgets = nil
		}
		must.Do(t, w.WriteFrame(f))
	}
	must.Do(t, w.Close())
	check := func(what string, s *process.Session, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if !s.EventDriven() || s.Budget(1) != time.Millisecond {
			t.Errorf("%s: got event-driven %v, budget %v; want true, 1 ms", what, s.EventDriven(), s.Budget(1))
		}
		var r report.Report
		if s.View().AppendReportOf(&r, report.View{Average: report.AverageInstant}); r.Frame.Busy > 3 {
			t.Errorf("%s: got %v ms busy; want 2", what, r.Frame.Busy)
		}
	}
	var again bytes.Buffer
	second := framefile.NewWriter(&again, capture.Info{})
	s := process.NewSession()
	defer s.AddSink(second)()
	_, err := framefile.Load(s, bytes.NewReader(file.Bytes()))
	check("all", s, err)
	must.Do(t, second.Close())
	s = process.NewSession()
	_, err = framefile.Load(s, bytes.NewReader(again.Bytes()))
	check("read and written again", s, err)
	s = process.NewSession()
	_, _, err = framefile.LoadNewest(s, bytes.NewReader(file.Bytes()), 20)
	check("newest", s, err)
}
