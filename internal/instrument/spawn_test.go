package instrument_test

import (
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"example.com/iprof/internal/instrument"
)

// TestTheReportOfGoStatements: the table has the goroutines of each go statement, and its times are those of the zones
// in the report above: the zone with the statement, its wait, and the function that its goroutines run.
func TestTheReportOfGoStatements(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := filepath.Join(copied(t, "corpus"), "spawn")
	plan := planned(t, dir, instrument.Options{})
	report := reported(t, filepath.Join(built(t, dir, plan), "spawn"))
	find := func(pattern string) []float64 {
		m := regexp.MustCompile(pattern).FindStringSubmatch(report)
		if m == nil {
			t.Fatalf("the report has no %s:\n%s", pattern, report)
		}
		var numbers []float64
		for _, text := range m[1:] {
			n, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, n)
		}
		return numbers
	}
	const number = ` +([\d.]+)`
	const crowd = ` +"main\.\(\*pool\)\.crowd main\.go:33, in main > \(\*pool\)\.crowd"`
	row := find(` 12` + number + number + number + crowd)
	own := find(`[\d.]+` + number + ` +\S+ +1 +0 +\(\*pool\)\.crowd `)
	forked := find(`[\d.]+` + number + ` +\S+ +12 +0 +\(\*pool\)\.work `)
	waited := find(`[\d.]+` + number + ` +\S+ +1 +0 +wait for p\.wait `)
	if row[0] != own[0] || row[1] != forked[0] || row[2] != waited[0] {
		t.Errorf("own, forked, waited: %v; want %v, %v, %v:\n%s", row, own[0], forked[0], waited[0], report)
	}
	find(` 1 +0 +wait for g\[\] +main\.all +main\.go:54 +\[idle\]`)               // its result is used
	find(` 2` + number + number + number + ` +"main\.nested\.func1 main\.go:64"`) // two in one line
	find(` 1` + number + number + number + ` +"main\.nested main\.go:64, in nested"`)
}
