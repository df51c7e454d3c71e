//go:build !iprof_off

package exectrace_test

import (
	"bytes"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/tables"
)

// In a program of one goroutine a zone that takes less makes each frame as much shorter.
func TestGainOfAProgramWithOneGoroutine(t *testing.T) {
	needZones(t)
	file := programs[0].record(t)
	gains := must.Get(tables.Read(bytes.NewReader(file), &tables.Choice{Kind: tables.Find("gain")}))(t)
	times := must.Get(tables.Read(bytes.NewReader(file), &tables.Choice{Kind: tables.Top}))(t)
	took := map[string]float64{}
	for _, row := range times.Rows {
		took[row.Name] = row.Values[1]
	}
	found := 0
	for _, row := range gains.Rows {
		least, most := row.Values[4], row.Values[5]
		if row.Name != "part" && row.Name != "other" && row.Name != "after" {
			continue
		}
		found++
		if least < 0 || most < least || most > 1.02*took[row.Name] || most < took[row.Name]/2 {
			t.Errorf("%s: got %v to %v ms of a frame; want up to its time of %v", row.Name, least, most, took[row.Name])
		}
		if fifth := row.Values[1]; fifth < 0.15*most || fifth > 0.25*most {
			t.Errorf("%s: got %v ms with a fifth less; want a fifth of %v", row.Name, fifth, most)
		}
	}
	if found != 3 || len(gains.Notes) == 0 || !strings.Contains(gains.Notes[0], "took 20 % less, a frame would be ") {
		t.Errorf("got %d zones and %q; want three and a sentence", found, gains.Notes)
	}
}
