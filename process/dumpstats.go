package process

import (
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// dumpStatistics returns the statistics of all zones that were ever entered, by zone id.
func (s *store) dumpStatistics() (list []ZoneStatistics) {
	s.stats.Asked = true
	s.digest()
	s.calls.Read((*callsOf)(s), &s.past, 0)
	ms := s.msPerTick()
	for zone := range s.stats.Zones {
		p, calls := &s.stats.Zones[zone], s.calls.Zones[ZoneID(zone)]
		z := ZoneStatistics{Zone: ZoneID(zone), Frames: s.stats.Frames - p.Born}
		if p.Hier.Count == 0 && calls == nil {
			continue
		}
		z.Self, z.Hier = p.Self.Summary(z.Frames), p.Hier.Summary(z.Frames)
		if calls != nil {
			z.CallsCounted, z.CallsMissing = calls.Count, calls.Missing
			z.Calls = history.SummaryOf(func(k report.Statistic) float64 { return calls.Of(k) * ms })
		}
		list = append(list, z)
	}
	return list
}
