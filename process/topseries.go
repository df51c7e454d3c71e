package process

import "cmp"

// mostSeries is the most that AppendTopSeries ranks.
const mostSeries = 64

// AppendTopSeries is AppendSeries for a display that has room for a few: the zones with the largest means, at most so many and
// no more than 64, and the zone also, if it is not among them (-1 for none), last. Only what is returned is copied, so that its cost does not
// grow with the number of zones.
func (s *Session) AppendTopSeries(dst []Series, frames, most int, also int32) []Series {
	s.lock()
	defer s.mu.Unlock()
	s.digest()
	var top topZones
	most = min(most, mostSeries)
	for i := range s.past.zones {
		if t := &s.past.zones[i]; t.birth < s.past.next && t.self.sum > 0 {
			top.put(most, ranked{int32(i), t.self.sum})
		}
	}
	for _, z := range top.zones[:top.n] {
		dst = s.appendSeries(dst, z.zone, frames)
		if z.zone == also {
			also = -1
		}
	}
	if also >= 0 && int(also) < len(s.past.zones) && s.past.zones[also].birth < s.past.next {
		dst = s.appendSeries(dst, also, frames)
	}
	return dst
}

// ranked is a zone and the time it is ranked by.
type ranked struct {
	zone int32
	sum  float64
}

func (a ranked) compare(b ranked) int {
	return cmp.Or(cmp.Compare(b.sum, a.sum), cmp.Compare(a.zone, b.zone))
}

// topZones is the zones with the largest sums, the largest first.
type topZones struct {
	zones [mostSeries]ranked
	n     int
}

// put takes a zone in if it is among the first so many.
func (t *topZones) put(most int, r ranked) {
	if t.n >= most && (most <= 0 || t.zones[most-1].compare(r) <= 0) {
		return
	}
	t.n = min(t.n+1, most)
	at := t.n - 1
	for ; at > 0 && t.zones[at-1].compare(r) > 0; at-- {
		t.zones[at] = t.zones[at-1]
	}
	t.zones[at] = r
}
