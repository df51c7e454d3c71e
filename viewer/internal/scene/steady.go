package scene

import (
	"cmp"
	"math"
	"slices"

	"example.com/iprof/process/report"
)

// steady keeps the order of each caller's callees from one picture to the next. A session sorts them by their times in
// the frame, an order that noise may change sixty times a second. Here two of them swap only after one has been clearly
// greater than the other for some time.
type steady struct {
	frames uint64  // of the session in the last picture
	since  float64 // ms of frames since the order was looked at
	age    float64 // ms of frames since the first picture
	place  []int32 // by path: place among its siblings, from 1; 0: no place yet
	mean   []float64
	kids   []int32 // scratch: siblings, of one level after the other
	end    []int32 // scratch, by node: the first node after its subtree
	tree   []report.TreeNode
}

// steadyMS is the time of frames over which callees are compared, and after which they may swap; youngMS is the same at
// the start, when the first frames are few.
const steadyMS, youngMS = 2000, 250

// clearly is the least ratio of means at which a callee takes the place of the one before it.
const clearly = 1.25

// settle puts the tree into the steady order.
func (k *steady) settle(d *Scene) {
	if d.Info.Frames < k.frames || d.Info.Frames == 0 {
		*k = steady{kids: k.kids, end: k.end, tree: k.tree} // another program, or a reset
	}
	if d.Info.Frames == 0 {
		return // the current frame may hold measurements from before a reset
	}
	elapsed := 0.0
	if d.Info.Frames > k.frames && d.Info.Live {
		elapsed = float64(d.Info.Frames-k.frames) * max(d.Info.Length, 0)
	}
	k.frames = d.Info.Frames
	k.age, k.since = k.age+elapsed, k.since+elapsed
	k.weigh(d.Tree, elapsed)
	turn := k.since >= min(max(k.age/2, youngMS), steadyMS)
	if turn {
		k.since = 0
	}
	k.tree, k.kids = k.tree[:0], k.kids[:0]
	k.ends(d.Tree)
	for i := 0; i < len(d.Tree); i = int(k.end[i]) {
		k.put(d.Tree, int32(i), -1, turn)
	}
	copy(d.Tree, k.tree)
}

// ends finds the ends of all nodes.
func (k *steady) ends(tree []report.TreeNode) {
	k.end = append(k.end[:0], make([]int32, len(tree))...)
	for i := len(tree) - 1; i >= 0; i-- {
		end := i + 1
		for end < len(tree) && tree[end].Level > tree[i].Level {
			end = int(k.end[end])
		}
		k.end[i] = int32(end)
	}
}

// weigh updates the means of paths with the values of the tree.
func (k *steady) weigh(tree []report.TreeNode, elapsed float64) {
	share := 1 - math.Exp(-elapsed/steadyMS)
	for i := range tree {
		n := &tree[i]
		if n.Path < 0 {
			continue
		}
		for int(n.Path) >= len(k.place) {
			k.place, k.mean = append(k.place, 0), append(k.mean, 0)
		}
		if k.place[n.Path] == 0 {
			k.mean[n.Path] = n.Hier
		} else if elapsed > 0 {
			k.mean[n.Path] += (n.Hier - k.mean[n.Path]) * share
		}
	}
}

// put appends a node and its subtree in the steady order.
func (k *steady) put(tree []report.TreeNode, i, parent int32, turn bool) {
	at := int32(len(k.tree))
	k.tree = append(k.tree, tree[i])
	k.tree[at].Parent = parent
	from := len(k.kids)
	for j := i + 1; j < k.end[i]; j = k.end[j] {
		k.kids = append(k.kids, j)
	}
	to := len(k.kids)
	k.order(tree, k.kids[from:to], turn)
	for n := from; n < to; n++ {
		k.put(tree, k.kids[n], at, turn)
	}
	k.kids = k.kids[:from]
}

// order sorts siblings by their places: those that work before those that wait, and new ones last. They get new places.
func (k *steady) order(tree []report.TreeNode, list []int32, turn bool) {
	slices.SortFunc(list, func(a, b int32) int { // the list ascends, so equal ones stay as they are
		x, y := &tree[a], &tree[b]
		if x.Idle != y.Idle {
			if y.Idle {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(k.placeOf(x), k.placeOf(y)), cmp.Compare(a, b))
	})
	for at := 1; turn && at < len(list); at++ {
		for i := at; i > 0 && k.overtakes(&tree[list[i]], &tree[list[i-1]]); i-- {
			list[i], list[i-1] = list[i-1], list[i]
		}
	}
	for i, at := range list {
		if path := tree[at].Path; path >= 0 {
			k.place[path] = int32(i) + 1
		}
	}
}

// placeOf returns the place of a node among its siblings. A new node is behind all.
func (k *steady) placeOf(n *report.TreeNode) int32 {
	if n.Path < 0 || k.place[n.Path] == 0 {
		return math.MaxInt32
	}
	return k.place[n.Path]
}

// overtakes reports whether a node should move before its neighbour.
func (k *steady) overtakes(n, before *report.TreeNode) bool {
	return n.Idle == before.Idle && n.Path >= 0 && before.Path >= 0 &&
		k.mean[n.Path] > clearly*k.mean[before.Path]
}
