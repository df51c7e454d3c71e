package tables

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// times adds the times of the nodes of a frame.
func (r *reading) times(f *gather.Frame, chosen bool) {
	if chosen {
		r.eachNode(f, func(l *gather.LaneFrame, i int, t *fact) {
			n := &l.Nodes[i]
			self := float64(n.Self) / r.perMS
			outer := r.outermost(l, i, t)
			if t.values[2] = callsOf(l, i); outer {
				t.values[1] = r.hier[i]
			}
			r.setSelf(t, self)
		})
	}
}

// callsOf returns the number of entries of a node.
func callsOf(l *gather.LaneFrame, node int) float64 {
	return float64(l.Nodes[node].Count) + float64(l.Extra(node).More)*(1<<32)
}

// setSelf sets the self time of a fact. Where a row is not of one zone, idle time is apart.
func (r *reading) setSelf(t *fact, ms float64) {
	if r.zones[t.zone].Idle && !slices.Contains([]string{"zone", "path", "line"}, r.by) {
		t.values[3] = ms
	} else {
		t.values[0] = ms
	}
}

// memory adds the memory of the nodes of a frame.
func (r *reading) memory(f *gather.Frame, chosen bool) {
	if chosen {
		r.chosen.add(f.Index)
	}
	if chosen && r.by != "type" {
		r.eachNode(f, func(l *gather.LaneFrame, i int, t *fact) {
			x := l.Extra(i)
			for k, n := range []uint64{x.HeapBytes, x.HeapObjects, x.AllocBytes, x.Allocs, x.FreeBytes, x.Frees} {
				t.values[k] = float64(n)
			}
		})
	}
}

// eachNode adds a fact for each node that is in a zone. fill fills its values; a fact without values is not added.
func (r *reading) eachNode(f *gather.Frame, fill func(l *gather.LaneFrame, node int, t *fact)) {
	for i := range f.Lanes {
		l := &f.Lanes[i]
		of := r.lane(l.ID, l.Name)
		if of.taken {
			r.measure(l)
			for k := 1; k < len(l.Nodes); k++ {
				t := fact{zone: l.Nodes[k].Zone, route: r.routes[k], path: r.onPath[k], lane: of, frame: f.Index}
				if fill(l, k, &t); t.values != [7]float64{} && t.zone > 0 {
					r.add(&t)
				}
			}
		}
	}
}

// measure computes the hierarchical times, routes and paths of a lane's nodes.
func (r *reading) measure(l *gather.LaneFrame) {
	n := len(l.Nodes)
	r.hier, r.keys = slices.Grow(r.hier[:0], n)[:n], slices.Grow(r.keys[:0], n)[:n]
	r.routes, r.onPath = slices.Grow(r.routes[:0], n)[:n], slices.Grow(r.onPath[:0], n)[:n]
	for i := range l.Nodes {
		o := &l.Nodes[i]
		r.hier[i] = float64(o.Self) / r.perMS
		r.routes[i], r.onPath[i], r.keys[i] = 0, 0, key{}
		if o.Parent >= 0 {
			r.routes[i] = r.routes[o.Parent]
			if r.by == "path" {
				r.onPath[i] = r.paths.below(r.onPath[o.Parent], o.Zone)
			}
		}
		if r.by == "route" && report.IsRoute(r.zones[o.Zone].Name) {
			r.routes[i] = o.Zone
		}
	}
	for i := n - 1; i > 0; i-- {
		r.hier[l.Nodes[i].Parent] += r.hier[i]
	}
}

// mostAround is how many nodes around a node outermost looks at.
const mostAround = 1024

// outermost reports whether no node around a node has the same key.
func (r *reading) outermost(l *gather.LaneFrame, node int, t *fact) bool {
	if !r.takes(t) {
		return false
	}
	k, has := r.keyOf(t)
	if !has {
		return false
	}
	k.number++ // no key of a node that the choice has is zero
	r.keys[node] = k
	if r.by == "path" {
		return true
	}
	looked := 0
	for at := l.Nodes[node].Parent; at > 0; at = l.Nodes[at].Parent {
		if looked++; r.keys[at] == k || looked > mostAround {
			return false
		}
	}
	return true
}

// lanesOf adds the lanes of a frame.
func (r *reading) lanesOf(f *gather.Frame, chosen bool) {
	if chosen {
		r.eachLane(f, func(l *gather.LaneFrame, t *fact) { r.add(t) })
	}
}

// forks adds the lanes of a frame that a go statement made.
func (r *reading) forks(f *gather.Frame, chosen bool) {
	if chosen {
		r.eachLane(f, func(l *gather.LaneFrame, t *fact) {
			if t.name = report.Crowd(l.Name); t.name != "" {
				r.add(t)
			}
		})
	}
}

// eachLane calls do with a fact for each lane of a frame.
func (r *reading) eachLane(f *gather.Frame, do func(l *gather.LaneFrame, t *fact)) {
	for i := range f.Lanes {
		l := &f.Lanes[i]
		t := fact{lane: r.lane(l.ID, l.Name), frame: f.Index}
		for k := range l.Nodes {
			n := &l.Nodes[k]
			ms := float64(n.Self) / r.perMS
			if n.Zone == 0 || r.zones[n.Zone].Idle {
				t.values[1] += ms
			} else {
				t.values[0] += ms
			}
			t.values[2] += float64(n.Count)
		}
		t.values[3] = l.CPU.Seconds() * 1000
		do(l, &t)
	}
}
