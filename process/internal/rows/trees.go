package rows

import (
	"cmp"
	"math"
	"slices"

	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/internal/totals"
	"example.com/iprof/process/report"
)

// callGraph makes the rows of a call graph around a zone, the focus. A reach is a path of that zone with all paths
// below it down to the next path of the same zone. Each path belongs to at most one reach. The time of a reach counts
//
//   - in the row of the focus, which sums all reaches: the time with the zone open at least once;
//   - in the row of the parent from which the reach was entered, which may be the zone itself;
//   - in the rows of the children, which are never the zone itself, except for the zone's own time.
//
// With RecursionSpread the focus is one depth of the zone, which a stack has once.
func (b *Builder) callGraph(focus rowKey, descendants, spread bool) {
	b.mark(focus, spread)
	center := b.rows.row(rowKey{focus.zone, focus.depth, report.GroupFocus})
	center.fold, b.rows.steps = true, mostLeft
	for i := range b.store.Tree.Paths {
		n := b.rows.innermost[i]
		if n < 0 {
			continue
		}
		p, v := &b.store.Tree.Paths[i], &b.store.Values[i]
		center := &b.rows.list[0]
		center.Hier += v.Self
		if int32(i) == n {
			b.add(center, v)
			b.rows.part(center, n, false)
			center.kids = true
			if b.enterFrom(int32(i), spread); p.Same >= 0 && !spread {
				b.takeOut(int32(i), descendants)
			}
			if !spread && v.Count > 0.25 {
				center.deepest = max(center.deepest, p.Depth)
			}
			continue
		}
		b.addChild(int32(i), descendants, spread)
	}
	b.rows.list[0].deepest = max(b.rows.list[0].deepest, focus.depth)
	if focus.zone == 0 && focus.depth == 0 && len(b.store.Values) > 0 {
		// The time of the frame, because calls on all lanes may sum to more.
		b.rows.list[0].Hier = b.store.Values[0].Hier
	}
}

// mark fills rows.near, below and top: the reach of each path, the time below it within the reach, and the child of the
// focus through which the path was reached.
func (b *Builder) mark(focus rowKey, spread bool) {
	r := &b.rows
	r.innermost = resize.To(r.innermost, len(b.store.Tree.Paths))
	r.below = resize.To(r.below, len(b.store.Tree.Paths))
	r.top = resize.To(r.top, len(b.store.Tree.Paths))
	for i := range b.store.Tree.Paths {
		p := &b.store.Tree.Paths[i]
		switch {
		case p.Zone == focus.zone && (!spread || p.Depth == focus.depth):
			r.innermost[i] = int32(i)
		case p.Parent >= 0:
			r.innermost[i] = r.innermost[p.Parent]
		default:
			r.innermost[i] = -1
		}
		r.below[i] = b.store.Values[i].Self
		if r.top[i] = int32(i); p.Parent >= 0 && r.innermost[p.Parent] == r.innermost[i] && p.Parent != r.innermost[i] {
			r.top[i] = r.top[p.Parent]
		}
	}
	for i := len(b.store.Tree.Paths) - 1; i > 0; i-- {
		if up := b.store.Tree.Paths[i].Parent; up >= 0 && r.innermost[i] == r.innermost[up] {
			r.below[up] += r.below[i]
		}
	}
}

// enterFrom adds a reach to the row of the parent that entered it. The time of a reach inside another reach is in that
// row, not in the row of the outer reach's parent. If both rows are the same, the outer reach's time includes it.
func (b *Builder) enterFrom(i int32, spread bool) {
	up := b.store.Tree.Paths[i].Parent
	if up < 0 {
		return
	}
	r := b.rows.row(b.keyOf(up, report.GroupParent, spread))
	b.add(r, &b.store.Values[i])
	r.Hier += b.rows.below[i]
	r.kids = true
	r.deepest = max(r.deepest, b.depthShown(up, spread))
	around := b.store.Tree.Paths[i].Same
	if around < 0 || spread {
		b.rows.part(r, i, false)
	} else if up := b.store.Tree.Paths[around].Parent; up >= 0 && b.keyOf(up, report.GroupParent, false) != r.rowKey {
		b.rows.part(r, i, false)
		b.rows.part(b.rows.row(b.keyOf(up, report.GroupParent, false)), i, true)
	}
}

// mostLeft is the greatest number of paths between nested reaches that a call graph visits.
const mostLeft = 1 << 16

