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

// mostSteps is the greatest number of paths that are visited below those of a row to find the pinned ones.
const mostSteps = 1024

// appendTimed appends the paths whose times together are that of a row. In a pinned call graph, a row has time below
// the pinned path although its own paths may be above that. It reports false if there are too many.
func (s *Session) appendTimed(dst []int32, r *row, v *View) (paths []int32, ok bool) {
	steps := mostSteps
	for at := r.parts; at > 0; at = s.rows.parts[at-1].next {
		path := s.rows.parts[at-1].path
		same := s.tree.paths[path].same
		inside := r.group == GroupFocus && v.Recursion != RecursionSpread && same >= 0
		switch {
		case inside && (!v.Mode.flat() || s.under(v, same)): // its time is in that of another path of the row
		case s.under(v, path):
			dst = append(dst, path)
		case !v.Mode.flat():
			dst = s.appendPinned(dst, v, path, &steps)
		}
		if len(dst) > mostParts || steps < 0 {
			return dst, false
		}
	}
	return dst, true
}

// appendPinned appends the topmost paths below a path that are below the pinned path. steps is what it may still visit.
func (s *Session) appendPinned(dst []int32, v *View, path int32, steps *int) []int32 {
	walk := append(s.rows.walk[:0], step{path, -1, 0})
	for len(walk) > 0 && *steps >= 0 {
		at := walk[len(walk)-1].path
		walk = walk[:len(walk)-1]
		if *steps--; s.under(v, at) {
			dst = append(dst, at)
			continue
		}
		for kid := s.tree.paths[at].first; kid >= 0; kid = s.tree.paths[kid].next {
			walk = append(walk, step{kid, -1, 0})
		}
	}
	s.rows.walk = walk[:0]
	return dst
}

// inParts reports whether the history of a row is that of its parts.
func (r *row) inParts(v *View) bool {
	some := r.group != GroupFocus || v.Recursion == RecursionSpread || len(v.Pin) > 0 && r.zone != 0
	return r.parts > 0 && (v.Mode.flat() || some)
}

// addPartHistory sets mean and max of a row that sums some paths, and what else is wanted: of its time as the row shows
// it. Callers and callees of recursive zones have none, because their paths contain each other, nor have rows of very
// many paths.
func (s *Session) addPartHistory(out *Record, r *row, v *View, want ColumnSet) {
	paths := s.historyOf(v).paths
	parts, ok := s.appendTimed(s.rows.kids[:0], r, v)
	s.rows.kids = parts[:0]
	nested := r.group != GroupFocus && s.rows.nested && v.Recursion != RecursionSpread
	if !ok || nested || len(parts) == 0 || int(slices.Max(parts)) >= len(paths) {
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
