package tables

import (
	"slices"

	"example.com/iprof/gather"
)

// Group says what a row of a Graph is to the zone in focus.
type Group uint8

// The groups. Rows of other kinds have none.
const (
	Caller Group = 1 + iota
	Focus
	Callee
)

// String returns the group as JSON has it, "" for none.
func (g Group) String() string { return [...]string{"", "caller", "focus", "callee"}[g] }

// reach is where a node is in a call graph: see callGraph of process/internal/rows. A reach is a node of the focus with
// all below it down to the next node of the focus.
type reach struct {
	focus int32   // the innermost node of the focus at it or above it, or -1
	top   int32   // the callee of that node through which it was reached
	below float64 // ms of it and of what is below it in the reach
}

// around adds the callers of the zone in focus, the zone, and its callees. Where a row is of a lane, a frame or a
// route, it adds the zone only.
func (r *reading) around(f *gather.Frame, chosen bool) {
	focus := r.choice.Focus
	if !chosen || int(focus) >= len(r.zones) {
		return
	}
	around := !slices.Contains([]string{"lane", "frame", "route"}, r.by)
	for i := range f.Lanes {
		l := &f.Lanes[i]
		if of := r.lane(l.ID, l.Name); of.taken {
			r.measure(l)
			r.reach(l, focus)
			for k := range l.Nodes {
				if r.reaches[k].focus >= 0 {
					r.addReached(l, int32(k), of, around)
				}
			}
		}
	}
}

// reach finds the reaches of a lane.
func (r *reading) reach(l *gather.LaneFrame, focus gather.ZoneID) {
	n := len(l.Nodes)
	r.reaches = slices.Grow(r.reaches[:0], n)[:n]
	for i := range l.Nodes {
		o := &l.Nodes[i]
		q := reach{focus: -1, top: int32(i), below: float64(o.Self) / r.perMS}
		if o.Parent >= 0 {
			up := r.reaches[o.Parent]
			if q.focus = up.focus; up.focus != o.Parent {
				q.top = up.top
			}
		}
		if o.Zone == focus {
			q.focus, q.top = int32(i), int32(i)
		}
		r.reaches[i] = q
	}
	for i := n - 1; i > 0; i-- {
		if up := &r.reaches[l.Nodes[i].Parent]; r.reaches[i].focus == up.focus {
			up.below += r.reaches[i].below
		}
	}
}

// addReached adds a node of a reach.
func (r *reading) addReached(l *gather.LaneFrame, node int32, of *lane, around bool) {
	n, q := &l.Nodes[node], r.reaches[node]
	self := float64(n.Self) / r.perMS
	fact := func(group Group, at int32) (t fact) {
		t = fact{group: group, zone: l.Nodes[at].Zone, route: r.routes[at], path: r.onPath[at], lane: of,
			frame: r.frame.Index}
		if t.zone == 0 {
			t.name = r.zones[0].Name
		}
		return t
	}
	switch {
	case q.focus == node:
		t := fact(Focus, node)
		if t.values[2] = callsOf(l, int(node)); n.Parent < 0 || r.reaches[n.Parent].focus < 0 {
			t.values[1] = r.hier[node]
		}
		r.setSelf(&t, self)
		r.add(&t)
		if n.Parent >= 0 && around {
			caller := fact(Caller, n.Parent)
			caller.values = t.values
			caller.values[1] = q.below
			r.add(&caller)
		}
	case !around:
	case q.top == node:
		t := fact(Callee, node)
		t.values = [7]float64{1: q.below, 2: callsOf(l, int(node))}
		r.setSelf(&t, self)
		r.add(&t)
	default: // of the row of its callee, where it has the same key
		t, top := fact(Callee, node), fact(Callee, q.top)
		a, _ := r.keyOf(&t)
		if b, _ := r.keyOf(&top); a == b {
			r.setSelf(&t, self)
			r.add(&t)
		}
	}
}