// takeOut excludes a reach inside another reach from the rows of the callees through which it was reached.
func (b *Builder) takeOut(i int32, descendants bool) {
	r, n := &b.rows, b.store.Tree.Paths[i].Same
	for at := b.store.Tree.Paths[i].Parent; at != n && r.steps > 0; at = b.store.Tree.Paths[at].Parent {
		if r.steps--; !descendants {
			at = r.top[at]
		}
		if b.outermost(at, n) {
			r.part(r.row(b.keyOf(at, report.GroupChild, false)), i, true)
		}
	}
}

// outermost reports whether a path in the reach n has no ancestor of the same zone in the reach.
func (b *Builder) outermost(i, n int32) bool {
	same := b.store.Tree.Paths[i].Same
	return same < 0 || b.rows.innermost[same] != n
}

// addChild adds a path that is below the focus, within a reach, to the row of its child.
func (b *Builder) addChild(i int32, descendants, spread bool) {
	p, v, n := &b.store.Tree.Paths[i], &b.store.Values[i], b.rows.innermost[i]
	top := b.rows.top[i]
	if top == i || descendants {
		r := b.rows.row(b.keyOf(i, report.GroupChild, spread))
		b.add(r, v)
		if spread || b.outermost(i, n) {
			r.Hier += b.rows.below[i]
			b.rows.part(r, i, false)
		}
		r.kids = r.kids || b.rows.below[i] > v.Self
		r.deepest = max(r.deepest, b.depthShown(i, spread))
		return
	}
	if b.store.Tree.Paths[top].Zone == p.Zone && !spread {
		r := b.rows.row(b.keyOf(top, report.GroupChild, spread))
		r.Self += v.Self
		b.store.Charged.Merge(&r.Extra, v.Extra)
		r.Open = r.Open || v.Open
		r.deepest = max(r.deepest, p.Depth)
	}
}

func (b *Builder) keyOf(i int32, group report.Group, spread bool) rowKey {
	k := rowKey{zone: b.store.Tree.Paths[i].Zone, group: group}
	if spread {
		k.depth = b.store.Tree.Paths[i].Depth
	}
	return k
}

func (b *Builder) depthShown(i int32, spread bool) int32 {
	if spread || b.store.Values[i].Count > 0.25 {
		return b.store.Tree.Paths[i].Depth
	}
	return 0
}

// openLevels is the number of tree levels that are unfolded by default, but in a profile.
const openLevels = 1

// callTree makes one row per path. Children follow their parent, the largest hierarchical time first. The root's own
// time is a row among its children.
func (b *Builder) callTree() {
	if len(b.store.Tree.Paths) == 0 {
		return
	}
	if b.opened = openLevels; b.store.Kind == report.KindProfile {
		b.opened = b.levelsOf(mostOpened)
	}
	b.branch(0, 0)
}

// mostOpened is the greatest number of rows of a profile that are unfolded by default.
const mostOpened = 40

// levelsOf returns the number of levels to unfold for at most so many rows, at least openLevels.
func (b *Builder) levelsOf(rows int) int32 {
	var counts []int
	for i := range b.store.Tree.Paths {
		if p := &b.store.Tree.Paths[i]; p.Level > 0 && !b.silent(&b.store.Values[i]) {
			counts = append(counts, make([]int, max(0, int(p.Level)-len(counts)))...)
			counts[p.Level-1]++
		}
	}
	levels, sum := 0, 0
	for levels < len(counts) && sum+counts[levels] <= rows {
		sum += counts[levels]
		levels++
	}
	return max(openLevels, int32(levels-1))
}

// branch adds the children of a path, and the descendants of unfolded children. The recursion is as deep as the user
// unfolds.
func (b *Builder) branch(parent, indent int32) {
	r := &b.rows
	from := len(r.kids)
	for kid := b.store.Tree.Paths[parent].First; kid >= 0; kid = b.store.Tree.Paths[kid].Next {
		if !b.silent(&b.store.Values[kid]) {
			r.kids = append(r.kids, kid)
		}
	}
	if parent == 0 && math.Abs(b.store.Values[0].Self) >= leastShown {
		r.kids = append(r.kids, 0)
	}
	to := len(r.kids)
	slices.SortFunc(r.kids[from:to], b.larger)
	for at := from; at < to; at++ {
		b.leaf(r.kids[at], indent)
	}
	r.kids = r.kids[:from]
}

// larger orders siblings: busy siblings before idle ones, then the larger first. Idle siblings come last because their
// sum over the merged lanes can exceed the length of the frame.
func (b *Builder) larger(one, other int32) int {
	if idle := b.store.Tree.Paths[one].Idle; idle != b.store.Tree.Paths[other].Idle {
		if idle {
			return 1
		}
		return -1
	}
	x, y := b.store.Values[one].Hier, b.store.Values[other].Hier
	if one == 0 {
		x = b.store.Values[0].Self
	}
	if other == 0 {
		y = b.store.Values[0].Self
	}
	return cmp.Or(cmp.Compare(y, x), cmp.Compare(one, other))
}

