// Package changes tests whether times have changed beyond noise. iprof diff, glviewer's comparison of tabs and the
// baselines of tests use it.
//
//	before, err := changes.Take("before", session)
//	…
//	changes.Between(before, after, changes.Percent).Shown() // the zones that are slower, faster, new or gone
package changes

import "math"

// Sample holds the statistics of a time over frames. Any unit will do if it is the same for all samples.
type Sample struct {
	Frames    float64
	Mean      float64
	Deviation float64 // standard deviation
}

// SampleOf returns the sample of the times of some frames, by Welford's method.
func SampleOf[T ~int64 | ~float32](times []T) (s Sample) {
	for _, v := range times {
		s.Frames++
		by := float64(v) - s.Mean
		s.Mean += by / s.Frames
		s.Deviation += by * (float64(v) - s.Mean)
	}
	s.Deviation = math.Sqrt(s.Deviation / math.Max(s.Frames-1, 1))
	return s
}

// Noise returns four standard errors of the difference of two means. It takes four because consecutive frames are
// correlated: the means are less certain than the number of frames suggests.
func Noise(before, after Sample) float64 {
	return 4 * math.Sqrt(before.square()+after.square())
}

// square returns the square of the mean's standard error.
func (s Sample) square() float64 { return s.Deviation * s.Deviation / math.Max(s.Frames, 1) }

// Percent is the default for the least change that counts, in percent of the time before.
const Percent = 5

// Least is the least change that counts, in ms.
const Least = 0.01

// Band returns the least change that counts, in ms: the largest of the noise, 0.01 ms, and percent of the time before.
func Band(before, noise, percent float64) float64 { return max(noise, Least, before*percent/100) }

// Judge returns the verdict on two times in ms: "slower" or "new", "faster" or "gone", or "same". A change counts if it
// is beyond Band.
func Judge(before, after, noise, percent float64) string {
	by := after - before
	most := Band(before, noise, percent)
	switch {
	case by > most && before == 0:
		return "new"
	case by > most:
		return "slower"
	case -by > most && after == 0:
		return "gone"
	case -by > most:
		return "faster"
	}
	return "same"
}
