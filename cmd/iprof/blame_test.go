package main

import (
	"math"
	"testing"

	"example.com/iprof/internal/asjson"
)

// verdicts -by zone sums what the verdicts blame, and -zone leaves the verdicts that blame a zone.
func TestVerdictsByWhatTheyBlame(t *testing.T) {
	path := uneven(t)
	inBothWays(t, func(t *testing.T) {
		for _, flags := range []string{"", " -frames 100-300,over", " -budget 35ms"} {
			late, excess := map[asjson.Text]float64{}, map[asjson.Text]float64{}
			for _, v := range readRows(t, "verdicts"+flags, path).Verdicts {
				if len(v.Causes) > 0 {
					late[v.Causes[0].Zone]++
					excess[v.Causes[0].Zone] += v.Causes[0].Excess
				}
			}
			rows := rowsOf(t, "verdicts -by zone"+flags, path)
			for _, row := range rows {
				n, ms := float64(row.Values["late_frames"]), float64(row.Values["excess_ms"])
				if n != late[row.Name] || math.Abs(ms-excess[row.Name]) > 1e-6 {
					t.Errorf("%q: got %v frames, %v ms of %s; want %v, %v", flags, n, ms, row.Name, late[row.Name],
						excess[row.Name])
				}
				of := readRows(t, "verdicts -zone "+string(row.Name)+flags, path).Verdicts
				if float64(len(of)) != n {
					t.Errorf("%q: got %d verdicts that blame %s; want %v", flags, len(of), row.Name, n)
				}
			}
			if len(rows) != len(late) || len(rows) == 0 {
				t.Errorf("%q: got %d rows; want %d", flags, len(rows), len(late))
			}
		}
	})
}
