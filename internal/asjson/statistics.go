package asjson

import (
	"encoding/json"
	"math"

	"example.com/iprof/process/report"
)

// Statistic has the times of a zone by frame and by call.
type Statistic struct {
	At
	Frames uint64  `json:"frames"`
	Self   Summary `json:"self"`
	Hier   Summary `json:"hier"`
	Calls  *Calls  `json:"calls,omitempty"`
}

// Summary is a distribution.
type Summary struct {
	Min       float64 `json:"min_ms"`
	Mean      float64 `json:"mean_ms"`
	Max       float64 `json:"max_ms"`
	Deviation float64 `json:"deviation_ms"`
	P50       Known   `json:"p50_ms"`
	P90       Known   `json:"p90_ms"`
	P99       Known   `json:"p99_ms"`
	P999      Known   `json:"p999_ms"`
}

// Known is a number that is written as null if it is not known, which is NaN.
type Known float64

// MarshalJSON writes the number, or null if it is NaN or infinite. JSON has neither.
func (k Known) MarshalJSON() ([]byte, error) {
	if v := float64(k); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return json.Marshal(v)
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads a number. null is NaN.
func (k *Known) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*k = Known(math.NaN())
		return nil
	}
	return json.Unmarshal(b, (*float64)(k))
}

// Calls is the distribution of single calls, of which some may be missing.
type Calls struct {
	Counted uint64 `json:"counted"`
	Missing uint64 `json:"missing"`
	Summary
}

func (z zones) statistic(of report.ZoneStatistics) Statistic {
	s := Statistic{At: z.at(of.Zone), Frames: of.Frames, Self: summaryOf(of.Self), Hier: summaryOf(of.Hier)}
	if of.CallsCounted+of.CallsMissing > 0 {
		s.Calls = &Calls{of.CallsCounted, of.CallsMissing, summaryOf(of.Calls)}
	}
	return s
}

func summaryOf(s report.Summary) Summary {
	return Summary{finite(s.Min), finite(s.Mean), finite(s.Max), finite(s.Deviation), Known(s.P50), Known(s.P90),
		Known(s.P99), Known(s.P999)}
}
