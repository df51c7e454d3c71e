package rows

import (
	"fmt"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/report"
)

// appendWholeLanes sets the times of the lanes in dst[from:] to the times of all frames, divided by n. It appends the
// lanes that occur only in frames outside the history.
func appendWholeLanes(dst []report.LaneInfo, from int, w *store.Whole, n float64) []report.LaneInfo {
	at := map[report.LaneID]int{}
	for i := from; i < len(dst); i++ {
		at[dst[i].ID] = i
	}
	w.Lanes(n, func(id report.LaneID, name string, busy, cpu float64) {
		i, known := at[id]
		if !known {
			i, dst = len(dst), append(dst, report.LaneInfo{ID: id, Name: name})
		}
		dst[i].Self, dst[i].CPU = busy, cpu
	})
	return dst
}

// wholeMeans sets the columns of a row that are averages over all frames, for a zone's row since its first frame.
// Sums have none.
func (b *Builder) wholeMeans(out *report.Record, r *row, v *report.View, want report.ColumnSet) {
	w := b.store.WholeFor(v.LensInForce())
	if w == nil || v.Lens.Sums() || r.group != report.GroupFocus || r.path == 0 ||
		plain(v) && b.statisticsFor(v, want) != nil {
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

// needsStatistics reports whether some wanted columns need more than sums of frames.
func needsStatistics(want report.ColumnSet) bool {
	averages := report.ColumnsOf(report.ColumnMeanSelf, report.ColumnDeviationSelf)
	dear := history.DearHistory.With(report.ColumnMax, report.ColumnMaxSelf).Without(averages)
	return !want.And(dear).Empty()
}

// statisticsFor returns the sums for a view with statistics if the columns need them, or nil.
func (b *Builder) statisticsFor(v *report.View, want report.ColumnSet) *store.Whole {
	w := b.store.WholeFor(v.LensInForce())
	switch {
	case w == nil || w.HasStatistics():
		return w
	case !needsStatistics(want):
		return nil
	}
	return b.store.Statistics(v.LensInForce())
}

// plain reports whether the rows of zones and paths have their whole time, on all lanes.
func plain(v *report.View) bool {
	return v.Lane == 0 && len(v.Pin) == 0 && v.Recursion != report.RecursionSpread
}

// wholeStatistics sets the statistics of a row over all frames of a lens, if they are known. It reports whether they
// are.
func (b *Builder) wholeStatistics(out *report.Record, r *row, v *report.View, want report.ColumnSet) bool {
	w := b.statisticsFor(v, want)
	return w != nil && w.FillHistory(out, r.zone, r.path, want)
}

// appendWholeWarning appends a warning if statistics other than averages do not cover all frames, which is so for rows
// that sum some paths, and for a single lane.
func (b *Builder) appendWholeWarning(dst []string, v *report.View, want report.ColumnSet) []string {
	w := b.store.WholeFor(v.LensInForce())
	if w == nil || !needsStatistics(want) {
		return dst
	}
	alone := v.Mode.Flat() || v.Mode == report.ReportCallTree || v.Mode == report.ReportExtra
	if alone && plain(v) && b.store.Statistics(v.LensInForce()) != nil {
		return dst
	}
	if w.Warning == "" {
		w.Warning = fmt.Sprintf("averages are of all %d frames; minima, maxima, deviations and quantiles of the %d "+
			"frames of the history", w.Frames, len(b.Looker.Lens.Frames))
	}
	return append(dst, w.Warning)
}
