package process

import (
	"slices"

	"example.com/iprof/process/internal/history"
)

// appendTopSeries appends the most important zones, then those of keep that are not among them.
func (s *builder) appendTopSeries(dst []Series, frames, most int, keep []ZoneID, also ZoneID) []Series {
	s.seenLane(&s.view)
	s.own.Follow(&s.past, &s.tree, len(s.zones))
	var top history.TopZones
	n := float64(max(s.past.Length(), 1))
	for i := range s.past.Zones {
		t := s.ownSelf(ZoneID(i), s.view.Lane)
		if s.past.Zones[i].Birth < s.past.Next && t.Sum > 1e-9 && !s.zones[i].Idle &&
			(i > 0 || !s.idleRoot(s.view.Lane)) && !s.view.Hides(ZoneID(i)) {
			top.Put(min(most, history.MostSeries), history.Ranked{Zone: ZoneID(i), Rank: t.Sum/n + float64(t.Max)/10})
		}
	}
	zones := top.Zones[:top.N]
	for i := range zones {
		zones[i].Rank = s.ownSelf(zones[i].Zone, s.view.Lane).Sum
	}
	slices.SortFunc(zones, history.Ranked.Compare)
	for _, z := range zones {
		dst = s.appendSeriesOf(dst, z.Zone, s.ownSelf(z.Zone, s.view.Lane), frames)
		if z.Zone == also {
			also = -1
		}
	}
	for _, zone := range keep {
		if !top.Has(zone) && zone >= 0 && int(zone) < len(s.past.Zones) && s.past.Zones[zone].Birth < s.past.Next &&
			!s.zones[zone].Idle && (zone > 0 || !s.idleRoot(s.view.Lane)) && !s.view.Hides(zone) {
			dst = s.appendSeriesOf(dst, zone, s.ownSelf(zone, s.view.Lane), frames)
		}
		if zone == also {
			also = -1
		}
	}
	if also >= 0 && int(also) < len(s.past.Zones) && s.past.Zones[also].Birth < s.past.Next {
		t := &s.past.Zones[also].Self
		if s.view.Lane != 0 {
			t = s.ownSelf(also, s.view.Lane)
		}
		dst = s.appendSeriesOf(dst, also, t, frames)
	}
	return dst
}
