package process

// callGraph makes the rows of a call graph around a zone, the focus. A reach is a path of that zone with all paths
// below it down to the next path of the same zone. Each path belongs to at most one reach. The time of a reach counts
//
//   - in the row of the focus, which sums all reaches: the time with the zone open at least once;
//   - in the row of the parent from which the reach was entered, which may be the zone itself;
//   - in the rows of the children, which are never the zone itself, except for the zone's own time.
//
// With RecursionSpread the focus is one depth of the zone, which a stack has once.
func (s *builder) callGraph(focus rowKey, descendants, spread bool) {
	s.mark(focus, spread)
	center := s.rows.row(rowKey{focus.zone, focus.depth, GroupFocus})
	center.fold, s.rows.steps = true, mostLeft
	for i := range s.tree.Paths {
		n := s.rows.near[i]
		if n < 0 {
			continue
		}
		p, v := &s.tree.Paths[i], &s.values[i]
		center := &s.rows.list[0]
		center.Hier += v.Self
		if int32(i) == n {
			s.add(center, v)
			s.rows.part(center, n, false)
			center.kids = true
			if s.enterFrom(int32(i), spread); p.Same >= 0 && !spread {
				s.takeOut(int32(i), descendants)
			}
			if !spread && v.Count > 0.25 {
				center.deepest = max(center.deepest, p.Depth)
			}
			continue
		}
		s.addChild(int32(i), descendants, spread)
	}
	s.rows.list[0].deepest = max(s.rows.list[0].deepest, focus.depth)
	if focus.zone == 0 && focus.depth == 0 && len(s.values) > 0 {
		s.rows.list[0].Hier = s.values[0].Hier // the frame: the calls on all lanes may last longer
	}
}

// mark fills rows.near, below and top: the reach of each path, the time below it within the reach, and the child of the
// focus through which the path was reached.
func (s *builder) mark(focus rowKey, spread bool) {
	r := &s.rows
	r.near = resized(r.near, len(s.tree.Paths))
	r.below = resized(r.below, len(s.tree.Paths))
	r.top = resized(r.top, len(s.tree.Paths))
	for i := range s.tree.Paths {
		p := &s.tree.Paths[i]
		switch {
		case p.Zone == focus.zone && (!spread || p.Depth == focus.depth):
			r.near[i] = int32(i)
		case p.Parent >= 0:
			r.near[i] = r.near[p.Parent]
		default:
			r.near[i] = -1
		}
		r.below[i] = s.values[i].Self
		if r.top[i] = int32(i); p.Parent >= 0 && r.near[p.Parent] == r.near[i] && p.Parent != r.near[i] {
			r.top[i] = r.top[p.Parent]
		}
	}
	for i := len(s.tree.Paths) - 1; i > 0; i-- {
		if up := s.tree.Paths[i].Parent; up >= 0 && r.near[i] == r.near[up] {
			r.below[up] += r.below[i]
		}
	}
}

// enterFrom adds a reach to the row of the parent that entered it. The time of a reach inside another one is in that
// row, and not in the row of the other's parent. If both are the same row, it is there with the other's.
func (s *builder) enterFrom(i int32, spread bool) {
	up := s.tree.Paths[i].Parent
	if up < 0 {
		return
	}
	r := s.rows.row(s.keyOf(up, GroupParent, spread))
	s.add(r, &s.values[i])
	r.Hier += s.rows.below[i]
	r.kids = true
	r.deepest = max(r.deepest, s.depthShown(up, spread))
	around := s.tree.Paths[i].Same
	if around < 0 || spread {
		s.rows.part(r, i, false)
	} else if up := s.tree.Paths[around].Parent; up >= 0 && s.keyOf(up, GroupParent, false) != r.rowKey {
		s.rows.part(r, i, false)
		s.rows.part(s.rows.row(s.keyOf(up, GroupParent, false)), i, true)
	}
}

// mostLeft is the greatest number of paths between reaches and those around them that a call graph visits.
const mostLeft = 1 << 16

// takeOut notes that a reach inside another one is no part of the rows of callees through which it was reached.
func (s *builder) takeOut(i int32, descendants bool) {
	r, n := &s.rows, s.tree.Paths[i].Same
	for at := s.tree.Paths[i].Parent; at != n && r.steps > 0; at = s.tree.Paths[at].Parent {
		if r.steps--; !descendants {
			at = r.top[at]
		}
		if s.outermost(at, n) {
			r.part(r.row(s.keyOf(at, GroupChild, false)), i, true)
		}
	}
}

// outermost reports whether no other path of the same zone is around a path in the reach n.
func (s *builder) outermost(i, n int32) bool {
	same := s.tree.Paths[i].Same
	return same < 0 || s.rows.near[same] != n
}

// addChild adds a path that is below the focus, within a reach, to the row of its child.
func (s *builder) addChild(i int32, descendants, spread bool) {
	p, v, n := &s.tree.Paths[i], &s.values[i], s.rows.near[i]
	top := s.rows.top[i]
	if top == i || descendants {
		r := s.rows.row(s.keyOf(i, GroupChild, spread))
		s.add(r, v)
		if spread || s.outermost(i, n) {
			r.Hier += s.rows.below[i]
			s.rows.part(r, i, false)
		}
		r.kids = r.kids || s.rows.below[i] > v.Self
		r.deepest = max(r.deepest, s.depthShown(i, spread))
		return
	}
	if s.tree.Paths[top].Zone == p.Zone && !spread {
		r := s.rows.row(s.keyOf(top, GroupChild, spread))
		r.Self += v.Self
		s.charged.Merge(&r.Extra, v.Extra)
		r.Open = r.Open || v.Open
		r.deepest = max(r.deepest, p.Depth)
	}
}

func (s *store) keyOf(i int32, group Group, spread bool) rowKey {
	k := rowKey{zone: s.tree.Paths[i].Zone, group: group}
	if spread {
		k.depth = s.tree.Paths[i].Depth
	}
	return k
}

func (s *store) depthShown(i int32, spread bool) int32 {
	if spread || s.values[i].Count > 0.25 {
		return s.tree.Paths[i].Depth
	}
	return 0
}
