package process

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
)

// SetPerCall starts or stops the counting of every call of a zone by its duration, for AppendCalls. It does nothing in
// a session that WriteFrame feeds. For its cost see gather.Zone.SetPerCall. Any goroutine may call it.
func (s *Session) SetPerCall(zone ZoneID, on bool) {
	s.lock()
	running := s.running()
	s.mu.Unlock()
	if running {
		gather.SetPerCallOf(zone, on)
	}
}

// WantCalls counts the calls of a zone for a display until release is called, whether or not SetPerCall is on: see
// gather.WantCalls. In a session that WriteFrame feeds it does what CountCallsWith says. Any goroutine may call it.
func (s *Session) WantCalls(zone gather.ZoneID) (release func()) {
	s.lock()
	running, count := s.running(), s.feed.count
	s.mu.Unlock()
	switch {
	case running:
		return gather.WantCalls(zone)
	case count != nil:
		return count(zone)
	}
	return func() {}
}

// CountCallsWith sets what WantCalls does in a session that WriteFrame feeds, so that the program that the frames are
// of can be asked to count. It is nothing at first. Any goroutine may call it.
func (s *Session) CountCallsWith(count func(zone ZoneID) (release func())) {
	s.lock()
	defer s.mu.Unlock()
	s.feed.count = count
}

// AppendCalls appends the histogram of a zone's call durations since SetPerCall, of all lanes, the shortest first. It
// appends nothing if calls are not counted. It copies the histograms of all counted zones. In a session that WriteFrame
// feeds, they are those of SetCallSource. Any goroutine may call it.
func (s *Session) AppendCalls(dst []CallBucket, zone ZoneID) []CallBucket {
	s.lock()
	defer s.mu.Unlock()
	return s.appendCalls(dst, zone)
}

func (s *store) appendCalls(dst []CallBucket, zone ZoneID) []CallBucket {
	p := s.past.Age(0)
	if p == nil {
		return dst
	}
	from := len(dst)
	calls := s.readCalls(nil)
	for i := range calls {
		if calls[i].Zone != zone {
			continue
		}
		for _, b := range calls[i].Buckets {
			low, high := float64(b.Low)*p.PerTick, float64(b.Low+b.Width)*p.PerTick
			dst = append(dst, CallBucket{Low: low, High: high, Count: b.Count})
		}
	}
	return slices.Delete(dst, from+history.Merged(dst[from:]), len(dst))
}
