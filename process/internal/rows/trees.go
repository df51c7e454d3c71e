package rows

import (
	"cmp"
	"math"
	"slices"

	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
	"example.com/iprof/process/totals"
)

// callGraph makes the rows of a call graph around a zone, the focus. A reach is a path of that zone with all paths
// below it down to the next path of the same zone. Each path belongs to at most one reach. The time of a reach counts
//
//   - in the row of the focus, which sums all reaches: the time with the zone open at least once;
//   - in the row of the parent from which the reach was entered, which may be the zone itself;
//   - in the rows of the children, which are never the zone itself, except for the zone's own time.
//
// With RecursionSpread the focus is one depth of the zone, which a stack has once.
func (s *Builder) callGraph(focus rowKey, descendants, spread bool) {
	s.mark(focus, spread)
	center := s.rows.row(rowKey{focus.zone, focus.depth, report.GroupFocus})
	center.fold, s.rows.steps = true, mostLeft
	for i := range s.Tree.Paths {
		n := s.rows.near[i]
		if n < 0 {
			continue
		}
		p, v := &s.Tree.Paths[i], &s.Values[i]
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
	if focus.zone == 0 && focus.depth == 0 && len(s.Values) > 0 {
		s.rows.list[0].Hier = s.Values[0].Hier // the time of the frame, because calls on all lanes may sum to more
	}
}

// mark fills rows.near, below and top: the reach of each path, the time below it within the reach, and the child of the
// focus through which the path was reached.
func (s *Builder) mark(focus rowKey, spread bool) {
	r := &s.rows
	r.near = resize.To(r.near, len(s.Tree.Paths))
	r.below = resize.To(r.below, len(s.Tree.Paths))
	r.top = resize.To(r.top, len(s.Tree.Paths))
	for i := range s.Tree.Paths {
		p := &s.Tree.Paths[i]
		switch {
		case p.Zone == focus.zone && (!spread || p.Depth == focus.depth):
			r.near[i] = int32(i)
		case p.Parent >= 0:
			r.near[i] = r.near[p.Parent]
		default:
			r.near[i] = -1
		}
		r.below[i] = s.Values[i].Self
		if r.top[i] = int32(i); p.Parent >= 0 && r.near[p.Parent] == r.near[i] && p.Parent != r.near[i] {
			r.top[i] = r.top[p.Parent]
		}
	}
	for i := len(s.Tree.Paths) - 1; i > 0; i-- {
		if up := s.Tree.Paths[i].Parent; up >= 0 && r.near[i] == r.near[up] {
			r.below[up] += r.below[i]
		}
	}
}

// enterFrom adds a reach to the row of the parent that entered it. The time of a reach inside another reach is in that
// row, not in the row of the outer reach's parent. If both rows are the same, the outer reach's time includes it.
func (s *Builder) enterFrom(i int32, spread bool) {
	up := s.Tree.Paths[i].Parent
	if up < 0 {
		return
	}
	r := s.rows.row(s.keyOf(up, report.GroupParent, spread))
	s.add(r, &s.Values[i])
	r.Hier += s.rows.below[i]
	r.kids = true
	r.deepest = max(r.deepest, s.depthShown(up, spread))
	around := s.Tree.Paths[i].Same
	if around < 0 || spread {
		s.rows.part(r, i, false)
	} else if up := s.Tree.Paths[around].Parent; up >= 0 && s.keyOf(up, report.GroupParent, false) != r.rowKey {
		s.rows.part(r, i, false)
		s.rows.part(s.rows.row(s.keyOf(up, report.GroupParent, false)), i, true)
	}
}

// mostLeft is the greatest number of paths between nested reaches that a call graph visits.
const mostLeft = 1 << 16

// takeOut excludes a reach inside another reach from the rows of the callees through which it was reached.
func (s *Builder) takeOut(i int32, descendants bool) {
	r, n := &s.rows, s.Tree.Paths[i].Same
	for at := s.Tree.Paths[i].Parent; at != n && r.steps > 0; at = s.Tree.Paths[at].Parent {
		if r.steps--; !descendants {
			at = r.top[at]
		}
		if s.outermost(at, n) {
			r.part(r.row(s.keyOf(at, report.GroupChild, false)), i, true)
		}
	}
}

// outermost reports whether a path in the reach n has no ancestor of the same zone in the reach.
func (s *Builder) outermost(i, n int32) bool {
	same := s.Tree.Paths[i].Same
	return same < 0 || s.rows.near[same] != n
}

// addChild adds a path that is below the focus, within a reach, to the row of its child.
func (s *Builder) addChild(i int32, descendants, spread bool) {
	p, v, n := &s.Tree.Paths[i], &s.Values[i], s.rows.near[i]
	top := s.rows.top[i]
	if top == i || descendants {
		r := s.rows.row(s.keyOf(i, report.GroupChild, spread))
		s.add(r, v)
		if spread || s.outermost(i, n) {
			r.Hier += s.rows.below[i]
			s.rows.part(r, i, false)
		}
		r.kids = r.kids || s.rows.below[i] > v.Self
		r.deepest = max(r.deepest, s.depthShown(i, spread))
		return
	}
	if s.Tree.Paths[top].Zone == p.Zone && !spread {
		r := s.rows.row(s.keyOf(top, report.GroupChild, spread))
		r.Self += v.Self
		s.Charged.Merge(&r.Extra, v.Extra)
		r.Open = r.Open || v.Open
		r.deepest = max(r.deepest, p.Depth)
	}
}

func (s *Builder) keyOf(i int32, group report.Group, spread bool) rowKey {
	k := rowKey{zone: s.Tree.Paths[i].Zone, group: group}
	if spread {
		k.depth = s.Tree.Paths[i].Depth
	}
	return k
}

func (s *Builder) depthShown(i int32, spread bool) int32 {
	if spread || s.Values[i].Count > 0.25 {
		return s.Tree.Paths[i].Depth
	}
	return 0
}

// openLevels is the number of tree levels that are unfolded by default.
const openLevels = 1

// callTree makes one row per path. Children follow their parent, the largest hierarchical time first. The root's own
// time is a row among its children.
func (s *Builder) callTree() {
	if len(s.Tree.Paths) == 0 {
		return
	}
	s.branch(0, 0)
}

// branch adds the children of a path, and the descendants of unfolded children. The recursion is as deep as the user
// unfolds.
func (s *Builder) branch(parent, indent int32) {
	r := &s.rows
	from := len(r.kids)
	for kid := s.Tree.Paths[parent].First; kid >= 0; kid = s.Tree.Paths[kid].Next {
		if !s.silent(&s.Values[kid]) {
			r.kids = append(r.kids, kid)
		}
	}
	if parent == 0 && math.Abs(s.Values[0].Self) >= leastShown {
		r.kids = append(r.kids, 0)
	}
	to := len(r.kids)
	slices.SortFunc(r.kids[from:to], s.larger)
	for at := from; at < to; at++ {
		s.leaf(r.kids[at], indent)
	}
	r.kids = r.kids[:from]
}

// larger orders siblings: busy siblings before idle ones, then the larger first. Idle siblings come last because their
// sum over the merged lanes can exceed the length of the frame.
func (s *Builder) larger(a, b int32) int {
	if x, y := s.Tree.Paths[a].Idle, s.Tree.Paths[b].Idle; x != y {
		if x {
			return 1
		}
		return -1
	}
	x, y := s.Values[a].Hier, s.Values[b].Hier
	if a == 0 {
		x = s.Values[0].Self
	}
	if b == 0 {
		y = s.Values[0].Self
	}
	return cmp.Or(cmp.Compare(y, x), cmp.Compare(a, b))
}

// leaf adds the row of a path, and its children if it is unfolded.
func (s *Builder) leaf(i, indent int32) {
	p := &s.Tree.Paths[i]
	n := row{rowKey: rowKey{zone: p.Zone, depth: p.Depth, group: report.GroupFocus}, Value: s.Values[i],
		deepest: p.Depth, path: i, indent: indent}
	if i == 0 {
		n.Hier = n.Self
	} else {
		n.kids = p.First >= 0 && s.hasLiveKid(i)
		n.fold = n.kids && s.unfolded(i, indent)
	}
	s.rows.list = append(s.rows.list, n)
	if n.fold {
		s.branch(i, indent+1)
	}
}

func (s *Builder) hasLiveKid(i int32) bool {
	for kid := s.Tree.Paths[i].First; kid >= 0; kid = s.Tree.Paths[kid].Next {
		if !s.silent(&s.Values[kid]) {
			return true
		}
	}
	return false
}

func (s *Builder) unfolded(i, indent int32) bool { return (indent < openLevels) != s.folded[i] }

// Toggle folds or unfolds a record of the call tree.
func (s *Builder) Toggle(row int) {
	s.Build(&s.last, &s.View)
	if row < 0 || row >= len(s.last.Records) || s.last.Records[row].Mark == report.MarkNone {
		return
	}
	if s.folded == nil {
		s.folded = make(map[int32]bool)
	}
	path := s.last.Records[row].Path
	s.folded[path] = !s.folded[path]
}

// AppendTree appends the tree of a view.
func (s *Builder) AppendTree(dst []report.TreeNode, v *report.View) []report.TreeNode {
	p := s.Load(v)
	if p == nil || p.Lost || len(s.Tree.Paths) == 0 {
		return dst
	}
	return s.AppendBranch(dst, 0)
}

// AppendBranch walks the tree with a stack of its own, because program stacks may be 16,384 zones deep. It leaves out
// nodes whose class of time is below least.
func (s *Builder) AppendBranch(dst []report.TreeNode, least int) []report.TreeNode {
	r := &s.rows
	r.walk = append(r.walk[:0], step{0, -1, 0})
	for len(r.walk) > 0 {
		at := r.walk[len(r.walk)-1]
		r.walk = r.walk[:len(r.walk)-1]
		p, v := &s.Tree.Paths[at.path], &s.Values[at.path]
		index := int32(len(dst))
		dst = append(dst, report.TreeNode{Zone: p.Zone, Path: at.path, Parent: at.parent, Level: at.level,
			Count: v.Count, Self: v.Self, Hier: v.Hier, Idle: s.Zones[p.Zone].Idle, Open: v.Open,
			Errors:    uint64(v.Errors),
			Estimated: v.Estimated, StandardError: math.Sqrt(v.Variance)})
		if c := s.Charged.At(v.Extra); c != nil {
			dst[index].Charges = *c
		}
		r.next = r.next[:0]
		for kid := p.First; kid >= 0; kid = s.Tree.Paths[kid].Next {
			if v := &s.Values[kid]; v.Alive && least > 0 && classOf(v) < least {
				dst[index].Left += s.sizeOf(kid)
				dst[index].LeftHier += v.Hier
			} else if v.Alive {
				r.next = append(r.next, kid)
			}
		}
		slices.SortFunc(r.next, func(a, b int32) int { return s.larger(b, a) })
		for _, kid := range r.next {
			r.walk = append(r.walk, step{kid, index, at.level + 1})
		}
	}
	return dst
}

// step is a path to visit.
type step struct{ path, parent, level int32 }

// MinClass returns the class of time below which AppendBranch must leave nodes out to keep at most most nodes, and
// memory for these.
func (s *Builder) MinClass(most int) (least int, memory []report.TreeNode) {
	var sizes [64 << totals.ClassBits]int
	alive := 0
	for i := 1; i < len(s.Tree.Paths); i++ { // the root stays
		if v := &s.Values[i]; v.Alive {
			sizes[classOf(v)]++
			alive++
		}
	}
	memory = make([]report.TreeNode, 0, min(alive, most)+1)
	if alive < most {
		return 0, memory
	}
	least = len(sizes)
	for room := max(most, 1) - 1; least > 0 && sizes[least-1] <= room; least-- {
		room -= sizes[least-1]
	}
	return least, memory
}

// classOf returns the class of a node's hierarchical time.
func classOf(v *history.Value) int { return totals.Class(platform.Ticks(v.Hier * 1e6)) }

// sizeOf returns the number of nodes of a branch.
func (s *Builder) sizeOf(path int32) (n int) {
	r := &s.rows
	from := len(r.walk)
	r.walk = append(r.walk, step{path, -1, 0})
	for len(r.walk) > from {
		at := r.walk[len(r.walk)-1].path
		r.walk = r.walk[:len(r.walk)-1]
		n++
		for kid := s.Tree.Paths[at].First; kid >= 0; kid = s.Tree.Paths[kid].Next {
			if s.Values[kid].Alive {
				r.walk = append(r.walk, step{kid, -1, 0})
			}
		}
	}
	return n
}
