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
	bias            governor.Bias // of a form: time left in the enclosing zone
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
		if zone := l.base[i].zone; g.wants(i) && (zones.countsCalls(zone) || zones.muted.has(zone)) {
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
	u := l.make(parent, n.key^keyUntimed, l.base[n.idx].zone)
	l.linkFirst(parent, u)
	u.flag |= flagUntimed | flagMirror
	u.slot = &g.ghost
	u.moreForm().of = n
	if u.extra.Load().form.top = u; parent.flag&flagUntimed != 0 {
		u.extra.Load().form.top = parent.extra.Load().form.top
	}
	l.base[u.idx].setOpen(true) // makes the reader visit it in every frame: it cannot see whether the form is open
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
		of = l.child(parent.mirrored(), n.key, l.base[n.idx].zone)
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
