package process

// part is a path whose time is in the row of a caller or a callee.
type part struct{ path, next int32 }

// mostParts is the greatest number of paths in a row that has statistics.
const mostParts = 64

// part notes that the time of a path is in a row.
func (r *rows) part(to *row, path int32) {
	r.parts = append(r.parts, part{path, to.parts})
	to.parts = int32(len(r.parts))
}

// addCallHistory sets mean and max of a caller or a callee: of its time on behalf of the focus, as the row shows it.
// Rows of recursive zones have none, because their paths contain each other, nor have those of very many paths.
func (s *Session) addCallHistory(out *Record, r *row, v *View) {
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
	sum, most, frames := 0.0, 0.0, 0
	add := func(seq uint64) {
		ms, known := 0.0, false
		for at := r.parts; at > 0; at = s.rows.parts[at-1].next {
			t, birth := &paths[s.rows.parts[at-1].path], s.tree.paths[s.rows.parts[at-1].path].birth
			if seq >= birth && !(seq < s.past.known && s.past.at(seq).unknown) && t.known(seq) {
				ms, known = ms+float64(t.v[seq%uint64(len(t.v))]), true
			}
		}
		if known {
			sum, most, frames = sum+ms, max(most, ms), frames+1
		}
	}
	if v.through() {
		for _, seq := range s.lens.frames {
			add(seq)
		}
	} else {
		for seq := s.past.first(); seq < s.past.next; seq++ {
			add(seq)
		}
	}
	if frames > 0 {
		out.Values[ColumnMean], out.Values[ColumnMax] = sum/float64(frames), most
		out.Mask |= 1<<ColumnMean | 1<<ColumnMax
	}
}
