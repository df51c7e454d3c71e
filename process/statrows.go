package process

import (
	"slices"

	"example.com/iprof/process/report"
)

// This file brings statistics to the records of reports.

// windows are the sorted histories for exact statistics.
type windows struct {
	zones []windowPair
	paths []windowPair
	self  selfTraces
	spare sortedWindow // for histories beyond windowBytes, sorted anew each time
	picks []float32    // scratch: the values in the frames of a lens
	sums  []float64    // scratch: of some paths in each frame
	bytes int          // of the sorted histories
}

// windowBytes bounds the sorted histories of a session.
const windowBytes = 32 << 20

type windowPair struct{ self, hier sortedWindow }

// statistics sets the wanted values of a record that are costly. Only rows of whole zones and of paths have them.
func (s *Session) statistics(out *Record, r *row, v *View, want ColumnSet) {
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
	if p := s.stats.of(r.zone, r.path); p != nil {
		s.stats.fill(out, p, want)
	}
	if columns := want.And(report.HistorySelf.Columns()); !columns.Empty() {
		if t, birth := s.selfTrace(r); t != nil {
			w := s.sorted(r, v, t, birth, false)
			report.HistorySelf.Fill(out, columns, func(k report.Statistic) float64 { return exact(w, k) })
		}
	}
	if columns := want.And(report.HistoryHier.Columns()); !columns.Empty() {
		if t, birth := s.hierTrace(r); t != nil {
			w := s.sorted(r, v, t, birth, true)
			report.HistoryHier.Fill(out, columns, func(k report.Statistic) float64 { return exact(w, k) })
		}
	}
}

// possible are the columns that statistics sets. Through a lens they include those that addHistory sets otherwise.
func (s *Session) possible(r *row, v *View) ColumnSet {
	switch {
	case v.Through():
		return report.Dear.With(ColumnMean, ColumnMax, ColumnMaxSelf)
	case r.path > 0:
		return report.Dear.With(ColumnMaxSelf)
	}
	return report.Dear
}

// ownPath reports whether a row is of a path that is one of several of its zone.
func (s *Session) ownPath(r *row) bool {
	return r.path > 0 && (int(r.path) >= s.stats.known || s.stats.only[r.zone] != r.path)
}

// hierTrace returns the trace of a row's hierarchical time and its first frame, or nil.
func (s *Session) hierTrace(r *row) (t *trace1, birth uint64) {
	switch {
	case s.ownPath(r) && int(r.path) < len(s.past.paths):
		return &s.past.paths[r.path], s.tree.paths[r.path].birth
	case s.ownPath(r) || int(r.zone) >= len(s.past.zones):
		return nil, 0
	}
	z := &s.past.zones[r.zone]
	return &z.hier, z.birth
}

// selfTrace returns the trace of a row's self time and its first frame, or nil.
func (s *Session) selfTrace(r *row) (t *trace1, birth uint64) {
	if s.ownPath(r) {
		return s.windows.self.of(&s.past, &s.tree, &s.stats, r.path)
	}
	if int(r.zone) >= len(s.past.zones) {
		return nil, 0
	}
	z := &s.past.zones[r.zone]
	return &z.self, z.birth
}

// sorted returns the values of a trace in the frames of the history, or of the lens, sorted.
func (s *Session) sorted(r *row, v *View, t *trace1, birth uint64, hier bool) []float32 {
	w, from := &s.windows, min(max(birth, s.past.first()), s.past.next)
	if v.Through() {
		w.picks = w.picks[:0]
		for _, seq := range s.lens.frames {
			if seq >= birth {
				w.picks = append(w.picks, t.v[seq%uint64(len(t.v))])
			}
		}
		slices.Sort(w.picks)
		return w.picks
	}
	list, at := &w.zones, int(r.zone)
	if s.ownPath(r) {
		list, at = &w.paths, int(r.path)
	}
	for len(*list) <= at {
		*list = append(*list, windowPair{})
	}
	window := &(*list)[at].self
	if hier {
		window = &(*list)[at].hier
	}
	if window.ring == nil {
		if size := 8 * len(t.v); w.bytes+size <= windowBytes {
			w.bytes += size
		} else {
			w.spare.fill(t, from, s.past.next)
			return w.spare.sorted
		}
	}
	window.follow(t, from, s.past.next)
	return window.sorted
}

// selfTraces are traces of self time of paths that are one of several of their zone. They are made from the records on
// request, because common reports do not show them.
type selfTraces struct {
	traces []trace1
	next   uint64 // next frame to add
	from   uint64 // first frame in the traces
}

// of returns the trace of a path and its first frame, or nil.
func (t *selfTraces) of(h *history, paths *tree, st *stats, path int32) (*trace1, uint64) {
	if path >= tracedPaths {
		return nil, 0
	}
	t.catchUp(h, paths, st)
	return &t.traces[path], max(paths.paths[path].birth, t.from)
}

// catchUp adds the frames since the last call, or all frames if a path is new.
func (t *selfTraces) catchUp(h *history, paths *tree, st *stats) {
	if t.grow(h, paths, st) || t.next < h.first() || t.next > h.next || t.next < h.next && h.at(t.next).lost {
		t.next = h.first()
		for t.next < h.next && h.at(t.next).lost {
			t.next++
		}
		t.from = t.next
	}
	for ; t.next < h.next; t.next++ {
		t.take(h.at(t.next))
	}
}

// grow makes room, and reports whether any trace is new.
func (t *selfTraces) grow(h *history, paths *tree, st *stats) (fresh bool) {
	t.traces = resized(t.traces, min(len(paths.paths), tracedPaths))
	for i := range t.traces {
		several := i < st.known && st.only[paths.paths[i].zone] == severalPaths
		if several && len(t.traces[i].v) != len(h.frames) {
			t.traces[i].v, fresh = make([]float32, len(h.frames)), true
		}
	}
	return fresh
}

func (t *selfTraces) take(p *pastFrame) {
	for i := range t.traces {
		if v := t.traces[i].v; v != nil {
			v[p.seq%uint64(len(v))] = 0
		}
	}
	for i := range p.records {
		r := &p.records[i]
		if path := int(r.path & pathMask); path < len(t.traces) {
			if v := t.traces[path].v; v != nil { // the root has none: it is all of its zone
				v[p.seq%uint64(len(v))] += float32(float64(r.self) * p.perTick)
			}
		}
	}
}
