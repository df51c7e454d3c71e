package asjson

import "math"

// nullable turns values that are not finite into null.
func nullable(values []float32) []*float32 {
	return convert(values, func(v float32) *float32 {
		if v != finite(v) {
			return nil
		}
		return &v
	})
}

// convert maps a slice. An empty slice gives an empty array, not null.
func convert[A, B any](from []A, f func(A) B) []B {
	to := make([]B, len(from))
	for i := range from {
		to[i] = f(from[i])
	}
	return to
}

// finite returns v, or 0 if JSON cannot represent it.
func finite[F float32 | float64](v F) F {
	if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
		return 0
	}
	return v
}
