package tables

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/process/report"
)

// verdictRow is a verdict with its first cause.
type verdictRow struct {
	capture int32
	*asjson.Verdict
	cause asjson.Cause
}

func verdictOf(capture int32, v *report.Verdict, zone func(report.ZoneID) gather.ZoneInfo) verdictRow {
	row := verdictRow{capture: capture, Verdict: asjson.VerdictOf(v, zone)}
	if len(row.Causes) > 0 {
		row.cause = row.Causes[0]
	}
	return row
}

func verdictsTable() *Table {
	m := maker[verdictRow]{func(s *Set) []verdictRow { return s.verdicts }}
	text := func(get func(c *asjson.Cause) asjson.Text) func(*Set, *verdictRow) string {
		return func(_ *Set, r *verdictRow) string { return string(get(&r.cause)) }
	}
	ms := func(get func(r *verdictRow) float64) func(*Set, *verdictRow) float64 {
		return func(_ *Set, r *verdictRow) float64 { return get(r) }
	}
	return m.table(Table{Name: "verdicts", Words: "a row for each late frame that has a verdict, with its first cause",
		parts: partVerdicts,
		Query: `select cause, zone, count(*), sum(excess_ms) from verdicts group by cause, zone order by 4 desc`,
		frame: func(s *Set, row int) int64 { return int64(s.verdicts[row].Frame) },
		Columns: slices.Concat([]Column{
			m.integer("frame", "its number", func(_ *Set, r *verdictRow) int64 { return int64(r.Frame) }),
			m.text("verdict", "the sentence", func(_ *Set, r *verdictRow) string { return string(r.Text) }),
			m.real("time_ms", "its length or its judged time", ms(func(r *verdictRow) float64 { return r.Time })),
			m.real("usual_ms", "of earlier frames", ms(func(r *verdictRow) float64 { return r.Usual })),
			m.real("excess_ms", "time less usual", ms(func(r *verdictRow) float64 { return r.Excess })),
			m.real("budget_ms", "frame budget", ms(func(r *verdictRow) float64 { return r.Budget })),
			m.real("rest_ms", "of the excess, not explained", ms(func(r *verdictRow) float64 { return r.Rest })),
			m.text("cause", "kind of the first cause", func(_ *Set, r *verdictRow) string { return r.cause.Kind }),
			m.integer("zone_id", "number of its zone", func(_ *Set, r *verdictRow) int64 { return int64(r.cause.ID) }),
			m.text("zone", "its zone", text(func(c *asjson.Cause) asjson.Text { return c.Zone })),
			m.text("function", "that enters it", text(func(c *asjson.Cause) asjson.Text { return c.Function })),
			m.text("source", "file of its source", text(func(c *asjson.Cause) asjson.Text { return c.File })),
			m.integer("line", "line there", func(_ *Set, r *verdictRow) int64 { return int64(r.cause.Line) }),
			m.text("lane", "of the cause, if it is another", text(func(c *asjson.Cause) asjson.Text { return c.Lane })),
			m.real("cause_ms", "time of the zone", ms(func(r *verdictRow) float64 { return r.cause.Time })),
			m.real("cause_usual_ms", "of earlier frames", ms(func(r *verdictRow) float64 { return r.cause.Usual })),
			m.real("cause_excess_ms", "its part of the excess",
				ms(func(r *verdictRow) float64 { return r.cause.Excess })),
			m.real("cause_count", "calls in the frame", ms(func(r *verdictRow) float64 { return r.cause.Count })),
		})}, func(_ *Set, r *verdictRow) int32 { return r.capture })
}
