package text

import (
	"encoding/json"
	"math"

	"example.com/iprof/process/report"
)

type jsonStatistic struct {
	Zone   report.ZoneID `json:"zone"`
	Frames uint64        `json:"frames"`
	Self   jsonSummary   `json:"self"`
	Hier   jsonSummary   `json:"hier"`
	Calls  *jsonCalls    `json:"calls,omitempty"`
}

type jsonSummary struct {
	Min       float64 `json:"min_ms"`
	Mean      float64 `json:"mean_ms"`
	Max       float64 `json:"max_ms"`
	Deviation float64 `json:"deviation_ms"`
	P50       known   `json:"p50_ms"`
	P90       known   `json:"p90_ms"`
	P99       known   `json:"p99_ms"`
	P999      known   `json:"p999_ms"`
}

// known is a number that is written as null if it is not known.
type known float64

// MarshalJSON writes the number, or null if it is NaN or infinite. JSON has neither.
func (k known) MarshalJSON() ([]byte, error) {
	if v := float64(k); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return json.Marshal(v)
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads a number. null is NaN.
func (k *known) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*k = known(math.NaN())
		return nil
	}
	return json.Unmarshal(b, (*float64)(k))
}

type jsonCalls struct {
	Counted uint64 `json:"counted"`
	Missing uint64 `json:"missing"`
	jsonSummary
}

func jsonStatisticOf(z report.ZoneStatistics) jsonStatistic {
	s := jsonStatistic{Zone: z.Zone, Frames: z.Frames, Self: jsonSummaryOf(z.Self), Hier: jsonSummaryOf(z.Hier)}
	if z.CallsCounted+z.CallsMissing > 0 {
		s.Calls = &jsonCalls{z.CallsCounted, z.CallsMissing, jsonSummaryOf(z.Calls)}
	}
	return s
}

func jsonSummaryOf(s report.Summary) jsonSummary {
	return jsonSummary{finite(s.Min), finite(s.Mean), finite(s.Max), finite(s.Deviation), known(s.P50), known(s.P90),
		known(s.P99), known(s.P999)}
}

// jsonDepths has the entries of a recursive zone by depth.
type jsonDepths struct {
	Zone  report.ZoneID `json:"zone"`
	Calls []float64     `json:"calls"`
}

func jsonDepthsOf(z report.ZoneDepths) jsonDepths {
	return jsonDepths{z.Zone, convert(z.Entries, finite)}
}
