package timeline

import (
	"testing"

	"example.com/iprof/process/report"
)

// Of 1,000 lanes with 40 scopes each, only the one that is looked at is summed up, and each band is found without a
// search.
func TestRowsNobodyLooksAtAreNotSummedUp(t *testing.T) {
	var lanes []Lane
	var scopes []Scope
	for i := range 1000 {
		lanes = append(lanes, Lane{ID: report.LaneID(i + 1), State: Whole})
		for k := range 40 {
			scopes = append(scopes, Scope{Lane: report.LaneID(i + 1), Begin: float64(k), End: float64(k) + 0.5})
		}
	}
	var tl Timeline
	for range 2 { // the second time with the memory of the first
		tl.Fill(0, 0, lanes, []Frame{{End: 40}}, scopes)
		if sum, _ := tl.Rows[7].Together(0, 40); sum != 20 {
			t.Errorf("got a sum of %v; want 20", sum)
		}
		for i := range tl.Rows {
			if r := &tl.Rows[i]; (r.summed > 0) != (i == 7) {
				t.Fatalf("row %d: got the sums of %d scopes; want those of row 7 alone", i, r.summed)
			}
		}
		if tl.nextBand != len(lanes) || len(tl.Bands) != len(lanes) {
			t.Errorf("got %d bands, the last one asked for before %d; want %d", len(tl.Bands), tl.nextBand, len(lanes))
		}
	}
}
