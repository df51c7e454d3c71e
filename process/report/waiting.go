package report

import "strconv"

// WaitingAtOnce returns how many goroutines waited at once, on average over a frame, if the sum of their waits is
// longer than the frame, else 0. Times are in ms. Such a sum alone tells a person nothing: 2,000 goroutines that wait
// through a frame of 0.8 s have 27 minutes.
func WaitingAtOnce(ms, length float64) float64 {
	if !(ms > length && length > 0) {
		return 0
	}
	return ms / length
}

// AppendGoroutines appends a number of goroutines: "1.4" or "2054".
func AppendGoroutines(dst []byte, n float64) []byte {
	decimals := 1
	if n >= 9.95 {
		decimals = 0
	}
	return strconv.AppendFloat(dst, n, 'f', decimals, 64)
}
