// Package ranks tells whether the numbers of one sample tend to be larger than those of another.
//
// It asks only which of two numbers is larger, so one machine that is a hundred times slower than the others counts no
// more than one that is a little slower. The numbers need no particular distribution.
package ranks

import (
	"math"
	"slices"
)

// exact is the most numbers of a sample for which P counts all arrangements.
const exact = 30

// P returns the probability that two samples differ at least as much as a and b if both come from the same source. It
// is the two-sided test of Mann and Whitney ("On a test of whether one of two random variables is stochastically larger
// than the other", 1947): exact for up to 30 different numbers each, else by the normal distribution, corrected for
// ties and continuity. Without numbers it is 1. It sorts both samples.
func P(a, b []float64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 1
	}
	slices.Sort(a)
	slices.Sort(b)
	larger, ties := pairs(a, b)
	if ties == 0 && len(a) <= exact && len(b) <= exact {
		return counted(len(a), len(b), int(larger))
	}
	return approximate(len(a), len(b), larger, ties)
}

// pairs returns the number of pairs of which a's number is larger, equal ones as half. ties is the sum of t³-t, where t
// is how often a number occurs in both samples.
func pairs(a, b []float64) (larger, ties float64) {
	for i, k := 0, 0; i < len(a) || k < len(b); {
		v := math.Inf(1)
		if i < len(a) {
			v = a[i]
		}
		if k < len(b) {
			v = min(v, b[k])
		}
		fromA, fromB := run(a[i:], v), run(b[k:], v)
		i, k = i+fromA, k+fromB
		larger += float64(fromA) * (float64(k-fromB) + float64(fromB)/2)
		t := float64(fromA + fromB)
		ties += t*t*t - t
	}
	return larger, ties
}

// run returns how many numbers at the start of a sorted list are v.
func run(sorted []float64, v float64) (n int) {
	for n < len(sorted) && sorted[n] == v {
		n++
	}
	return n
}

// counted goes by the number of arrangements of n and m different numbers that have u pairs with a larger first, for
// each u: the largest number is one of the first sample and larger than all m, or one of the second.
func counted(n, m, u int) float64 {
	ways := make([][]float64, m+1) // by numbers of the second sample, then by u
	for k := range ways {
		ways[k] = []float64{1}
	}
	for i := 1; i <= n; i++ {
		next := make([][]float64, m+1)
		for k := range next {
			next[k] = make([]float64, i*k+1)
			for j, w := range ways[k] { // the largest is of the first sample
				next[k][j+k] += w
			}
			if k > 0 {
				for j, w := range next[k-1] {
					next[k][j] += w
				}
			}
		}
		ways = next
	}
	all, tail := 0.0, 0.0
	for j, w := range ways[m] {
		if all += w; j <= min(u, n*m-u) {
			tail += w
		}
	}
	return min(1, 2*tail/all)
}

func approximate(n, m int, u, ties float64) float64 {
	product, sum := float64(n)*float64(m), float64(n+m)
	variance := product / 12 * (sum + 1 - ties/(sum*(sum-1)))
	if variance <= 0 {
		return 1
	}
	distance := max(math.Abs(u-product/2)-0.5, 0)
	return math.Erfc(distance / math.Sqrt(2*variance))
}

// Adjust makes the probabilities of several tests stricter, after Holm ("A simple sequentially rejective multiple test
// procedure", 1979): if no test has a real difference, the chance that any is below a limit is below that limit.
func Adjust(p []float64) {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return a - b
	})
	least := 0.0
	for i, k := range order {
		least = max(least, min(1, p[k]*float64(len(p)-i)))
		p[k] = least
	}
}

// Median returns the middle of a sorted list, or 0 if it is empty.
func Median(sorted []float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
