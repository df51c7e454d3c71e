package process

import (
	"cmp"
	"slices"

	"example.com/iprof/gather"
)

// CallBucket counts the calls of a zone that took so long.
type CallBucket struct {
	Low, High float64 // ms: at least, and less than
	Count     uint64
}

// SetPerCall makes the running program count every call of a zone by its duration, or ends that, for AppendCalls. It does
// nothing in a session that is fed with frames from elsewhere. See gather.Zone.SetPerCall for what it costs.
func (s *Session) SetPerCall(zone int32, on bool) {
	s.lock()
	running := s.running()
	s.mu.Unlock()
	if running {
		gather.SetPerCallOf(zone, on)
	}
}

// AppendCalls appends how many calls of a zone took how long since SetPerCall, on all lanes, the shortest first; none where
// calls are not counted. It takes as long as copying the histograms of all counted zones does.
func (s *Session) AppendCalls(dst []CallBucket, zone int32) []CallBucket {
	s.lock()
	defer s.mu.Unlock()
	p := s.past.age(0)
	if p == nil || !s.running() {
		return dst
	}
	from := len(dst)
	calls := gather.AppendCalls(nil)
	for i := range calls {
		if calls[i].Zone != zone {
			continue
		}
		for _, b := range calls[i].Buckets {
			dst = append(dst, CallBucket{float64(b.Low) * p.perTick, float64(b.Low+b.Width) * p.perTick, b.Count})
		}
	}
	return slices.Delete(dst, from+merged(dst[from:]), len(dst))
}

// merged brings buckets into order and makes one of those that are equal; it returns how many are left.
func merged(b []CallBucket) (n int) {
	slices.SortFunc(b, func(a, b CallBucket) int { return cmp.Compare(a.Low, b.Low) })
	for i := range b {
		if n > 0 && b[n-1].Low == b[i].Low {
			b[n-1].Count += b[i].Count
			continue
		}
		b[n] = b[i]
		n++
	}
	return n
}
