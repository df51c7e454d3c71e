package process

import "example.com/iprof/process/internal/history"

// ownSelf is the trace of a zone on the lane of the view, else on the lane that ends the frames, or over all lanes if
// that lane is not known.
func (s *store) ownSelf(zone ZoneID, lane LaneID) *history.Series {
	if l := &s.lane; lane != 0 && l.Of == lane && int(zone) < len(l.Past.Zones) {
		return &l.Past.Zones[zone].Self
	}
	if s.own.Seen && int(zone) < len(s.own.Zones) {
		return &s.own.Zones[zone]
	}
	return &s.past.Zones[zone].Self
}
