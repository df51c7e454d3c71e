package report_test

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"example.com/iprof/process/report"
)

// A column in which one zone took minutes and another microseconds.
func ExampleReport_UnitOf() {
	r := report.Report{Records: make([]report.Record, 3)}
	for i, ms := range []float64{36_680, 412.5, 0.0063} {
		r.Records[i].Put(report.ColumnSelf, ms)
	}
	unit := r.UnitOf(report.ColumnSelf)
	fmt.Println(unit.Heading("self ms", false))
	for i := range r.Records {
		fmt.Println(string(unit.Append(nil, r.Records[i].Values[report.ColumnSelf], 2)))
	}
	// Output:
	// self s
	// 36.68
	// 0.41
	// 0.0000063
}

// A number reads as its time, to two digits at least, whatever the unit of its column. None is longer than needed.
func TestTimesReadBackInEachUnit(t *testing.T) {
	for most := 1e-6; most < 1e9; most *= 3.7 {
		unit := report.TimeUnitOf(most)
		if most/unit.MS > 99_999 || most/unit.MS < 0.1 && unit.Name != "ns" {
			t.Errorf("largest %v ms: got the unit %s", most, unit.Name)
		}
		for ms := most; ms > max(1e-6, most*1e-6); ms /= 2.3 {
			for _, v := range []float64{ms, -ms} {
				text := string(unit.Append(nil, v, 2))
				back, err := strconv.ParseFloat(text, 64)
				if err != nil || math.Abs(back*unit.MS-v) > 0.5*math.Abs(v) || back == 0 || len(text) > 12 {
					t.Errorf("%v ms in %s: got %q", v, unit.Name, text)
				}
			}
		}
	}
	for _, v := range []float64{0, math.NaN(), math.Inf(1)} {
		if got := report.TimeUnitOf(v); got != report.Milliseconds {
			t.Errorf("largest %v: got %v; want ms", v, got)
		}
	}
}
