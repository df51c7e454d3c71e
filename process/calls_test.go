//go:build !iprof_off

package process_test

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

func TestCallsOfAZoneAreCounted(t *testing.T) {
	s := process.Default()
	callsZone := &gather.Zone{Name: "counted by call"} // its calls are kept, so a repeated test has another
	callsZone.Begin().End()
	s.Update()
	zone, _ := callsZone.ID()
	s.SetPerCall(zone, true)
	defer s.SetPerCall(zone, false)
	callsZone.Begin().End() // the lane learns it at this one
	for range 100 {
		callsZone.Begin().End()
	}
	calls, last := uint64(0), -1.0
	for _, b := range s.AppendCalls(nil, zone) {
		calls += b.Count
		if b.Low <= last || b.High <= b.Low {
			t.Errorf("bucket %v after one from %v on; want them in order", b, last)
		}
		last = b.Low
	}
	if calls < 99 || calls > 101 {
		t.Errorf("calls: got %d; want 100, or one more or less", calls)
	}
	r := report.Report{WantCalls: true}
	s.View().AppendReport(&r)
	bars := uint64(0)
	for _, c := range r.Calls {
		if c.Zone == zone {
			for _, n := range c.Bars {
				bars += n
			}
			// P50 is 0 with a coarse clock
			ordered := c.Times.P50 <= c.Times.P99 && c.Times.P99 <= c.Times.Max && c.Times.Max > 0
			if c.Name != callsZone.Name || c.Count != calls || !ordered {
				t.Errorf("row: got %+v; want %d calls", c, calls)
			}
		}
	}
	if bars != calls {
		t.Errorf("bars: got %d calls in %d rows; want %d", bars, len(r.Calls), calls)
	}
	if r.WantCalls = false; len(r.Calls) == 0 {
		t.Error("no rows")
	}
	if s.View().AppendReport(&r); len(r.Calls) != 0 {
		t.Errorf("not wanted: got %v", r.Calls)
	}
	if got := process.NewSession().AppendCalls(nil, zone); got != nil {
		t.Errorf("another session: got %v; want none", got)
	}
}

// What was counted before a Reset stays out, also when its lane ends.
func TestCallsBeforeResetDoNotComeBack(t *testing.T) {
	s := process.Default()
	zone := gather.Zone{Name: "counted before Reset"}
	zone.SetPerCall(true)
	defer zone.SetPerCall(false)
	worked, end, ended := make(chan bool), make(chan bool), make(chan bool)
	go func() {
		defer close(ended)
		lane := gather.Register("worker")
		defer lane.Close()
		for range 100 {
			zone.Begin().End()
		}
		worked <- true
		<-end
		for range 10 {
			zone.Begin().End()
		}
	}()
	<-worked
	s.Update()
	s.Reset()
	end <- true
	<-ended
	s.Update()
	s.Update()
	id, _ := zone.ID()
	counted := uint64(0)
	for _, z := range s.Dump(report.DumpOptions{}).Statistics {
		if z.Zone == id {
			counted = z.CallsCounted
		}
	}
	if counted != 10 {
		t.Errorf("calls since Reset: got %d; want 10", counted)
	}
}
