//go:build !iprof_off

package gather

import (
	"cmp"
	"slices"
)

// merge makes one node of each untimed node and the timed one that speaks for it, and so of what is below both.
func (w *walk) merge(extras int) {
	l, nodes := w.lane, w.out[w.start:]
	f := &l.governed.fold
	f.markBusy(nodes, w.extras[extras:])
	f.place = zeroed(f.place, len(l.seen))
	for i := range f.place {
		f.place[i] = -1
	}
	clear(f.strays)
	next := int32(0)
	for i := range nodes {
		n := l.node(f.at[i])
		if !f.busy[i] && i > 0 && (n.flag&flagUntimed != 0 || f.moved[nodes[i].Parent] < 0) {
			f.moved[i] = -1
			continue
		}
		idx, parent := f.at[i], int32(-1)
		if i > 0 {
			parent = f.moved[nodes[i].Parent]
			idx = l.sameAs(n, f.at[parent])
		}
		if n.flag&flagUntimed != 0 && (nodes[i].Count > 0 || nodes[i].Self != 0 || nodes[i].Open) {
			nodes[i].Estimated = EstimatedTime
		}
		if at := f.place[idx]; at >= 0 {
			nodes[at].add(&nodes[i])
			f.moved[i] = at
			f.variance[at] += f.variance[i]
			continue
		}
		o := nodes[i]
		o.ID, o.Parent = l.seen[idx].id, parent
		f.variance[next], f.at[next] = f.variance[i], idx
		f.place[idx], f.moved[i], nodes[next] = next, next, o
		next++
	}
	w.out = w.out[:w.start+int(next)]
	w.mergeExtras(extras, next)
}

// markBusy finds the nodes with anything to tell, or above such.
func (f *fold) markBusy(nodes []Node, extras []NodeExtra) {
	for i := range extras {
		f.busy[extras[i].Node] = true
	}
	for i := len(nodes) - 1; i > 0; i-- {
		if n := &nodes[i]; n.Count != 0 || n.Self != 0 || n.Open {
			f.busy[i] = true
		}
		if f.busy[i] {
			f.busy[nodes[i].Parent] = true
		}
	}
}

// sameAs returns the node that n is told as below the node told as parent: itself, if there is no other. Of several from elsewhere
// that the parent has no node of its own for, it is the first.
func (l *Lane) sameAs(n *node, parent uint32) uint32 {
	if n.flag&flagUntimed != 0 {
		return n.extra.Load().twin.idx
	}
	if n.parent.idx == parent {
		return n.idx
	}
	if same := l.find(l.node(parent), n.key); same != nil {
		return same.idx
	}
	f, child := &l.governed.fold, childKey{l.node(parent), n.key}
	if first, ok := f.strays[child]; ok {
		return first
	}
	if f.strays == nil {
		f.strays = make(map[childKey]uint32)
	}
	f.strays[child] = n.idx
	return n.idx
}

func (n *Node) add(o *Node) {
	n.Self += o.Self
	n.Count += o.Count
	n.Open = n.Open || o.Open
	n.Estimated = max(n.Estimated, o.Estimated)
}

// mergeExtras moves what few nodes have to where these are now, and adds the variances.
func (w *walk) mergeExtras(extras int, nodes int32) {
	f := &w.lane.governed.fold
	for i := range w.extras[extras:] {
		x := &w.extras[extras+i]
		x.Node = f.moved[x.Node]
	}
	for i, v := range f.variance[:nodes] {
		if e := w.out[w.start+i].Estimated; v > 0 || e != Exact {
			w.extras = append(w.extras, NodeExtra{Node: int32(i), Estimated: e, Variance: v})
		}
	}
	w.tidyExtras(extras)
}

// tidyExtras puts the lane's extras in order, one for each node.
func (w *walk) tidyExtras(extras int) {
	all := w.extras[extras:]
	slices.SortStableFunc(all, func(a, b NodeExtra) int { return cmp.Compare(a.Node, b.Node) })
	next := 0
	for i := range all {
		if i > 0 && all[next-1].Node == all[i].Node {
			all[next-1].add(&all[i])
			continue
		}
		all[next] = all[i]
		next++
	}
	w.extras = w.extras[:extras+next]
}

func (x *NodeExtra) add(o *NodeExtra) {
	x.More += o.More
	x.Errors += o.Errors
	x.Allocs += o.Allocs
	x.AllocBytes += o.AllocBytes
	x.Frees += o.Frees
	x.FreeBytes += o.FreeBytes
	x.Units += o.Units
	x.HeapObjects += o.HeapObjects
	x.HeapBytes += o.HeapBytes
	x.Estimated = max(x.Estimated, o.Estimated)
	x.Variance += o.Variance
}
