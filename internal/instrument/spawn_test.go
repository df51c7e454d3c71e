package instrument_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
)

// TestTheReportOfGoStatements: the table has the goroutines of each go statement, and its times are those of the zones
// in the report above: the zone with the statement, its wait, and the function that its goroutines run.
func TestTheReportOfGoStatements(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := filepath.Join(copied(t, "corpus"), "spawn")
	plan := planned(t, dir, instrument.Options{})
	program := filepath.Join(built(t, dir, plan), "spawn")
	report := reported(t, program)
	find := func(pattern string) []float64 {
		m := regexp.MustCompile(pattern).FindStringSubmatch(report)
		if m == nil {
			t.Fatalf("the report has no %s:\n%s", pattern, report)
		}
		var numbers []float64
		for _, text := range m[1:] {
			n := must.Get(strconv.ParseFloat(text, 64))(t)
			numbers = append(numbers, n)
		}
		return numbers
	}
	const number = ` +([\d.]+)`
	const crowd = ` +"main\.\(\*pool\)\.crowd main\.go:33, in main > \(\*pool\)\.crowd"`
	row := find(` 12` + number + number + number + crowd)
	own := find(`[\d.]+` + number + ` +\S+ +1 +0 +\(\*pool\)\.crowd `)
	forked := find(`[\d.]+` + number + ` +\S+ +12 +0 +\(\*pool\)\.work `)
	waited := find(`[\d.]+` + number + ` +\S+ +1 +0 +wait for p\.wait `)[0]
	waited += find(`[\d.]+` + number + ` +\S+ +\d+ +0 +wait for done +main\.\(\*pool\)\.crowd `)[0]
	if row[0] != own[0] || row[1] != forked[0] || math.Abs(row[2]-waited) > 0.0011 { // each is rounded
		t.Errorf("own, forked, waited: %v; want %v, %v, %v:\n%s", row, own[0], forked[0], waited, report)
	}
	find(` 1 +0 +wait for g\[\] +main\.all +main\.go:54 +\[idle\]`)               // its result is used
	find(` 2` + number + number + number + ` +"main\.nested\.func1 main\.go:64"`) // two in one line
	find(` 1` + number + number + number + ` +"main\.nested main\.go:64, in nested"`)

	var data struct {
		Starts []struct {
			Place      string
			Path       []string
			Paths      int
			Goroutines int
			Own        float64 `json:"own_ms"`
			Forked     float64 `json:"forked_ms"`
			Waited     float64 `json:"waited_ms"`
		} `json:"go_statements"`
	}
	must.Do(t, json.Unmarshal([]byte(reportedIn(t, program, "report.json")), &data))
	for _, s := range data.Starts {
		if s.Place == "main.(*pool).crowd main.go:33" && slices.Equal(s.Path, []string{"main", "(*pool).crowd"}) &&
			s.Goroutines == 12 && s.Paths == 1 && s.Own > 0 && s.Forked > 0 && s.Waited > 0 {
			return
		}
	}
	t.Errorf("the report as JSON has %+v; want the crowd", data.Starts)
}
