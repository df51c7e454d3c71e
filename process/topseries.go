package process

import (
	"cmp"
	"slices"
)

// mostSeries is the most that AppendTopSeries ranks.
const mostSeries = 64

// AppendTopSeries is AppendSeries for a history of frames: of the lane that ends the frames alone, whose busy time the frames'
// is, and of the zones that matter most there, at most so many and no more than 64, the one with the largest mean first. What
// matters is the mean over the history, and a tenth of the greatest value: it is the spikes that one looks for. Idle zones are
// no work and left out. Then comes the zone also, on all lanes, if it is not among them (-1 for none). Only what is returned is copied, so that the cost hardly grows with the number of zones.
func (s *Session) AppendTopSeries(dst []Series, frames, most int, also int32) []Series {
	s.lock()
	defer s.mu.Unlock()
	return s.appendTopSeries(dst, frames, most, also)
}

func (s *Session) appendTopSeries(dst []Series, frames, most int, also int32) []Series {
	s.digest()
	s.own.follow(s)
	var top topZones
	n := float64(max(s.past.length(), 1))
	for i := range s.past.zones {
		t := s.ownSelf(int32(i))
		if s.past.zones[i].birth < s.past.next && t.sum > 1e-9 && !s.zones[i].Idle {
			top.put(min(most, mostSeries), ranked{int32(i), t.sum/n + float64(t.max)/10})
		}
	}
	zones := top.zones[:top.n]
	for i := range zones {
		zones[i].rank = s.ownSelf(zones[i].zone).sum
	}
	slices.SortFunc(zones, ranked.compare)
	for _, z := range zones {
		dst = s.appendSeriesOf(dst, z.zone, s.ownSelf(z.zone), frames)
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
