package html

import (
	"math"
	"strconv"

	"example.com/iprof/process"
)

// appendStatistics appends [zone, frames, self, hierarchical] of each zone, and where single calls are counted their number,
// the number of those that are missing, and their durations.
func appendStatistics(b []byte, zones []process.ZoneStatistics) []byte {
	return appendList(b, zones, func(b []byte, z *process.ZoneStatistics) []byte {
		b = strconv.AppendInt(append(b, '['), int64(z.Zone), 10)
		b = strconv.AppendUint(append(b, ','), z.Frames, 10)
		b = appendSummary(append(b, ','), &z.Self)
		b = appendSummary(append(b, ','), &z.Hier)
		if z.CallsCounted+z.CallsMissing > 0 {
			b = strconv.AppendUint(append(b, ','), z.CallsCounted, 10)
			b = strconv.AppendUint(append(b, ','), z.CallsMissing, 10)
			b = appendSummary(append(b, ','), &z.Calls)
		}
		return append(b, ']')
	})
}

// appendSummary appends times in ms to four digits, which is what the page shows; null for those that are not known.
func appendSummary(b []byte, s *process.Summary) []byte {
	times := [...]float64{s.Min, s.Mean, s.Max, s.Deviation, s.P50, s.P90, s.P99, s.P999}
	return appendList(b, times[:], func(b []byte, v *float64) []byte {
		if math.IsNaN(*v) || math.IsInf(*v, 0) {
			return append(b, "null"...)
		}
		return strconv.AppendFloat(b, *v, 'g', 4, 64)
	})
}
