package report_test

import (
	"strings"
	"testing"

	"example.com/iprof/process/report"
)

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
