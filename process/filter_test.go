package process_test

import (
	"testing"

	"example.com/iprof/process/report"
)

// A filter asks for a part of the name, for a package, for a time, or for all of them.
func TestFiltersOfPackagesAndTimes(t *testing.T) {
	for filter, want := range map[string]string{
		"": "think find path draw", "path": "find path", "pkg:ai": "think find path", "PKG:AI thi": "think",
		">5ms": "find path draw", ">5": "find path draw", "draw >5ms": "draw", ">0.02s": "draw", ">7000us": "draw",
		"pkg:ai >5ms": "find path", ">5ms pkg:ai find p": "find path", "find path pkg:ai": "find path",
		"pkg:ai draw": "", "pkg:": "think find path draw", ">": "think find path draw", ">x": "",
	} {
		t.Run(filter, func(t *testing.T) {
			r := report.Report{}
			for _, row := range []struct {
				pkg, name string
				ms        float64
			}{{"game/ai", "think", 2}, {"game/ai", "find path", 6}, {"game/render", "draw", 30}} {
				rec := report.Record{Name: row.name, Package: row.pkg, Mask: report.ColumnsOf(report.ColumnHier)}
				rec.Values[report.ColumnHier] = row.ms
				r.Records = append(r.Records, rec)
			}
			r.View.Filter = report.FilterText(filter)
			var a report.Arranger
			a.Arrange(&r, nil, nil)
			got := ""
			for i := range r.Len() {
				if rec, _ := r.Line(i); got == "" {
					got = rec.Name
				} else {
					got += " " + rec.Name
				}
			}
			if got != want {
				t.Errorf("got %q; want %q", got, want)
			}
		})
	}
}

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
