//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/internal/measure/internal/sites"
)

// This file makes the counting nodes. A demoted node and its subtree stay unchanged, and entries there are timed.
// Counted entries go to a second node, the demoted node's form. A demoted descendant has a form below that form. Other
// nodes below a form are timed as usual. So no node changes its kind while it is open, and no synchronisation is
// needed.
//
// Each node below a form mirrors a node of the timed subtree. The reader adds the mirror's numbers to that node.

// form is the governor's data on a node: see extra.form.
type form struct {
	of              *node         // of a mirror: the timed node that it mirrors
	top             *node         // of a form: the top's form
	forms           []*node       // of a demoted node
	burst           *burst        // of a top's form
	missed          governor.Bias // of a form: time left in the enclosing zone
	governor.Sample               // of a timed node
}

// moreForm returns the node's form, which it makes on first use.
//
//go:norace
func (n *node) moreForm() *form {
	x := n.more()
	if x.form == nil {
		x.form = new(form)
	}
	return x.form
}

// mirrored returns the node that n mirrors, or n itself.
//
//go:norace
func (n *node) mirrored() *node {
	if n.flag&flagMirror == 0 {
		return n
	}
	return n.extra.Load().form.of
}

// govern demotes and promotes the lane's nodes to match the policy. Its goroutine calls it, with the mutex held.
//
//go:norace
func (l *Lane) govern() {
	g := l.governed
	if g == nil {
		return
	}
	l.slot.SetTimed(false)
	l.unsettleAll()
	for i := l.after(0, 0, true); i != 0; i = l.after(i, 0, true) { // parents first
		n := l.node(i)
		if n.flag&flagMirror != 0 {
			continue
		}
		n.flag &^= flagDemoted | flagWithin | flagTiming
		if n.parent.flag&(flagDemoted|flagWithin) != 0 {
			n.flag |= flagWithin
		}
		if zone := l.seen[i].zone; g.wants(i) && (zones.countsCalls(zone) || zones.muted.has(zone)) {
			g.Spare(i)
		}
		if g.wants(i) {
			n.flag |= flagDemoted
			n.moreForm().Start(g.Self(i))
		}
		l.linkForms(n)
	}
}

// linkForms makes the forms of n reachable if entries of n are counted, and unreachable if not.
//
//go:norace
func (l *Lane) linkForms(n *node) {
	if x := n.extra.Load(); x != nil && x.form != nil {
		for _, u := range x.form.forms {
			u.key, u.flag = keyRoot, u.flag&^flagTop
		}
	}
	switch {
	case n.flag&flagDemoted == 0:
	case n.flag&flagWithin == 0:
		if u := l.formBelow(n.parent, n); u != nil {
			u.flag |= flagTop
			l.startBurst(n, u)
		} else {
			n.flag &^= flagDemoted
		}
	case n.parent.flag&flagDemoted != 0:
		for _, u := range n.parent.moreForm().forms {
			if u.key != keyRoot {
				l.formBelow(u, n)
			}
		}
	default: // below a timed node inside a demoted one
		n.flag &^= flagDemoted
	}
}

// formBelow returns the form of n below parent, which it makes reachable. It makes one, or returns nil beyond limits.
//
//go:norace
func (l *Lane) formBelow(parent, n *node) *node {
	f := n.moreForm()
	for _, u := range f.forms {
		if u.parent == parent {
			u.key = n.key ^ keyUntimed
			return u
		}
	}
	if room, _ := l.room(parent); !room {
		return nil
	}
	g := l.governed
	u := l.make(parent, n.key^keyUntimed, l.seen[n.idx].zone)
	l.linkFirst(parent, u)
	u.flag |= flagUntimed | flagMirror
	u.slot = &g.ghost
	u.moreForm().of = n
	if u.extra.Load().form.top = u; parent.flag&flagUntimed != 0 {
		u.extra.Load().form.top = parent.extra.Load().form.top
	}
	l.seen[u.idx].setOpen(true) // makes the reader visit it in every frame: it cannot see whether the form is open
	f.forms, g.forms = append(f.forms, u), append(g.forms, u)
	return u
}

