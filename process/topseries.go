package process

import (
	"cmp"
	"slices"
)

// mostSeries bounds the zones of AppendTopSeries.
const mostSeries = 64

// AppendTopSeries appends the self time of the most important zones in the newest frames, at most frames of them. It is
// like AppendSeries, but only of the lane of the view, or else of the lane that ends the frames, because the busy time
// of a frame is of that lane. There are at most most zones, and no more than 64, the one with the largest mean first.
// The importance of a zone is its mean over the history plus a tenth of its greatest value, so that spikes count. Idle
// zones are left out. Then follows the zone also, of all lanes or the lane of the view, if it is not among them (-1 for
// none). The cost hardly grows with the number of zones. Any goroutine may call it.
func (s *Session) AppendTopSeries(dst []Series, frames, most int, also ZoneID) []Series {
	s.lock()
	defer s.mu.Unlock()
	return s.appendTopSeries(dst, frames, most, nil, also)
}

// appendTopSeries appends the most important zones, then those of keep that are not among them.
func (s *Session) appendTopSeries(dst []Series, frames, most int, keep []ZoneID, also ZoneID) []Series {
	s.seenLane(&s.view)
	s.own.follow(&s.past, &s.tree, len(s.zones))
	var top topZones
	n := float64(max(s.past.length(), 1))
	for i := range s.past.zones {
		t := s.ownSelf(ZoneID(i))
		if s.past.zones[i].birth < s.past.next && t.sum > 1e-9 && !s.zones[i].Idle && (i > 0 || !s.idleRoot()) &&
			!s.view.Hides(ZoneID(i)) {
			top.put(min(most, mostSeries), ranked{ZoneID(i), t.sum/n + float64(t.max)/10})
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
	for _, zone := range keep {
		if !top.has(zone) && zone >= 0 && int(zone) < len(s.past.zones) && s.past.zones[zone].birth < s.past.next &&
			!s.zones[zone].Idle && (zone > 0 || !s.idleRoot()) && !s.view.Hides(zone) {
			dst = s.appendSeriesOf(dst, zone, s.ownSelf(zone), frames)
		}
		if zone == also {
			also = -1
		}
	}
	if also >= 0 && int(also) < len(s.past.zones) && s.past.zones[also].birth < s.past.next {
		t := &s.past.zones[also].self
		if s.view.Lane != 0 {
			t = s.ownSelf(also)
		}
		dst = s.appendSeriesOf(dst, also, t, frames)
	}
	return dst
}

// ranked is a zone with its rank.
type ranked struct {
	zone ZoneID
	rank float64
}

// compare puts the greatest rank first.
func (a ranked) compare(b ranked) int {
	return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.zone, b.zone))
}

// topZones are the zones with the greatest ranks, in order.
type topZones struct {
	zones [mostSeries]ranked
	n     int
}

func (t *topZones) has(zone ZoneID) bool {
	for i := range t.n {
		if t.zones[i].zone == zone {
			return true
		}
	}
	return false
}

// put adds a zone if it is among the first most.
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
