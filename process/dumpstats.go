package process

import (
	"math"

	"example.com/iprof/process/report"
)

// summary summarizes a sketch over a number of frames.
func (k *sketch) summary(frames uint64) (m Summary) {
	m = summaryOf(func(s report.Statistic) float64 { return k.of(s, frames) })
	if k.short {
		m.P50, m.P90, m.P99, m.P999 = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	}
	return m
}

func summaryOf(of func(report.Statistic) float64) Summary {
	return Summary{Min: of(report.StatMin), Mean: of(report.StatMean), Max: of(report.StatMax),
		Deviation: of(report.StatDeviation),
		P50:       of(report.StatP50), P90: of(report.StatP90), P99: of(report.StatP99), P999: of(report.StatP999)}
}

// dumpStatistics returns the statistics of all zones that were ever entered, by zone id.
func (s *Session) dumpStatistics() (list []ZoneStatistics) {
	s.stats.asked = true
	s.digest()
	s.calls.read((*callsOf)(s), &s.past, 0)
	ms := s.msPerTick()
	for zone := range s.stats.zones {
		p, calls := &s.stats.zones[zone], s.calls.zones[ZoneID(zone)]
		z := ZoneStatistics{Zone: ZoneID(zone), Frames: s.stats.frames - p.born}
		if p.hier.count == 0 && calls == nil {
			continue
		}
		z.Self, z.Hier = p.self.summary(z.Frames), p.hier.summary(z.Frames)
		if calls != nil {
			z.CallsCounted, z.CallsMissing = calls.Count, calls.missing
			z.Calls = summaryOf(func(k report.Statistic) float64 { return calls.of(k) * ms })
		}
		list = append(list, z)
	}
	return list
}