// mirror makes n, a new child of parent, a mirror if parent is one.
//
//go:norace
func (l *Lane) mirror(parent, n *node) {
	if parent.flag&flagMirror == 0 {
		return
	}
	of := l.find(parent.mirrored(), n.key^sites.KeyText) // a site's node, made before its text was kept, or after
	if of == nil {
		of = l.child(parent.mirrored(), n.key, l.seen[n.idx].zone)
	}
	n.flag |= flagMirror
	n.moreForm().of = of
}

// rekeyForms changes the keys of the forms when the node's key has changed.
//
//go:norace
func (n *node) rekeyForms() {
	if x := n.extra.Load(); x != nil && x.form != nil {
		for _, u := range x.form.forms {
			if u.key != keyRoot {
				u.key = n.key ^ keyUntimed
			}
		}
	}
}

// demotedBelow returns the form for an entry with the key below parent, if parent is a form and the entry should be
// counted. Otherwise it returns nil.
//
//go:norace
func (l *Lane) demotedBelow(parent *node, key uint64) *node {
	if parent.flag&flagUntimed != 0 {
		if n := l.find(parent.mirrored(), key); n != nil && n.flag&flagDemoted != 0 {
			return l.formBelow(parent, n)
		}
	}
	return nil
}

// merge adds the mirrors in the frame to the nodes that they mirror. It drops mirrors without anything to report.
func (w *walk) merge() {
	s, nodes, next := &registry.updates.scratch, w.out[w.start:], int32(0)
	for _, x := range w.extras[w.first:] {
		s.spots[x.Node].busy = true
	}
	for i := len(nodes) - 1; i > 0; i-- {
		n, up := &nodes[i], &s.spots[nodes[i].Parent].busy
		s.spots[i].busy = s.spots[i].busy || n.Count != 0 || n.Self != 0 || n.Open
		*up = *up || s.spots[i].busy
	}
	for i := range s.place {
		s.place[i] = -1
	}
	for i := range nodes {
		spot, n := s.spots[i], nodes[i]
		if s.forms[i].moved = -1; i > 0 && !spot.busy && spot.node.flag&flagMirror != 0 {
			continue
		}
		if i > 0 {
			n.Parent = s.forms[n.Parent].moved
		}
		spot.node = spot.node.mirrored()
		at := s.place[spot.node.idx]
		if at < 0 {
			at, next = next, next+1
			s.place[spot.node.idx] = at
			n.ID = w.lane.seen[spot.node.idx].id
			nodes[at], s.spots[at].node, s.spots[at].variance = n, spot.node, spot.variance
			s.spots[at].muted = spot.muted
		} else {
			nodes[at].add(&n)
			s.spots[at].variance += spot.variance
			s.spots[at].muted += spot.muted
		}
		s.forms[i].moved = at
	}
	w.out = w.out[:w.start+int(next)]
	w.moveExtras()
}

// moveExtras moves the lane's extras with their nodes, and adds the variances.
func (w *walk) moveExtras() {
	s, was := &registry.updates.scratch, w.takeExtras()
	for i := range was {
		w.extra(s.forms[was[i].Node].moved).Add(&was[i])
	}
	w.addVariances()
}

// takeExtras moves the lane's extras out of the frame.
func (w *walk) takeExtras() []NodeExtra {
	s := &registry.updates.scratch
	s.extras = append(s.extras[:0], w.extras[w.first:]...)
	w.extras = w.extras[:w.first]
	return s.extras
}

// addVariances adds the variances of all nodes with an estimated time to their extras. It goes once through both.
func (w *walk) addVariances() {
	was, spots := w.takeExtras(), registry.updates.scratch.spots
	for i, n := range w.out[w.start:] {
		is := n.Estimated != EstimatedNone
		x := NodeExtra{Node: int32(i)}
		if len(was) > 0 && was[0].Node == x.Node {
			x, was = was[0], was[1:]
		} else if !is {
			continue
		}
		if is {
			x.Estimated, x.Variance = max(x.Estimated, n.Estimated), x.Variance+spots[i].variance
		}
		w.extras = append(w.extras, x)
	}
}
