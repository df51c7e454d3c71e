package viewer

import (
	"testing"

	"example.com/iprof/process/report"
)

func TestViewsGoBackAndForth(t *testing.T) {
	var v views
	at := report.View{}
	to := func(next report.View) { v.record(at, next); at = next }
	to(report.View{Mode: report.ReportCallGraph, Focus: 3})
	to(report.View{Mode: report.ReportCallGraph, Focus: 3, Cursor: 5}) // the cursor is no step
	for age := range 20 {
		to(report.View{Mode: report.ReportCallGraph, Focus: 3, Age: age + 1}) // a walk is one
	}
	to(report.View{Mode: report.ReportCallTree, Age: 20})
	var ages []int
	for {
		then, ok := v.back(at)
		if !ok {
			break
		}
		ages, at = append(ages, then.Age), then
	}
	if len(ages) != 3 || ages[0] != 20 || ages[1] != 0 || at.Mode != report.ReportSelfTime {
		t.Errorf("back: got ages %v, at last mode %d; want 20, 0, 0 and the first mode", ages, at.Mode)
	}
	if then, ok := v.forth(at); !ok || then.Focus != 3 {
		t.Errorf("forth: got %+v, %v; want zone 3", then, ok)
	}
	for i := range 2 * mostViews {
		to(report.View{Focus: report.ZoneID(i + 10)})
	}
	if len(v.past) != mostViews || len(v.future) != 0 {
		t.Errorf("many steps: got %d back, %d forth; want %d, 0", len(v.past), len(v.future), mostViews)
	}
}
