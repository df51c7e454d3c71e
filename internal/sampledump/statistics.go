package sampledump

import (
	"math"

	"example.com/iprof/process/report"
)

// Statistics returns statistics for the zones of a dump. Every third zone has its calls counted, and the last has no
// quantiles.
func Statistics(d *report.Dump) (list []report.ZoneStatistics) {
	const frames = 741
	for i, z := range report.AppendZoneTotals(nil, d.Merged) {
		if z.Count == 0 {
			continue
		}
		s := report.ZoneStatistics{Zone: z.Zone, Frames: frames, Self: spread(z.Self / frames),
			Hier: spread(z.Hier / frames)}
		if i%3 == 0 {
			s.CallsCounted, s.CallsMissing = uint64(z.Count), uint64(i*i)
			s.Calls = spread(z.Hier / z.Count)
		}
		list = append(list, s)
	}
	if len(list) > 0 {
		last := &list[len(list)-1].Hier
		last.P50 = math.NaN()
		last.P90 = math.NaN()
		last.P99 = math.NaN()
		last.P999 = math.NaN()
	}
	return list
}

// spread returns statistics of times with the given mean.
func spread(mean float64) report.Summary {
	return report.Summary{Min: 0.4 * mean, Mean: mean, Max: 6 * mean, Deviation: 0.7 * mean,
		P50: 0.9 * mean, P90: 1.6 * mean, P99: 3 * mean, P999: 5 * mean}
}
