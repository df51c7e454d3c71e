package process_test

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

var callsZone = gather.Zone{Name: "counted by call"}

func TestCallsOfAZoneAreCounted(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured")
	}
	s := process.Default()
	callsZone.Begin().End()
	s.Update()
	zone := int32(-1)
	for _, n := range s.AppendTotals(nil) {
		if s.Zone(n.Zone).Name == callsZone.Name {
			zone = n.Zone
		}
	}
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
	if got := process.NewSession().AppendCalls(nil, zone); got != nil {
		t.Errorf("another session: got %v; want none", got)
	}
}
