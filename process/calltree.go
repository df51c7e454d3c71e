package process

import (
	"cmp"
	"math"
	"slices"
)

// openLevels is how many levels of the tree are unfolded at first.
const openLevels = 1

// callTree makes one row a path, children below their parent, largest hierarchical time first. The root's own time is a row
// among its children.
func (s *Session) callTree() {
	if len(s.tree.paths) == 0 {
		return
	}
	s.branch(0, 0)
}

// branch adds the children of a path, and theirs where they are unfolded. Its depth is bounded by what the user unfolds.
func (s *Session) branch(parent, indent int32) {
	r := &s.rows
	from := len(r.kids)
	for kid := s.tree.paths[parent].first; kid >= 0; kid = s.tree.paths[kid].next {
		v := &s.values[kid]
		if v.hier >= 5e-5 || v.count >= 0.25 || v.open {
			r.kids = append(r.kids, kid)
		}
	}
	if parent == 0 && s.values[0].self >= 5e-5 {
		r.kids = append(r.kids, 0)
	}
	to := len(r.kids)
	slices.SortFunc(r.kids[from:to], s.larger)
	for at := from; at < to; at++ {
		s.leaf(r.kids[at], indent)
	}
	r.kids = r.kids[:from]
}

// larger orders siblings: work before waiting, since in the merged tree other lanes' waiting can be longer than the frame;
// then the larger first.
func (s *Session) larger(a, b int32) int {
	if x, y := s.tree.paths[a].idle, s.tree.paths[b].idle; x != y {
		if x {
			return 1
		}
		return -1
	}
	x, y := s.values[a].hier, s.values[b].hier
	if a == 0 {
		x = s.values[0].self
	}
	if b == 0 {
		y = s.values[0].self
	}
	return cmp.Or(cmp.Compare(y, x), cmp.Compare(a, b))
}

// leaf adds a path's row, and its branch.
func (s *Session) leaf(i, indent int32) {
	p := &s.tree.paths[i]
	n := row{rowKey: rowKey{zone: p.zone, depth: p.depth, group: GroupFocus}, value: s.values[i], deepest: p.depth, path: i, indent: indent}
	if i == 0 {
		n.hier = n.self
	} else {
		n.kids = p.first >= 0 && s.hasLiveKid(i)
		n.fold = n.kids && s.unfolded(i, indent)
	}
	s.rows.list = append(s.rows.list, n)
	if n.fold {
		s.branch(i, indent+1)
	}
}

func (s *Session) hasLiveKid(i int32) bool {
	for kid := s.tree.paths[i].first; kid >= 0; kid = s.tree.paths[kid].next {
		if v := &s.values[kid]; v.hier >= 5e-5 || v.count >= 0.25 || v.open {
			return true
		}
	}
	return false
}

func (s *Session) unfolded(i, indent int32) bool { return (indent < openLevels) != s.folded[i] }

// ToggleFold folds or unfolds a record of the tree report; elsewhere it does nothing.
func (s *Session) ToggleFold(row int) {
	s.change()
	defer s.mu.Unlock()
	if s.view.Mode != CallTree {
		return
	}
	s.build(&s.last, &s.view)
	if row < 0 || row >= len(s.last.Records) || s.last.Records[row].Mark == MarkNone {
		return
	}
	if s.folded == nil {
		s.folded = make(map[int32]bool)
	}
	path := s.last.Records[row].Path
	s.folded[path] = !s.folded[path]
}

// AppendTree appends the merged call tree of the frame a view shows (or of the view's lane): in preorder, children by
// hierarchical time, paths without time left out. The first node is the root.
func (s *Session) AppendTree(dst []TreeNode, v View) []TreeNode {
	s.lock()
	defer s.mu.Unlock()
	s.clamp(&v)
	p := s.load(&v)
	if p == nil || p.lost || len(s.tree.paths) == 0 {
		return dst
	}
	return s.appendBranch(dst)
}

// appendBranch walks the tree with a stack of its own: stacks may be 16,384 zones deep.
func (s *Session) appendBranch(dst []TreeNode) []TreeNode {
	r := &s.rows
	r.walk = append(r.walk[:0], step{0, -1, 0})
	for len(r.walk) > 0 {
		at := r.walk[len(r.walk)-1]
		r.walk = r.walk[:len(r.walk)-1]
		p, v := &s.tree.paths[at.path], &s.values[at.path]
		index := int32(len(dst))
		dst = append(dst, TreeNode{Zone: p.zone, Path: at.path, Parent: at.parent, Level: at.level, Count: v.count, Self: v.self,
			Hier: v.hier, Idle: s.zones[p.zone].Idle, Open: v.open, Errors: v.errors,
			Estimated: v.estimated, StandardError: math.Sqrt(v.variance)})
		if c := s.charged.at(v.extra); c != nil {
			dst[index].Charges = *c
		}
		from := len(r.walk)
		for kid := p.first; kid >= 0; kid = s.tree.paths[kid].next {
			if v := &s.values[kid]; v.hier > 0 || v.count > 0 || v.open {
				r.walk = append(r.walk, step{kid, index, at.level + 1})
			}
		}
		slices.SortFunc(r.walk[from:], func(a, b step) int { return s.larger(b.path, a.path) })
	}
	return dst
}

// step is a path to be visited.
type step struct{ path, parent, level int32 }
