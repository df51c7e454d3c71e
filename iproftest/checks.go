package iproftest

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"
)

// Quantile is a share of the frames, from 0 to 1. That share of the frames takes at most the time of the quantile.
type Quantile float64

// The usual quantiles.
const (
	Median Quantile = 0.5
	P90    Quantile = 0.9
	P99    Quantile = 0.99
	Max    Quantile = 1
)

// String returns "median", "maximum", or a name such as "p99".
func (q Quantile) String() string {
	switch q {
	case Median:
		return "median"
	case Max:
		return "maximum"
	}
	return fmt.Sprintf("p%g", math.Round(float64(q)*1e4)/100)
}

// of returns the nearest-rank quantile, and the frame that has it.
func (q Quantile) of(times []time.Duration) (took time.Duration, frame int) {
	sorted := slices.Clone(times)
	slices.Sort(sorted)
	rank := int(math.Ceil(float64(q)*float64(len(sorted)))) - 1
	took = sorted[min(max(rank, 0), len(sorted)-1)]
	return took, slices.Index(times, took)
}

// Budget checks that the quantile q of a zone's time by frame is at most most: see [Result.Times]. It leaves out
// disturbed frames: see [Result.Disturbed]. A zone that was never entered fails, because its name may have changed.
func Budget(zone string, q Quantile, most time.Duration) Check {
	return func(r *Result) error {
		times, frames := r.settled(zone)
		if len(times) == 0 {
			return missing(zone)
		}
		took, at := q.of(times)
		if took <= most {
			return nil
		}
		return fmt.Errorf("iproftest: %s: %s of %d frames is %v; its budget is %v%s%s", title(zone), q, len(times),
			took, most, r.ofDisturbed(), r.verdict(frames[at]))
	}
}

func title(zone string) string {
	if zone == "" {
		return "the frame"
	}
	return fmt.Sprintf("%q", zone)
}

func missing(zone string) error { return fmt.Errorf("iproftest: %s was never entered", title(zone)) }

// Calls checks that each frame enters a zone at most most times. A zone that was never entered fails.
func Calls(zone string, most float64) Check {
	return func(r *Result) error {
		counts := r.Counts(zone)
		if len(counts) == 0 {
			return missing(zone)
		}
		if n := slices.Max(counts); n > most {
			return fmt.Errorf("iproftest: %s: entered %g times in frame %d; want at most %g", title(zone), n,
				r.frames[slices.Index(counts, n)].index, most)
		}
		return nil
	}
}

// Allocs checks that a frame makes at most most allocations on average. It runs ten further frames with
// testing.AllocsPerRun, whose result is a whole number.
func Allocs(most float64) Check {
	return func(r *Result) error {
		if n := testing.AllocsPerRun(10, r.fn); n > most {
			return fmt.Errorf("iproftest: a frame allocates %g times; want at most %g", n, most)
		}
		return nil
	}
}
