package process

// Fill makes a timeline of lanes, frames and scopes, for programs that draw data of their own. Times are from the
// beginning of the frame shown, which is the one of the given age. The scopes of each lane are in order of time, those
// of a level without overlap.
func (t *Timeline) Fill(lane LaneID, age int, lanes []TimelineLane, frames []TimelineFrame, scopes []TimelineScope) {
	t.clear()
	t.Serial++
	t.Lane, t.Age, t.Origin, t.Length = lane, age, 0, 0
	t.Frames, t.Lanes = append(t.Frames[:0], frames...), append(t.Lanes[:0], lanes...)
	if n := len(frames); n > 0 {
		t.Least, t.Most = min(frames[0].Begin, 0), frames[n-1].End
	}
	for i := range frames {
		if f := &frames[i]; f.Age == age {
			t.Index, t.Until, t.Length = f.Index, f.Index, f.End-f.Begin
		}
	}
	for i := range lanes {
		b := t.bandOf(&lanes[i])
		if lanes[i].State != TimelineWhole {
			b.gap(0, lanes[i].From)
		}
	}
	for len(scopes) > 0 {
		n := 1
		for n < len(scopes) && scopes[n].Lane == scopes[0].Lane {
			n++
		}
		if at, found := t.byLane[scopes[0].Lane]; found {
			t.add(&t.bands[at], scopes[:n], 0, false)
			t.work(&t.bands[at], scopes[:n], 0)
		}
		scopes = scopes[n:]
	}
	t.settleGroups()
	t.show(min(t.Least, 0), max(t.Most, t.Length))
}
