package report_test

import (
	"strings"
	"testing"

	"example.com/iprof/process/report"
)

// A frame that only waited while it was blocked says for whom, and nothing of other waits.
func TestPartsOfABlockedFrame(t *testing.T) {
	for _, c := range []struct {
		frame report.FrameInfo
		want  string
	}{
		{report.FrameInfo{Length: 16, Busy: 14}, "14.0 busy + 2.0 waiting"},
		{report.FrameInfo{Length: 16, Busy: 4, Blocked: 7}, "4.0 busy + 7.0 blocked + 5.0 waiting"},
		{report.FrameInfo{Length: 16, Busy: 4, Blocked: 12}, "4.0 busy + 12.0 blocked"},
		{report.FrameInfo{Length: 16, Busy: 4, Blocked: 12, Joined: 12, Worker: "loader"},
			"4.0 busy + 12.0 blocked by loader"},
		{report.FrameInfo{Length: 16, Busy: 4, Blocked: 7, Joined: 12, Worker: "loader"},
			"4.0 busy + 7.0 blocked + 5.0 waiting for loader"},
	} {
		if got := string(c.frame.AppendParts(nil, 1)); got != c.want {
			t.Errorf("got %q; want %q", got, c.want)
		}
	}
}

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

// The target of a verdict is its main cause, or the next one if the main cause has no place of its own.
func TestTargetOfAVerdict(t *testing.T) {
	zone := report.Cause{Kind: report.CauseLonger, Name: "zone"}
	for kind := range report.CauseAway + 1 {
		first := report.Cause{Kind: kind, Name: "first"}
		v := report.Verdict{Causes: []report.Cause{first, zone}}
		want := "first"
		if kind == report.CauseSpread || kind == report.CauseLargest || first.OfMachine() {
			want = "zone"
		}
		if got := v.Target().Name; got != want {
			t.Errorf("%v, then a zone: got %s; want %s", kind, got, want)
		}
		if v.Causes = v.Causes[:1]; v.Target().Name != "first" {
			t.Errorf("%v alone: got %q; want it", kind, v.Target().Name)
		}
	}
	if away := (report.Cause{Kind: report.CauseAway}); !away.OfMachine() || zone.OfMachine() {
		t.Error("the machine takes time away, and zones do not; got the opposite")
	}
}

// A time without the part that was away says so, also below a millisecond.
func TestAPartOfItsOwnTime(t *testing.T) {
	for taken, want := range map[float64]bool{0: false, 0.4: true, 3: true} {
		v := report.Verdict{Frames: 1, Excess: 9, Causes: []report.Cause{
			{Kind: report.CauseLonger, Name: "zone", Time: 9, Taken: taken, Certain: true}}}
		if got := strings.Contains(v.String(), " of its own"); got != want {
			t.Errorf("%v ms away: got %q", taken, v.String())
		}
	}
}
