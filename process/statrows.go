package process

import (
	"slices"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// statistics sets the wanted values of a record that are costly. Only rows of whole zones and of paths have them.
func (s *store) statistics(out *Record, r *row, v *View, want ColumnSet) {
	want = want.And(s.possible(r, v))
	if want.Empty() || r.path == 0 || r.group != GroupFocus || r.path < 0 && (len(v.Pin) > 0 ||
		v.Recursion == RecursionSpread) || !s.under(v, max(r.path, 0)) {
		return
	}
	if !want.And(report.DearCalls).Empty() {
		s.fillCalls(out, r, v.Lane, want)
	}
	if v.Lane != 0 {
		s.laneMeans(out, r, v)
		s.laneStatistics(out, r, v, want)
		return
	}
	if p := s.stats.Of(r.zone, r.path); p != nil {
		s.stats.Fill(out, p, want)
	}
	if columns := want.And(report.HistorySelf.Columns()); !columns.Empty() {
		if t, birth := s.selfTrace(r); t != nil {
			w := s.sorted(r, v, t, birth, false)
			report.HistorySelf.Fill(out, columns, func(k report.Statistic) float64 { return history.Exact(w, k) })
		}
	}
	if columns := want.And(report.HistoryHier.Columns()); !columns.Empty() {
		if t, birth := s.hierTrace(r); t != nil {
			w := s.sorted(r, v, t, birth, true)
			report.HistoryHier.Fill(out, columns, func(k report.Statistic) float64 { return history.Exact(w, k) })
		}
	}
}

// possible are the columns that statistics sets. Through a lens they include those that addHistory sets otherwise.
func (s *store) possible(r *row, v *View) ColumnSet {
	switch {
	case v.Through():
		return report.Dear.With(ColumnMean, ColumnMax, ColumnMaxSelf)
	case r.path > 0:
		return report.Dear.With(ColumnMaxSelf)
	}
	return report.Dear
}

// ownPath reports whether a row is of a path that is one of several of its zone.
func (s *store) ownPath(r *row) bool {
	return r.path > 0 && (int(r.path) >= s.stats.Known || s.stats.Only[r.zone] != r.path)
}

// hierTrace returns the trace of a row's hierarchical time and its first frame, or nil.
func (s *store) hierTrace(r *row) (t *history.Series, birth uint64) {
	switch {
	case s.ownPath(r) && int(r.path) < len(s.past.Paths):
		return &s.past.Paths[r.path], s.tree.Paths[r.path].Birth
	case s.ownPath(r) || int(r.zone) >= len(s.past.Zones):
		return nil, 0
	}
	z := &s.past.Zones[r.zone]
	return &z.Hier, z.Birth
}

// selfTrace returns the trace of a row's self time and its first frame, or nil.
func (s *store) selfTrace(r *row) (t *history.Series, birth uint64) {
	if s.ownPath(r) {
		return s.windows.Self.Of(&s.past, &s.tree, &s.stats, r.path)
	}
	if int(r.zone) >= len(s.past.Zones) {
		return nil, 0
	}
	z := &s.past.Zones[r.zone]
	return &z.Self, z.Birth
}

// sorted returns the values of a trace in the frames of the history, or of the lens, sorted.
func (s *store) sorted(r *row, v *View, t *history.Series, birth uint64, hier bool) []float32 {
	w, from := &s.windows, min(max(birth, s.past.First()), s.past.Next)
	if v.Through() {
		w.Picks = w.Picks[:0]
		for _, seq := range s.lens.Frames {
			if seq >= birth {
				w.Picks = append(w.Picks, t.Values[seq%uint64(len(t.Values))])
			}
		}
		slices.Sort(w.Picks)
		return w.Picks
	}
	list, at := &w.Zones, int(r.zone)
	if s.ownPath(r) {
		list, at = &w.Paths, int(r.path)
	}
	for len(*list) <= at {
		*list = append(*list, history.WindowPair{})
	}
	window := &(*list)[at].Self
	if hier {
		window = &(*list)[at].Hier
	}
	if window.Ring == nil {
		if size := 8 * len(t.Values); w.Bytes+size <= history.WindowBytes {
			w.Bytes += size
		} else {
			w.Spare.Fill(t, from, s.past.Next)
			return w.Spare.Sorted
		}
	}
	window.Follow(t, from, s.past.Next)
	return window.Sorted
}
