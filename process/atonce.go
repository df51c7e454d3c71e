package process

import (
	"slices"
	"time"
)

// All times are wall time: they include waiting. Zones of many goroutines may have more of it than has passed. Such a
// time, divided by the time that has passed, is the number of lanes that were in the zone at once, on average.

// leastAtOnce is the number of lanes at once from which on it is shown: less may be rounding.
const leastAtOnce = 1.05

// AtOnce returns how many lanes were in a zone at once, on average: its hierarchical time by the time that passed. It
// is 0 if that is not more than one lane could have.
func AtOnce(hier float64, passed time.Duration) float64 {
	if ms := float64(passed) / float64(time.Millisecond); ms > 0 && hier > leastAtOnce*ms {
		return hier / ms
	}
	return 0
}

// AtOnce returns how many lanes were in a zone at once, on average, from its hierarchical time in ms. It is 0 if one
// lane could have had that time.
func (d *Dump) AtOnce(hier float64) float64 { return AtOnce(hier, d.RunTime) }

// showAtOnce adds ColumnAtOnce to the usual columns once any row has had more time than the frame.
func (s *Session) showAtOnce(dst *Report, v *View) {
	if dst.AtOnce = false; v.Mode == ReportExtra || v.Lane != 0 {
		return
	}
	for i := range s.rows.list {
		s.kinds.atOnce = s.kinds.atOnce || s.rows.list[i].hier > leastAtOnce*dst.Frame.Length && dst.Frame.Length > 0
	}
	if dst.AtOnce = s.kinds.atOnce; dst.AtOnce && v.Columns.Empty() {
		at := slices.Index(dst.chosen, ColumnHier) + 1
		dst.chosen = slices.Insert(dst.chosen, at, ColumnAtOnce)
		dst.Columns = dst.chosen
	}
}
