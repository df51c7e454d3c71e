package text_test

import (
	"bytes"
	"strings"
	"testing"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/must"
	"example.com/iprof/process/report"
)

// An average that fades never quite reaches nothing; a level may well be that small.
func TestFadedCountsAreNothing(t *testing.T) {
	r := report.Report{Values: []report.FrameValue{
		{Name: "shots", Kind: report.ValueCount, Value: 4.7e-16, Max: 3},
		{Name: "leak", Kind: report.ValueLevel, Value: 4.7e-9, Mean: 4.7e-9, Max: 4.7e-9},
	}}
	var b bytes.Buffer
	must.Do(t, text.WriteReport(&b, &r, text.Options{}))
	if got := b.String(); strings.Contains(got, "e-16") || !strings.Contains(got, "4.7e-09") {
		t.Errorf("got %q; want 0 for the count, 4.7e-09 for the level", got)
	}
}

// TestSingleCalls: a row for each zone, with the distribution if there is room for it.
func TestSingleCalls(t *testing.T) {
	r := report.Report{Calls: []*report.CallRow{
		{Name: "GET /items/{id}", Count: 61, Missing: 2, Times: report.Summary{P50: 5.1234, P90: 6,
			P99: 9.87, Max: 12.5}, Bars: append(make([]uint64, report.CallBars-3), 60, 0, 1)},
		{Name: "GET /\x1b[2J", Count: 1, Bars: make([]uint64, report.CallBars)}}}
	for width, want := range map[int][]string{
		0: {"single calls ", "p99 ms", "GET /items/{id}                          61        5.123        9.870" +
			"       12.500  |                     @ .| 2 open or not counted\n", `GET /\x1b[2J `},
		80: {"GET /items/{id}                          61        5.123        9.870\n", `GET /\x1b[2J `},
	} {
		var b bytes.Buffer
		must.Do(t, text.WriteReport(&b, &r, text.Options{Width: width}))
		for _, w := range want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("width %d: got\n%s\nwant %q", width, &b, w)
			}
		}
	}
}
