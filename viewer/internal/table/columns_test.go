package table

import (
	"slices"
	"testing"

	"example.com/iprof/process/report"
)

func TestEveryColumnHasOnePlace(t *testing.T) {
	few := withOthers([]wish{{report.ColumnSelf, 84, 1000}, {ColumnSpark, 222, 400}})
	for c := range report.Column(report.NumColumns) {
		for _, list := range [][]wish{lists().wishes, few} {
			places := slices.DeleteFunc(slices.Clone(list), func(w wish) bool { return w.column != c })
			if len(places) != 1 || !(places[0].width >= 76) || places[0].rank >= 1100 {
				t.Errorf("%s: got the places %+v; want one, wide enough", c.Info().Name, places)
			}
		}
	}
	if last := few[len(few)-1].column; last != ColumnSpark {
		t.Errorf("got column %d at the right; want the line of the last frames", last)
	}
}

// Columns of a baseline and of the extra report come and go by themselves.
func TestColumnsThatComeAndGoAreNoChoices(t *testing.T) {
	choices := Choices()
	for _, c := range []report.Column{ColumnDelta, ColumnDeltaPercent, report.ColumnExtraSelf, report.ColumnExtraHier,
		report.ColumnExtraPercent} {
		if slices.Contains(choices, c) {
			t.Errorf("column %d: got a choice; want none", c)
		}
	}
	for _, c := range []report.Column{report.ColumnSelf, report.ColumnP99, ColumnBar, ColumnSpark} {
		if !slices.Contains(choices, c) {
			t.Errorf("column %d: got no choice; want one", c)
		}
	}
}
