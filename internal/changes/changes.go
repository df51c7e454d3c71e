// Package changes says whether times have changed beyond noise: for iprof diff, glviewer's comparison of tabs and the
// baselines of tests.
//
//	noise := changes.Noise(before, after)
//	changes.Judge(before.Mean, after.Mean, noise, 5) // "slower", "faster" or "same"
package changes

import "math"

// Sample is what is known of a time in so many frames. Any unit will do, the same for all.
type Sample struct {
	Frames    float64
	Mean      float64
	Deviation float64 // standard deviation
}

// Noise is four standard errors of the difference of two means. Frames that follow each other are alike, so the means
// are less certain than their number suggests.
func Noise(before, after Sample) float64 {
	return 4 * math.Sqrt(before.square()+after.square())
}

// square is the square of the mean's standard error.
func (s Sample) square() float64 { return s.Deviation * s.Deviation / math.Max(s.Frames, 1) }

// Least is the least change that counts, in ms.
const Least = 0.01

// Judge returns the verdict on two times in ms: "slower", "faster" or "same". A change counts if it is beyond the
// noise, 0.01 ms, and so many percent of the time before.
func Judge(before, after, noise, percent float64) string {
	switch by, most := after-before, max(noise, Least, before*percent/100); {
	case by > most:
		return "slower"
	case -by > most:
		return "faster"
	}
	return "same"
}
