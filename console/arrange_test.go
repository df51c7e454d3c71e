package console

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/iprof/process/report"
)

func TestCommandsArrangeTheReport(t *testing.T) {
	for _, test := range []typed{
		{"sort count", "sorted by count, down", func(v report.View) bool {
			return v.Order == report.Order{Chosen: true, By: report.ColumnCount}
		}},
		{"sort count up", "sorted by count, up", func(v report.View) bool { return v.Order.Ascending }},
		{"sort zone", "sorted by zone, up", func(v report.View) bool { return v.Order.By == report.ColumnName }},
		{"sort hier_max_ms;sort usual", "sorted as usual", func(v report.View) bool { return !v.Order.Chosen }},
		{"sort count;sort self", "sorted by self time", func(v report.View) bool { return !v.Order.Chosen }},
		{"baseline;sort delta_ms", "sorted by delta_ms, down",
			func(v report.View) bool { return v.Order.By == report.ColumnDelta }},
		{"sort zone;cursor 0", "cursor 0 of 30: (root)", nil},
		{"sort zone;cursor 0;cursor +3", "cursor 3 of 30: ", nil},
		{"filter PHYS", `filter "phys": 1 of 30 rows`, func(v report.View) bool { return v.Filter == "phys" }},
		{"filter phys;filter off", "filter off", func(v report.View) bool { return v.Filter == "" }},
		{"filter", "filter off", nil},
		{"filter phys;report", `find "phys"`, nil},
		{"group package", "group package", func(v report.View) bool { return v.Grouping == report.GroupingPackage }},
		{"group package;report", "= ", nil},
		{"group package;gro off;group", "group off", nil},
		{"baseline", "compare on: vs average of 0.8 s to frame 59", func(v report.View) bool { return v.Compare }},
		{"baseline;compare off", "compare off", func(v report.View) bool { return !v.Compare }},
		{"baseline;compare off;compare on;report", "delta %", nil},
		{"compare", "compare off", nil},
	} {
		t.Run(test.lines, test.run)
	}
}

func TestWrongArrangementsSayWhatIsWrong(t *testing.T) {
	for line, want := range map[string]string{
		"compare on": "no baseline", "sort delta_ms": "nothing is compared", "sort nonsense": "no column",
		"sort count sideways": "no direction", "group lane": "no grouping",
	} {
		t.Run(line, func(t *testing.T) {
			var b bytes.Buffer
			if err := Command(replayed(t, 3), &b, line); err == nil || !strings.Contains(b.String(), want) {
				t.Errorf("%s: got %q, error %v; want %q in both", line, b.String(), err, want)
			}
		})
	}
}

// TestComplaintsAreEscaped types what a terminal would obey, in every word that takes an argument.
func TestComplaintsAreEscaped(t *testing.T) {
	s := replayed(t, 3)
	hostile := "no such/\x1b[31m\u202e\a\x7f\r\xff.html"
	for _, word := range names() {
		for _, line := range []string{word + " " + hostile, hostile} {
			var b bytes.Buffer
			_ = Command(s, &b, line)
			if got := b.String(); strings.ContainsAny(got, "\x1b\a\r\x7f\u202e") || !utf8.ValidString(got) {
				t.Errorf("%q: got %q; want no control characters", line, got)
			}
		}
	}
}
