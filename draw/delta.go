package draw

import (
	"math"

	"example.com/iprof/process/report"
)

// AppendDelta appends a record's difference from the baseline, signed, in percent or in the unit of its column. A "~"
// stands before a difference that may be noise, so the colour is not the only sign. A new row gives "new". A row that
// cannot be compared gives "-".
func AppendDelta(b []byte, d *report.Delta, percent bool, unit report.TimeUnit, decimals int) []byte {
	v := d.MS
	if percent {
		v = d.Percent
	}
	switch {
	case d.New:
		return append(b, "new"...)
	case !d.Known:
		return append(b, '-')
	}
	if d.Noise {
		b = append(b, '~')
	}
	switch {
	case math.IsInf(v, 1):
		return append(b, '-')
	case percent && v > mostPercent:
		return append(b, "> 999"...)
	case v > 0:
		b = append(b, '+')
	}
	if percent {
		return AppendFixed(b, v, 1)
	}
	return AppendFixed(b, v/unit.MS, decimals)
}

// mostPercent is the greatest difference that is written as a number. Above it the baseline's value was close to
// zero.
const mostPercent = 999.9

// column returns the column of field i: first the report's columns, then the differences from the baseline.
func (s *sheet) column(i int) report.Column {
	if n := len(s.report.Columns); i >= n {
		return report.ColumnDelta + report.Column(i-n)
	}
	return s.report.Columns[i]
}

// columns returns the number of columns.
func (s *sheet) columns() int {
	n := len(s.report.Columns)
	if s.report.Baseline.Pinned {
		n += 2
	}
	return n
}

// heading returns the heading of field i.
func (s *sheet) heading(i int) string {
	c := s.column(i)
	heading := c.Info().Heading
	if c < report.NumColumns {
		heading = Describe(c).Heading
	}
	return s.units[c].Heading(heading, s.named)
}

// chooseUnits chooses the unit of each column of times.
func (s *sheet) chooseUnits() {
	for i := range s.fields {
		c := s.column(i)
		s.units[c] = s.report.UnitOf(c)
		s.named = s.named || s.units[c].MS > 0 && s.units[c] != report.Milliseconds
	}
}

// value formats a record's value in field i. The result is valid until the next call.
func (s *sheet) value(r *report.Record, i int) []byte {
	c := s.column(i)
	if c >= report.NumColumns {
		return AppendDelta(s.buffer[:0], &r.Delta, c == report.ColumnDeltaPercent, s.units[c], s.precision)
	}
	return AppendValue(s.buffer[:0], r, c, s.units[c], s.precision)
}
