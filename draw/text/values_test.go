package text_test

import (
	"bytes"
	"strings"
	"testing"

	"example.com/iprof/draw/text"
	"example.com/iprof/process/report"
)

// An average that fades never quite reaches nothing; a level may well be that small.
func TestFadedCountsAreNothing(t *testing.T) {
	r := report.Report{Values: []report.FrameValue{
		{Name: "shots", Kind: report.ValueCount, Value: 4.7e-16, Max: 3},
		{Name: "leak", Kind: report.ValueLevel, Value: 4.7e-9, Mean: 4.7e-9, Max: 4.7e-9},
	}}
	var b bytes.Buffer
	if err := text.WriteReport(&b, &r, text.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); strings.Contains(got, "e-16") || !strings.Contains(got, "4.7e-09") {
		t.Errorf("got %q; want 0 for the count, 4.7e-09 for the level", got)
	}
}
