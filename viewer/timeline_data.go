package viewer

import "example.com/iprof/process"

// timelineData is the timeline of the last Draw, with the looks of its zones.
type timelineData struct {
	*process.Timeline
	serial int // the Timeline.Serial of the last Draw
	stamp  int // counts the changes of what scopes look like
	looks  []zoneLook
}

// follow updates the data to a timeline, if that has changed.
func (t *timelineData) follow(of *process.Timeline) {
	t.Timeline = of
	if t.serial != of.Serial {
		t.serial = of.Serial
		t.stamp++
	}
}

// any reports whether a lane has scopes in sight.
func (t *timelineData) any() bool {
	for i := range t.Bands {
		if b := &t.Bands[i]; b.Depth > 0 && (t.Lane == 0 || t.Lane == b.ID) {
			return true
		}
	}
	return false
}

func (t *timelineData) bandOf(lane process.LaneID) *process.TimelineBand {
	for i := range t.Bands {
		if t.Bands[i].ID == lane {
			return &t.Bands[i]
		}
	}
	return nil
}
