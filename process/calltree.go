package process

import (
	"cmp"
	"math"
	"slices"

	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/totals"
)

// openLevels is the number of tree levels that are unfolded by default.
const openLevels = 1

// callTree makes one row per path. Children follow their parent, the largest hierarchical time first. The root's own
// time is a row among its children.
func (s *builder) callTree() {
	if len(s.tree.Paths) == 0 {
		return
	}
	s.branch(0, 0)
}

// branch adds the children of a path, and below them theirs if they are unfolded. The recursion is as deep as the user
// unfolds.
func (s *builder) branch(parent, indent int32) {
	r := &s.rows
	from := len(r.kids)
	for kid := s.tree.Paths[parent].First; kid >= 0; kid = s.tree.Paths[kid].Next {
		if !s.silent(&s.values[kid]) {
			r.kids = append(r.kids, kid)
		}
	}
	if parent == 0 && math.Abs(s.values[0].Self) >= leastShown {
		r.kids = append(r.kids, 0)
	}
	to := len(r.kids)
	slices.SortFunc(r.kids[from:to], s.larger)
	for at := from; at < to; at++ {
		s.leaf(r.kids[at], indent)
	}
	r.kids = r.kids[:from]
}

// larger orders siblings: busy ones before idle ones, then the larger first. Idle ones come last because their sum over
// the merged lanes can exceed the length of the frame.
func (s *store) larger(a, b int32) int {
	if x, y := s.tree.Paths[a].Idle, s.tree.Paths[b].Idle; x != y {
		if x {
			return 1
		}
		return -1
	}
	x, y := s.values[a].Hier, s.values[b].Hier
	if a == 0 {
		x = s.values[0].Self
	}
	if b == 0 {
		y = s.values[0].Self
	}
	return cmp.Or(cmp.Compare(y, x), cmp.Compare(a, b))
}

// leaf adds the row of a path, and its children if it is unfolded.
func (s *builder) leaf(i, indent int32) {
	p := &s.tree.Paths[i]
	n := row{rowKey: rowKey{zone: p.Zone, depth: p.Depth, group: GroupFocus}, Value: s.values[i],
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

func (s *store) hasLiveKid(i int32) bool {
	for kid := s.tree.Paths[i].First; kid >= 0; kid = s.tree.Paths[kid].Next {
		if !s.silent(&s.values[kid]) {
			return true
		}
	}
	return false
}

func (s *builder) unfolded(i, indent int32) bool { return (indent < openLevels) != s.folded[i] }

// ToggleFold folds or unfolds a record of ReportCallTree. In other modes, for other rows and for records without
// children it does nothing. Any goroutine may call it.
func (s *Session) ToggleFold(row int) {
	s.change()
	defer s.mu.Unlock()
	if s.view.Mode != ReportCallTree {
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

// AppendTree appends the merged call tree of the frame that a view shows, or the tree of the view's lane. It is in
// preorder, siblings by hierarchical time. Paths that did nothing are left out. The first node is the root. Any
// goroutine may call it.
func (s *Session) AppendTree(dst []TreeNode, v View) []TreeNode {
	s.lock()
	defer s.mu.Unlock()
	s.clamp(&v)
	return s.appendTree(dst, &v)
}

func (s *builder) appendTree(dst []TreeNode, v *View) []TreeNode {
	p := s.load(v)
	if p == nil || p.Lost || len(s.tree.Paths) == 0 {
		return dst
	}
	return s.appendBranch(dst, 0)
}

// appendBranch walks the tree with a stack of its own, because program stacks may be 16,384 zones deep. It leaves out
// nodes of a class of time below least.
func (s *builder) appendBranch(dst []TreeNode, least int) []TreeNode {
	r := &s.rows
	r.walk = append(r.walk[:0], step{0, -1, 0})
	for len(r.walk) > 0 {
		at := r.walk[len(r.walk)-1]
		r.walk = r.walk[:len(r.walk)-1]
		p, v := &s.tree.Paths[at.path], &s.values[at.path]
		index := int32(len(dst))
		dst = append(dst, TreeNode{Zone: p.Zone, Path: at.path, Parent: at.parent, Level: at.level,
			Count: v.Count, Self: v.Self, Hier: v.Hier, Idle: s.zones[p.Zone].Idle, Open: v.Open,
			Errors:    uint64(v.Errors),
			Estimated: v.Estimated, StandardError: math.Sqrt(v.Variance)})
		if c := s.charged.At(v.Extra); c != nil {
			dst[index].Charges = *c
		}
		from := len(r.walk)
		for kid := p.First; kid >= 0; kid = s.tree.Paths[kid].Next {
			if v := &s.values[kid]; v.Alive && least > 0 && classOf(v) < least {
				dst[index].Left += s.sizeOf(kid)
				dst[index].LeftHier += v.Hier
			} else if v.Alive {
				r.walk = append(r.walk, step{kid, index, at.level + 1})
			}
		}
		slices.SortFunc(r.walk[from:], func(a, b step) int { return s.larger(b.path, a.path) })
	}
	return dst
}

// step is a path to visit.
type step struct{ path, parent, level int32 }

// leastClass returns the class of time below which appendBranch leaves nodes out, so that at most most are left, and
// memory for them.
func (s *store) leastClass(most int) (least int, memory []TreeNode) {
	var sizes [64 << totals.ClassBits]int
	alive := 0
	for i := 1; i < len(s.tree.Paths); i++ { // the root stays
		if v := &s.values[i]; v.Alive {
			sizes[classOf(v)]++
			alive++
		}
	}
	memory = make([]TreeNode, 0, min(alive, most)+1)
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
func (s *builder) sizeOf(path int32) (n int) {
	r := &s.rows
	from := len(r.walk)
	r.walk = append(r.walk, step{path, -1, 0})
	for len(r.walk) > from {
		at := r.walk[len(r.walk)-1].path
		r.walk = r.walk[:len(r.walk)-1]
		n++
		for kid := s.tree.Paths[at].First; kid >= 0; kid = s.tree.Paths[kid].Next {
			if s.values[kid].Alive {
				r.walk = append(r.walk, step{kid, -1, 0})
			}
		}
	}
	return n
}
