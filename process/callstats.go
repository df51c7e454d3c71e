package process

import "example.com/iprof/gather"

// fillCalls sets the call columns of a record.
func (s *store) fillCalls(out *Record, r *row, lane LaneID, want ColumnSet) {
	s.calls.Read((*callsOf)(s), &s.past, lane)
	of := s.calls.Zones[r.zone]
	if s.ownPath(r) {
		of = s.calls.Paths[r.path]
	}
	if of != nil && (s.past.Next == 0 || s.past.Age(0) != nil) {
		of.Fill(out, want, s.fed, s.msPerTick())
	}
}

// callsOf is a session as the reader of its calls.
type callsOf store

func (s *callsOf) ReadAll(dst []gather.Calls) (calls []gather.Calls, slow bool) {
	return (*store)(s).readCalls(dst), s.fed
}

func (s *callsOf) PathOfNode(node gather.NodeID, zone ZoneID) int32 {
	return s.totals.PathOfNode(node, zone)
}

// msPerTick is the rate of the clock in the newest frame.
func (s *store) msPerTick() float64 {
	switch p := s.past.Age(0); {
	case p != nil:
		return p.PerTick
	case s.first.PerTick > 0:
		return s.first.PerTick
	}
	return 1e-6
}
