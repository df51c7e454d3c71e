package process

import "slices"

// part is a path whose time is in a row: of a caller or a callee, of a depth of a recursive zone, or of a zone below
// the pinned path.
type part struct{ path, next int32 }

// mostParts is the greatest number of paths in a row that has statistics.
const mostParts = 64

// part notes that the time of a path is in a row.
func (r *rows) part(to *row, path int32) {
	r.parts = append(r.parts, part{path, to.parts})
	to.parts = int32(len(r.parts))
}

// under reports whether a path is below the pinned path, if the view has one.
func (s *Session) under(v *View, path int32) bool {
	return len(v.Pin) == 0 || int(s.rows.matched[path]) >= len(v.Pin)
}

// noteParts notes the paths in the rows of a flat report: the depths of a spread one, or the outermost paths of a zone
// below the pinned path. Rows of whole zones need none: see statistics.
func (s *Session) noteParts(v *View) {
	spread := v.Recursion == RecursionSpread
	if !v.Mode.flat() || !spread && len(v.Pin) == 0 {
		return
	}
	r := &s.rows
	if clear(r.index); r.index == nil {
		r.index = make(map[rowKey]int32)
	}
	for i := range r.list {
		r.index[r.list[i].rowKey] = int32(i)
	}
	for i := range s.tree.paths {
		p := &s.tree.paths[i]
		key := rowKey{zone: p.zone, group: GroupFocus}
		if spread {
			key.depth = p.depth
		}
		if at, listed := r.index[key]; listed {
			r.part(&r.list[at], int32(i))
		}
	}
}

// counts reports whether a path's time is in a row: it is below the pinned path, and not in that of another path of the
// row.
func (s *Session) counts(v *View, r *row, path int32) bool {
	same := s.tree.paths[path].same
	apart := r.group != GroupFocus || v.Recursion == RecursionSpread || same < 0 || !s.under(v, same)
	return apart && s.under(v, path)
}

// inParts reports whether the history of a row is that of its parts. In a pinned call graph it is not: a row may have
// time below the pinned path although its own paths are above that.
func (r *row) inParts(v *View) bool {
	some := r.group != GroupFocus || v.Recursion == RecursionSpread
	return r.parts > 0 && (v.Mode.flat() || some && len(v.Pin) == 0)
}

// addPartHistory sets mean and max of a row that sums some paths, and what else is wanted: of its time as the row shows
// it. Callers and callees of recursive zones have none, because their paths contain each other, nor have rows of very
// many paths.
func (s *Session) addPartHistory(out *Record, r *row, v *View, want ColumnSet) {
	paths := s.historyOf(v).paths
	parts := s.rows.kids[:0]
	for at := r.parts; at > 0; at = s.rows.parts[at-1].next {
		path := s.rows.parts[at-1].path
		if !s.counts(v, r, path) {
			continue
		}
		if parts = append(parts, path); len(parts) > mostParts || int(path) >= len(paths) {
			return
		}
	}
	s.rows.kids = parts[:0]
	if len(parts) == 0 || r.group != GroupFocus && s.rows.nested && v.Recursion != RecursionSpread {
		return
	}
	sum, most, times := 0.0, 0.0, s.windows.picks[:0]
	s.eachFrame(v, func(seq uint64) {
		ms, known := 0.0, false
		for _, path := range parts {
			if x, ok := s.timeIn(&paths[path], s.tree.paths[path].birth, seq); ok {
				ms, known = ms+float64(x), true
			}
		}
		if known {
			sum, most, times = sum+ms, max(most, ms), append(times, float32(ms))
		}
	})
	if s.windows.picks = times; len(times) > 0 {
		out.Values[ColumnMean], out.Values[ColumnMax] = sum/float64(len(times)), most
		out.Mask = out.Mask.With(ColumnMean, ColumnMax)
		historyHier.fillSorted(out, want, times)
	}
}

// eachFrame calls do for each frame of the history, or of the lens.
func (s *Session) eachFrame(v *View, do func(seq uint64)) {
	if v.through() {
		for _, seq := range s.lens.frames {
			do(seq)
		}
		return
	}
	for seq := s.past.first(); seq < s.past.next; seq++ {
		do(seq)
	}
}

// timeIn returns the time of a trace in a frame, if it is known.
func (s *Session) timeIn(t *trace1, birth, seq uint64) (ms float32, known bool) {
	if seq < birth || seq < s.past.known && s.past.at(seq).unknown || !t.known(seq) {
		return 0, false
	}
	return t.v[seq%uint64(len(t.v))], true
}

// fillSorted sets those of the columns that are computed on request. It sorts the times.
func (c *statColumns) fillSorted(out *Record, want ColumnSet, times []float32) {
	if want = want.And(c.set()).And(dearHistory); want.Empty() || len(times) == 0 {
		return
	}
	slices.Sort(times)
	c.fill(out, want, func(k statistic) float64 { return exact(times, k) })
}