// leaf adds the row of a path, and its children if it is unfolded.
func (b *Builder) leaf(i, indent int32) {
	p := &b.store.Tree.Paths[i]
	n := row{rowKey: rowKey{zone: p.Zone, depth: p.Depth, group: report.GroupFocus}, Value: b.store.Values[i],
		deepest: p.Depth, path: i, indent: indent}
	if i == 0 {
		n.Hier = n.Self
	} else {
		n.kids = p.First >= 0 && b.hasLiveKid(i)
		n.fold = n.kids && b.unfolded(i, indent)
	}
	b.rows.list = append(b.rows.list, n)
	if n.fold {
		b.branch(i, indent+1)
	}
}

func (b *Builder) hasLiveKid(i int32) bool {
	for kid := b.store.Tree.Paths[i].First; kid >= 0; kid = b.store.Tree.Paths[kid].Next {
		if !b.silent(&b.store.Values[kid]) {
			return true
		}
	}
	return false
}

func (b *Builder) unfolded(i, indent int32) bool {
	return (indent < max(b.opened, openLevels)) != b.folded[i]
}

// Toggle folds or unfolds a record of the call tree.
func (b *Builder) Toggle(row int) {
	b.Build(&b.last, &b.View)
	if row < 0 || row >= len(b.last.Records) || b.last.Records[row].Sign == report.SignNone {
		return
	}
	if b.folded == nil {
		b.folded = make(map[int32]bool)
	}
	path := b.last.Records[row].Path
	b.folded[path] = !b.folded[path]
}

// AppendTree appends the tree of a view.
func (b *Builder) AppendTree(dst []report.TreeNode, v *report.View) []report.TreeNode {
	p := b.Load(v)
	if p == nil || p.Lost || len(b.store.Tree.Paths) == 0 {
		return dst
	}
	return b.AppendBranch(dst, 0)
}

// AppendBranch walks the tree with a stack of its own, because program stacks may be 16,384 zones deep. It leaves out
// nodes whose class of time is below least.
func (b *Builder) AppendBranch(dst []report.TreeNode, least int) []report.TreeNode {
	r := &b.rows
	r.walk = append(r.walk[:0], step{0, -1, 0})
	for len(r.walk) > 0 {
		at := r.walk[len(r.walk)-1]
		r.walk = r.walk[:len(r.walk)-1]
		p, v := &b.store.Tree.Paths[at.path], &b.store.Values[at.path]
		index := int32(len(dst))
		dst = append(dst, report.TreeNode{Zone: p.Zone, Path: at.path, Parent: at.parent, Level: at.level,
			Count: v.Count, Self: v.Self, Hier: v.Hier, Idle: b.store.Zones[p.Zone].Idle, Open: v.Open,
			Errors:    uint64(v.Errors),
			Estimated: v.Estimated, StandardError: math.Sqrt(v.Variance)})
		if c := b.store.Charged.At(v.Extra); c != nil {
			dst[index].Charges = *c
		}
		r.next = r.next[:0]
		for kid := p.First; kid >= 0; kid = b.store.Tree.Paths[kid].Next {
			if v := &b.store.Values[kid]; v.Alive && least > 0 && classOf(v) < least {
				dst[index].Left += b.sizeOf(kid)
				dst[index].LeftHier += v.Hier
			} else if v.Alive {
				r.next = append(r.next, kid)
			}
		}
		slices.SortFunc(r.next, func(i, k int32) int { return b.larger(k, i) })
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
func (b *Builder) MinClass(most int) (least int, memory []report.TreeNode) {
	var sizes [64 << totals.ClassBits]int
	alive := 0
	for i := 1; i < len(b.store.Tree.Paths); i++ { // the root stays
		if v := &b.store.Values[i]; v.Alive {
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
func (b *Builder) sizeOf(path int32) (n int) {
	r := &b.rows
	from := len(r.walk)
	r.walk = append(r.walk, step{path, -1, 0})
	for len(r.walk) > from {
		at := r.walk[len(r.walk)-1].path
		r.walk = r.walk[:len(r.walk)-1]
		n++
		for kid := b.store.Tree.Paths[at].First; kid >= 0; kid = b.store.Tree.Paths[kid].Next {
			if b.store.Values[kid].Alive {
				r.walk = append(r.walk, step{kid, -1, 0})
			}
		}
	}
	return n
}
