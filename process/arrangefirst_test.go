package process_test

import (
	"testing"

	"example.com/iprof/process/report"
)

// The rows of chosen zones come first, in the chosen order. The others keep theirs.
func TestChosenZonesComeFirst(t *testing.T) {
	times := map[string]float64{"a": 5, "b": 4, "c": 3, "d": 2, "e": 1}
	for want, first := range map[string][]string{"abcde": nil, "dabce": {"d"}, "ebacd": {"e", "b"},
		"cdabe": {"c", "x", "d"}} {
		a := report.Arranger{First: first}
		if got := rowsOf(&a, steadyReport(1, "a", times)); got != want {
			t.Errorf("%q first: got %s; want %s", first, got, want)
		}
	}
}
