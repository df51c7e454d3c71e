package process

import "math"

// Summary holds statistics of many times, in ms.
type Summary struct {
	Min, Mean, Max, Deviation float64
	P50, P90, P99, P999       float64 // to 1 %; NaN if there was no memory for them
}

// ZoneStatistics holds the statistics of one zone since start or Reset.
type ZoneStatistics struct {
	Zone       ZoneID
	Frames     uint64  // since its first entry; in frames without an entry its time is 0
	Self, Hier Summary // per frame

	CallsCounted, CallsMissing uint64  // single calls, if they are counted: see ColumnCallsMissing
	Calls                      Summary // durations of single calls
}

// summary summarizes a sketch over a number of frames.
func (k *sketch) summary(frames uint64) (m Summary) {
	m = summaryOf(func(s statistic) float64 { return k.of(s, frames) })
	if k.short {
		m.P50, m.P90, m.P99, m.P999 = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	}
	return m
}

func summaryOf(of func(statistic) float64) Summary {
	return Summary{of(statMin), of(statMean), of(statMax), of(statDeviation),
		of(statP50), of(statP90), of(statP99), of(statP999)}
}

// dumpStatistics returns the statistics of all zones that were ever entered, by zone id.
func (s *Session) dumpStatistics() (list []ZoneStatistics) {
	s.stats.asked = true
	s.digest()
	s.calls.read(s, 0)
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
			z.Calls = summaryOf(func(k statistic) float64 { return calls.of(k) * ms })
		}
		list = append(list, z)
	}
	return list
}
