// Package fleets finds the zones that differ significantly between two sets of machines.
//
// It deals the machines to the two sets at random, and counts how often the largest difference of all zones is as
// large: the step-down procedure of Westfall and Young ("Resampling-based multiple testing", 1993). So it assumes no
// distribution of times, and a program with more zones needs no more machines.
package fleets

import (
	"math"
	"slices"
)

// Result is the result for a zone.
type Result struct {
	Before, After float64 // medians
	Evened        bool    // times are scaled to equally fast machines
	Chance        float64 // p: the probability of such a difference, or a larger one in any zone, by chance
}

// Limits are the limits of differences that count: more than Least, and more than Percent of the time before.
type Limits struct{ Least, Percent float64 }

const (
	steady     = 0.005 // least relative deviation of a machine's time between runs
	widest     = 3     // multiples of the median deviation before clipping: two standard deviations
	fewestRows = 5     // for the speed of a machine
)

// row is a zone that is compared. Values are logarithms of times.
type row struct {
	at     int          // of the zone
	values [2][]float64 // measured; and corrected for the speed of each machine, nil if unknown
	seen   float64      // the statistic of the real sets
	way    int          // index in values of the larger statistic
	as     int          // number of deals with as large a statistic
	chance float64
}

// Compare compares the zones. Each has its times on all machines, the first set first. Results are deterministic.
func Compare(zones [][]float64, first int, limits Limits) []Result {
	results := make([]Result, len(zones))
	for i, times := range zones {
		results[i] = Result{Before: Median(times[:first]), After: Median(times[first:]), Chance: 1}
	}
	speeds := speedsOf(zones, limits.Least)
	var rows []*row
	for i, times := range zones {
		if slices.Max(times) <= limits.Least {
			continue // it cannot differ in any deal
		}
		r := &row{at: i}
		r.values[0] = logarithms(times, limits.Least)
		if speeds != nil {
			r.values[1] = minus(r.values[0], speeds)
		}
		for _, values := range r.values {
			clip(values, math.Log1p(2*limits.Percent/100))
		}
		rows = append(rows, r)
	}
	if len(rows) > 0 {
		test(rows, first, limits)
	}
	for _, r := range rows {
		z := &results[r.at]
		if z.Chance = r.chance; r.way == 1 {
			z.equalise(zones[r.at], first, speeds)
		}
	}
	return results
}

// equalise replaces the medians with those for equally fast machines.
func (r *Result) equalise(times []float64, first int, speeds []float64) {
	even := make([]float64, len(times))
	for i, v := range times {
		even[i] = v / math.Exp(speeds[i])
	}
	r.Before, r.After, r.Evened = Median(even[:first]), Median(even[first:]), true
}

// speedsOf returns the logarithm of each machine's time relative to the median machine, as the median over all zones.
// One slower zone does not change it. It returns nil if there are too few zones.
func speedsOf(zones [][]float64, least float64) []float64 {
	var known [][]float64
	for _, times := range zones {
		if middle := Median(times); middle > least {
			known = append(known, minus(logarithms(times, least), slices.Repeat([]float64{math.Log(middle + least)},
				len(times))))
		}
	}
	if len(known) < fewestRows {
		return nil
	}
	speeds, of := make([]float64, len(known[0])), make([]float64, len(known))
	for i := range speeds {
		for k := range known {
			of[k] = known[k][i]
		}
		speeds[i] = Median(of)
	}
	return speeds
}

func logarithms(times []float64, least float64) []float64 {
	values := make([]float64, len(times))
	for i, v := range times {
		values[i] = math.Log(max(v, 0) + least)
	}
	return values
}

func minus(a, b []float64) []float64 {
	of := make([]float64, len(a))
	for i := range a {
		of[i] = a[i] - b[i]
	}
	return of
}

// clip limits outliers, so that one machine a hundred times slower hides no difference. It never changes values within
// near of the median.
func clip(values []float64, near float64) {
	middle := Median(values)
	from := make([]float64, len(values))
	for i, v := range values {
		from[i] = math.Abs(v - middle)
	}
	far := max(widest*Median(from), near)
	for i, v := range values {
		values[i] = min(max(v, middle-far), middle+far)
	}
}

// Median returns the middle of a list, or 0 if it is empty.
func Median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
