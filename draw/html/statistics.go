package html

import (
	"math"
	"strconv"

	"example.com/iprof/process/report"
)

// appendStatistics appends [zone, frames, self, hierarchical] for each zone. If single calls are counted, their
// number, the number of missing ones, their durations and the bars of these follow.
func appendStatistics(b []byte, zones []report.ZoneStatistics) []byte {
	return appendList(b, zones, func(b []byte, z *report.ZoneStatistics) []byte {
		b = strconv.AppendInt(append(b, '['), int64(z.Zone), 10)
		b = strconv.AppendUint(append(b, ','), z.Frames, 10)
		b = appendSummary(append(b, ','), &z.Self)
		if z.Hier == z.Self { // a zone without callees
			b = append(b, ",0"...)
		} else {
			b = appendSummary(append(b, ','), &z.Hier)
		}
		if z.CallsCounted+z.CallsMissing > 0 {
			b = strconv.AppendUint(append(b, ','), z.CallsCounted, 10)
			b = strconv.AppendUint(append(b, ','), z.CallsMissing, 10)
			b = appendSummary(append(b, ','), &z.Calls)
		}
		if len(z.CallBars) > 0 {
			b = appendList(append(b, ','), z.CallBars, func(b []byte, n *uint64) []byte {
				return strconv.AppendUint(b, *n, 10)
			})
		}
		return append(b, ']')
	})
}

// appendSummary appends times in microseconds with four digits, as the page shows them, because that text is shorter
// than milliseconds. Times that are not known are null, or missing at the end.
func appendSummary(b []byte, s *report.Summary) []byte {
	times := [...]float64{s.Min, s.Mean, s.Max, s.Deviation, s.P50, s.P90, s.P99, s.P999}
	known := len(times)
	for known > 0 && math.IsNaN(times[known-1]) {
		known--
	}
	return appendList(b, times[:known], func(b []byte, v *float64) []byte {
		if math.IsNaN(*v) || math.IsInf(*v, 0) {
			return append(b, "null"...)
		}
		return strconv.AppendFloat(b, 1000**v, 'g', 4, 64)
	})
}
