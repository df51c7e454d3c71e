package printed

import "math"

// ShortTime returns a time with its unit and number of decimals: in µs or ns if it is so short that it would show as 0,
// or with one uncertain digit, in ms with the given decimals. Other times are in ms, and so are times below half a
// nanosecond, which are 0. Without unicode the unit of microseconds is "us".
func ShortTime(ms float64, decimals int, unicode bool) (v float64, unit string, of int) {
	switch size := math.Abs(ms); {
	case !(size >= 0.5e-6 && size < math.Pow10(-decimals)):
		return ms, "ms", decimals
	case size < 0.1e-3:
		return ms * 1e6, "ns", 0
	case size < 9.95e-3:
		of = 1
	}
	if unit = "us"; unicode {
		unit = "µs"
	}
	return ms * 1e3, unit, of
}
