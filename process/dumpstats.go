package process

import "math"

// Summary are statistics of many times, in ms.
type Summary struct {
	Min, Mean, Max, Deviation float64
	P50, P90, P99, P999       float64 // to 1 %; NaN where they are not known, for want of memory
}

// ZoneStatistics are those of one zone since start or Reset.
type ZoneStatistics struct {
	Zone       int32
	Frames     uint64  // since it was first entered: those without it count as nothing
	Self, Hier Summary // per frame

	CallsCounted, CallsMissing uint64  // of single calls, where they are counted; see ColumnCallsMissing
	Calls                      Summary // their durations
}

// summary is a summary of a sketch over so many frames.
func (k *sketch) summary(frames uint64) (m Summary) {
	m = summaryOf(func(s statistic) float64 { return k.of(s, frames) })
	if k.short {
		m.P50, m.P90, m.P99, m.P999 = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	}
	return m
}

func summaryOf(of func(statistic) float64) Summary {
	return Summary{of(statMin), of(statMean), of(statMax), of(statDeviation), of(statP50), of(statP90), of(statP99), of(statP999)}
}

// dumpStatistics returns those of all zones that have ever been entered, by zone id.
func (s *Session) dumpStatistics() (list []ZoneStatistics) {
	s.stats.asked = true
	s.digest()
	s.calls.read(s, 0)
	ms := s.msPerTick()
	for zone := range s.stats.zones {
		p, calls := &s.stats.zones[zone], s.calls.zones[int32(zone)]
		z := ZoneStatistics{Zone: int32(zone), Frames: s.stats.frames - p.born}
		if p.hier.count == 0 && calls == nil {
			continue
		}
		z.Self, z.Hier = p.self.summary(z.Frames), p.hier.summary(z.Frames)
		if calls != nil {
			z.CallsCounted, z.CallsMissing = calls.Count, calls.missing
			z.Calls = summaryOf(func(k statistic) float64 { return calls.of(k) * ms })
		}
		list = append(list, z)
	}
	return list
}
