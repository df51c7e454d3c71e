package report_test

import (
	"testing"

	"example.com/iprof/process/report"
)

// A frame is not late because of the wait for the display that follows from its work.
func TestWhatAVerdictBlames(t *testing.T) {
	wait := report.Cause{Kind: report.CauseWaiting, Zone: 1, Name: "vsync"}
	work := report.Cause{Kind: report.CauseMoreCalls, Zone: 2, Name: "walls"}
	for _, causes := range [][]report.Cause{{wait, work}, {work, wait}, {work}} {
		v := report.Verdict{Causes: causes}
		if kind, zone, name := v.Blames(); kind != report.CauseLonger || zone != 2 || name != "walls" {
			t.Errorf("got %v, zone %d, %q; want walls", kind, zone, name)
		}
	}
	away := report.Cause{Kind: report.CauseAway}
	first := report.Verdict{Causes: []report.Cause{away, work}}
	second := report.Verdict{Causes: []report.Cause{work, away}}
	if kind, zone, name := first.Blames(); kind != report.CauseAway || zone != -1 || name != "machine busy" {
		t.Errorf("mostly away: got %v, zone %d, %q; want the machine", kind, zone, name)
	}
	if kind, zone, _ := second.Blames(); kind != report.CauseLonger || zone != 2 {
		t.Errorf("mostly work: got %v, zone %d; want walls", kind, zone)
	}
	v := report.Verdict{Causes: []report.Cause{{Kind: report.CauseCollector, Zone: 2, Name: "walls"}}}
	if _, zone, name := v.Blames(); zone != -1 || name != "collector" {
		t.Errorf("a collection: got zone %d, %q; want the collector", zone, name)
	}
}
