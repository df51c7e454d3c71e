package sampled_test

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/sampled"
	"example.com/iprof/process/report"
)

// A sample is in the zone that began last above its line, of the innermost function with such a zone.
func TestTheZoneOfAStack(t *testing.T) {
	zones := sampled.FunctionsOf([]gather.ZoneInfo{
		{Name: "(root)"},
		{Name: "load", Function: "main.load", File: "load.go", Line: 10},
		{Name: "decode", Function: "main.load", File: "load.go", Line: 20},
		{Name: "lock", Function: "main.load", File: "load.go", Line: 25, Idle: true},
		{Name: "main", Function: "main.main", File: "main.go", Line: 5},
	})
	main := sampled.Line{Function: "main.main", File: "main.go", Line: 8}
	load := func(file string, line int) sampled.Line {
		return sampled.Line{Function: "main.load", File: file, Line: line}
	}
	for _, c := range []struct {
		stack []sampled.Line
		level int
		zone  report.ZoneID
	}{
		{nil, 0, 0},
		{[]sampled.Line{{Function: "runtime.mallocgc"}}, 1, 0},
		{[]sampled.Line{{Function: "runtime.mallocgc"}, load("load.go", 15), main}, 1, 1},
		{[]sampled.Line{load("load.go", 30), main}, 0, 2},
		{[]sampled.Line{load("load.go", 9), main}, 1, 4},   // before its zone began
		{[]sampled.Line{load("grammar.y", 9), main}, 0, 2}, // a //line directive: its lines say nothing
	} {
		if level, zone := zones.Find(c.stack); level != c.level || zone != c.zone {
			t.Errorf("%v: got zone %d at %d; want %d at %d", c.stack, zone, level, c.zone, c.level)
		}
	}
}
