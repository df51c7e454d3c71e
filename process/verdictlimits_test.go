package process_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// verdictAfter returns the causes of a frame that comes after 60 usual ones: "kind zone" of each, the first first.
func verdictAfter(t *testing.T, usual, slow string, names ...string) (causes []string) {
	t.Helper()
	s := process.NewSession()
	s.View().SetAverage(report.AverageInstant)
	for i := range uint64(60) {
		write(t, s, tree(i, names, usual))
	}
	write(t, s, tree(60, names, slow))
	var v report.Verdict
	s.VerdictOf(&v, 0)
	for i := range v.Causes {
		causes = append(causes, fmt.Sprint(v.Causes[i].Kind, " ", v.Causes[i].Name))
	}
	return causes
}

// A path with half as many calls more is slow because of the calls, and one with less than that took longer.
func TestMoreCallsAreTheCauseFromHalfMoreOn(t *testing.T) {
	const usual = "load 16 8\ndraw 4 1\n"
	for calls, want := range map[int]report.CauseKind{8: report.CauseLonger, 11: report.CauseLonger,
		12: report.CauseMoreCalls, 13: report.CauseMoreCalls, 16: report.CauseMoreCalls} {
		slow := fmt.Sprintf("load 32 %d\ndraw 4 1\n", calls)
		if calls > 8 && calls < 16 { // the calls explain two thirds of the excess
			slow = fmt.Sprintf("load %d %d\ndraw 4 1\n", 16+3*(calls-8), calls)
		}
		got := verdictAfter(t, usual, slow, "load", "draw")
		if len(got) != 1 || got[0] != fmt.Sprint(want, " load") {
			t.Errorf("%d calls where 8 are usual: got %q; want %v", calls, got, want)
		}
	}
}

// The callers of a cause are no causes of what is left, also if they were called more often. What is left is in another
// callee.
func TestTheSecondCauseIsNotAboveTheFirst(t *testing.T) {
	const usual = "step 1 1\n  move 3 1\n  hit 2 1\nrest 4 1\n"
	const slow = "step 1 2\n  move 23 1\n  hit 10 1\nrest 4 1\n"
	got := verdictAfter(t, usual, slow, "step", "move", "hit", "rest")
	want := []string{fmt.Sprint(report.CauseLonger, " move"), fmt.Sprint(report.CauseLonger, " hit")}
	if !slices.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
}
