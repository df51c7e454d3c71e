package process

import (
	"slices"

	"example.com/iprof/process/report"
)

// showAtOnce adds ColumnAtOnce to the usual columns once any row of goroutines has had more time than the frame.
func (s *builder) showAtOnce(dst *Report, v *View) {
	if dst.AtOnce = false; v.Mode == ReportExtra || v.Lane != 0 {
		return
	}
	for i := range s.rows.list {
		r := &s.rows.list[i]
		s.kinds.AtOnce = s.kinds.AtOnce || r.Hier > report.LeastAtOnce*dst.Frame.Length && dst.Frame.Length > 0 &&
			!s.kinds.OnDevice(r.zone)
	}
	if dst.AtOnce = s.kinds.AtOnce; dst.AtOnce && v.Columns.Empty() {
		at := slices.Index(dst.Memory.Chosen, ColumnHier) + 1
		dst.Memory.Chosen = slices.Insert(dst.Memory.Chosen, at, ColumnAtOnce)
		dst.Columns = dst.Memory.Chosen
	}
}
