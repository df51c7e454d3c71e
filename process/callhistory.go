package process

import "slices"

// part is a path whose time is in the row of a caller or a callee.
type part struct{ path, next int32 }

// mostParts is the greatest number of paths in a row that has statistics.
const mostParts = 64

// part notes that the time of a path is in a row.
func (r *rows) part(to *row, path int32) {
	r.parts = append(r.parts, part{path, to.parts})
	to.parts = int32(len(r.parts))
}

// addCallHistory sets mean and max of a caller or a callee, and what else is wanted: of its time on behalf of the
// focus, as the row shows it.
// Rows of recursive zones have none, because their paths contain each other, nor have those of very many paths.
func (s *Session) addCallHistory(out *Record, r *row, v *View, want ColumnSet) {
	paths := s.historyOf(v).paths
	n := 0
	for at := r.parts; at > 0; at = s.rows.parts[at-1].next {
		if n++; n > mostParts || int(s.rows.parts[at-1].path) >= len(paths) {
			return
		}
	}
	if n == 0 || s.rows.nested || v.Recursion == RecursionSpread {
		return
	}
	sum, most, times := 0.0, 0.0, s.windows.picks[:0]
	s.eachFrame(v, func(seq uint64) {
		ms, known := 0.0, false
		for at := r.parts; at > 0; at = s.rows.parts[at-1].next {
			path := s.rows.parts[at-1].path
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
