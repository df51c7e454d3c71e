package report

import (
	"math"
	"time"
)

// DurationOf returns seconds as a time, rounded to a nanosecond. Beyond 292 years, the most that a Duration holds, it
// returns the most. NaN gives 0.
func DurationOf(seconds float64) time.Duration {
	switch ns := math.Round(seconds * float64(time.Second)); {
	case ns >= math.MaxInt64:
		return math.MaxInt64
	case ns <= math.MinInt64:
		return math.MinInt64
	case ns == ns:
		return time.Duration(ns)
	}
	return 0
}
