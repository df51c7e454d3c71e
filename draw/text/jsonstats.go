package text

import "example.com/iprof/process"

type jsonStatistic struct {
	Zone   int32       `json:"zone"`
	Frames uint64      `json:"frames"`
	Self   jsonSummary `json:"self"`
	Hier   jsonSummary `json:"hier"`
	Calls  *jsonCalls  `json:"calls,omitempty"`
}

type jsonSummary struct {
	Min       float64 `json:"min_ms"`
	Mean      float64 `json:"mean_ms"`
	Max       float64 `json:"max_ms"`
	Deviation float64 `json:"deviation_ms"`
	P50       float64 `json:"p50_ms"`
	P90       float64 `json:"p90_ms"`
	P99       float64 `json:"p99_ms"`
	P999      float64 `json:"p999_ms"`
}

type jsonCalls struct {
	Counted uint64 `json:"counted"`
	Missing uint64 `json:"missing"`
	jsonSummary
}

func jsonStatisticOf(z process.ZoneStatistics) jsonStatistic {
	s := jsonStatistic{Zone: z.Zone, Frames: z.Frames, Self: jsonSummaryOf(z.Self), Hier: jsonSummaryOf(z.Hier)}
	if z.CallsCounted+z.CallsMissing > 0 {
		s.Calls = &jsonCalls{z.CallsCounted, z.CallsMissing, jsonSummaryOf(z.Calls)}
	}
	return s
}

func jsonSummaryOf(s process.Summary) jsonSummary {
	return jsonSummary{finite(s.Min), finite(s.Mean), finite(s.Max), finite(s.Deviation), finite(s.P50), finite(s.P90), finite(s.P99), finite(s.P999)}
}
