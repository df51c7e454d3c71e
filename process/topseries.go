package process

import (
	"cmp"
	"slices"
)

// mostSeries is the most that AppendTopSeries ranks.
const mostSeries = 64

// AppendTopSeries is AppendSeries for a display that has room for a few: the zones that matter most, at most so many and no
// more than 64, the one with the largest mean first; then the zone also, if it is not among them (-1 for none). What matters
// is the mean over the history, and a tenth of the greatest value: it is the spikes that one looks for. Idle zones are no
// work and left out. Only what is returned is copied, so that the cost hardly grows with the number of zones.
func (s *Session) AppendTopSeries(dst []Series, frames, most int, also int32) []Series {
	s.lock()
	defer s.mu.Unlock()
	s.digest()
	var top topZones
	n := float64(max(s.past.length(), 1))
	for i := range s.past.zones {
		if t := &s.past.zones[i]; t.birth < s.past.next && t.self.sum > 0 && !s.zones[i].Idle {
			top.put(min(most, mostSeries), ranked{int32(i), t.self.sum/n + float64(t.self.max)/10})
		}
	}
	zones := top.zones[:top.n]
	for i := range zones {
		zones[i].rank = s.past.zones[zones[i].zone].self.sum
	}
	slices.SortFunc(zones, ranked.compare)
	for _, z := range zones {
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

// ranked is a zone and what it is ranked by.
type ranked struct {
	zone int32
	rank float64
}

// compare puts the greatest rank first.
func (a ranked) compare(b ranked) int {
	return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.zone, b.zone))
}

// topZones is the zones with the greatest ranks, the greatest first.
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
