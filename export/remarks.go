package export

import "example.com/iprof/gather"

// remarks has the remarks on the scopes of a lane in a frame, by time.
type remarks struct {
	target remarkTarget // nil if the format cannot hold remarks
	list   []gather.Remark
	next   int
}

// begin lists the remarks of a lane.
func (r *remarks) begin(w *walk) {
	r.target, _ = w.x.target.(remarkTarget)
	r.list = r.list[:0]
	r.next = 0
	if r.target == nil {
		return
	}
	for i := range w.f.Remarks {
		if m := &w.f.Remarks[i]; m.Lane == w.l.ID && m.Time >= w.l.Begin {
			r.list = append(r.list, *m)
		}
	}
}

// writeBefore writes the remarks that were made before an event. If the event is an end, it also writes those made at
// its time. The root is the slice around all scopes.
func (r *remarks) writeBefore(w *walk, e *gather.Event) {
	for ; r.next < len(r.list); r.next++ {
		m := &r.list[r.next]
		if m.Time > e.Time || m.Time == e.Time && !e.End {
			return
		}
		if depth := int(m.Level) + 1; depth > 0 && depth < len(w.zones) && w.zones[depth] == m.Zone {
			r.target.say(w.l.ID, depth, m)
		}
	}
}
