package rows

import (
	"fmt"

	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/report"
)

// appendWholeLanes sets the times of the lanes in dst[from:] to the means over all frames, and appends the lanes that
// are only in frames which the session does not have.
func appendWholeLanes(dst []report.LaneInfo, from int, w *store.Whole) []report.LaneInfo {
	at := map[report.LaneID]int{}
	for i := from; i < len(dst); i++ {
		at[dst[i].ID] = i
	}
	w.Lanes(func(id report.LaneID, name string, busy, cpu float64) {
		i, known := at[id]
		if !known {
			i, dst = len(dst), append(dst, report.LaneInfo{ID: id, Name: name})
		}
		dst[i].Self, dst[i].CPU = busy, cpu
	})
	return dst
}

// wholeMeans sets the columns of a row that are averages over all frames: of a zone's row since its first frame.
func (s *Builder) wholeMeans(out *report.Record, r *row, v *report.View, want report.ColumnSet) {
	w := s.WholeFor(v.LensInForce())
	if w == nil || r.group != report.GroupFocus {
		return
	}
	hier, mean := out.Values[report.ColumnHier], out.Values[report.ColumnSelf]
	if r.path < 0 && v.Lane == 0 && len(v.Pin) == 0 && v.Recursion != report.RecursionSpread {
		if frames, self, deviation := w.Self(r.zone); frames > 0 {
			hier, mean = hier*float64(w.Frames)/float64(frames), self
			if want.Has(report.ColumnDeviationSelf) {
				out.Put(report.ColumnDeviationSelf, deviation)
			}
		}
	}
	if want.Has(report.ColumnMean) {
		out.Put(report.ColumnMean, hier)
	}
	if want.Has(report.ColumnMeanSelf) {
		out.Put(report.ColumnMeanSelf, mean)
	}
}

// appendWholeWarning says of which frames the statistics are that are not averages.
func (s *Builder) appendWholeWarning(dst []string, v *report.View, want report.ColumnSet) []string {
	w := s.WholeFor(v.LensInForce())
	averages := report.ColumnsOf(report.ColumnMeanSelf, report.ColumnDeviationSelf)
	dear := report.DearHistory.With(report.ColumnMax, report.ColumnMaxSelf).Without(averages)
	if w == nil || want.And(dear).Empty() {
		return dst
	}
	if w.Warning == "" {
		w.Warning = fmt.Sprintf("averages are of all %d frames; minima, maxima, deviations and quantiles of the %d "+
			"frames of the history", w.Frames, len(s.Lens.Frames))
	}
	return append(dst, w.Warning)
}
