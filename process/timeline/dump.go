package timeline

import "example.com/iprof/process/report"

// Dump returns the timeline of the frame of an index, with all its scopes, or with none if they are more than scopes.
func (r *Reader) Dump(index uint64, scopes int) (t report.FrameTimeline) {
	w, ok := r.windowOf(r.FrameAt(index), 0, 0)
	if !ok {
		return t
	}
	r.listed = r.lanesOf(r.listed[:0], w)
	for i := range r.listed {
		switch l := &r.listed[i]; l.State {
		case Off:
			t.Off++
		case Gone:
			t.Gone++
		default:
			r.scopes = r.scopesOf(r.scopes[:0], l.ID, w)
			addLane(&t, l, r.scopes, &scopes)
		}
	}
	return t
}

// addLane adds a lane with its scopes, as long as there is room for them.
func addLane(t *report.FrameTimeline, l *Lane, all []Scope, room *int) {
	if len(all) == 0 {
		t.Quiet++
		return
	}
	if t.Left > 0 || len(all) > *room {
		t.Left += len(all)
		for i := range t.Lanes {
			t.Left += len(t.Lanes[i].Scopes)
			*room += len(t.Lanes[i].Scopes)
		}
		t.Lanes = nil
		return
	}
	*room -= len(all)
	lane := report.FrameLane{Name: l.Name, Device: l.Device, From: 0, Scopes: make([]report.FrameScope, len(all))}
	if l.State == Cut {
		lane.From = float32(l.From)
	}
	for i := range all {
		f := &all[i]
		lane.Scopes[i] = report.FrameScope{Zone: f.Zone, Begin: float32(f.Begin), End: float32(f.End),
			Level: uint16(min(f.Level, 1<<16-1)), Before: f.Before, After: f.After}
		if f.Remark != nil {
			lane.Remarks = append(lane.Remarks, report.FrameRemark{Scope: i, Remark: f.Remark})
		}
	}
	t.Lanes = append(t.Lanes, lane)
}
