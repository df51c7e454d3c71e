package text

import (
	"fmt"
	"slices"
	"strconv"

	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

// mostCallRows is the greatest number of zones in the table of single calls. A line counts the other zones.
const mostCallRows = 50

// calls writes the durations of single calls since start, of the zones that count them, with their distribution.
func (t *table) calls() {
	rows := t.r.Calls
	if len(rows) == 0 {
		return
	}
	names := leastName
	for i := range rows[:min(len(rows), mostCallRows)] {
		names = max(names, 2+displayWidth(shown(rows[i].Name)))
	}
	most := 0.
	for i := range rows {
		most = max(most, rows[i].Times.Max)
	}
	unit := report.TimeUnitOf(most).Plain()
	of := unit.Heading(" ms", true)
	cells := []string{"calls", "p50" + of, "p99" + of, "max" + of}
	bars := true
	if room := t.room(); room > 0 {
		if bars = room >= leastName+len(cells)*cellValue+report.CallBars+4; !bars {
			cells = cells[:min(len(cells), max((room-leastName)/cellValue, 1))]
		}
		names = max(min(names, room-len(cells)*cellValue), narrowest)
	}
	t.p.put("\n")
	ending := ""
	if bars {
		ending = "  shortest to longest"
	}
	t.callLine("single calls", names, cells, ending)
	decimals := t.resolvable(3)
	for i := range rows[:min(len(rows), mostCallRows)] {
		r := rows[i]
		s := &r.Times
		all := []string{strconv.FormatUint(r.Count, 10)}
		for _, ms := range [...]float64{s.P50, s.P99, s.Max} {
			all = append(all, string(unit.Append(nil, ms, decimals)))
		}
		if bars {
			ending = "  |" + callBars(r.Bars) + "|"
		}
		if r.Missing > 0 && bars {
			ending += fmt.Sprintf(" %d open or not counted", r.Missing)
		}
		t.callLine(shown(r.Name), names, all[:len(cells)], ending)
	}
	if n := len(rows) - mostCallRows; n > 0 {
		t.p.put(t.fit(fmt.Sprintf("… and %d more", n)), "\n")
	}
}

func (t *table) callLine(name string, width int, cells []string, ending string) {
	t.cursor(false)
	t.p.left(cutName(name, width), width)
	for _, c := range cells {
		t.p.right(c, cellValue)
	}
	t.p.put(ending, "\n")
}

// callBars draws numbers of calls. Even a single call is visible.
func callBars(bars []uint64) string {
	line, most := "", max(1, slices.Max(bars))
	for _, n := range bars {
		line += printed.Bar(float64(n)/float64(most), false)
	}
	return line
}
