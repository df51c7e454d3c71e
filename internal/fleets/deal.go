package fleets

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	mostDeals   = 20_000        // tried at most: all permutations, if there are no more
	fewestDeals = 300           // tried in any case
	mostReads   = 1_000_000_000 // of values
)

// test sets the p-values of rows: the share of all deals of the machines to two sets with as large a statistic.
func test(rows []*row, first int, limits Limits) {
	machines := len(rows[0].values[0])
	t := trial{rows: rows, limits: limits, inFirst: make([]bool, machines), first: float64(first)}
	for i := range first {
		t.inFirst[i] = true
	}
	for _, r := range rows {
		r.seen, r.way = t.statistic(r)
	}
	slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(b.seen, a.seen) })
	if ways(machines, first) <= mostDeals {
		t.all(0, first)
	} else {
		t.count() // the real sets
		order := rand.New(rand.NewPCG(1, 2))
		for range min(mostDeals, max(fewestDeals, mostReads/(2*machines*len(rows)))) {
			order.Shuffle(machines, func(a, b int) {
				t.inFirst[a], t.inFirst[b] = t.inFirst[b], t.inFirst[a]
			})
			t.count()
		}
	}
	chance := 0.0
	for _, r := range rows {
		chance = max(chance, float64(r.as)/float64(t.deals))
		r.chance = chance
	}
}

// ways returns the number of deals, or a number above mostDeals.
func ways(machines, first int) (n float64) {
	n = 1
	for i := range min(first, machines-first) {
		if n = n * float64(machines-i) / float64(i+1); n > 1e15 {
			break
		}
	}
	return n
}

// trial deals the machines.
type trial struct {
	rows    []*row
	limits  Limits
	inFirst []bool // by machine
	first   float64
	deals   int
}

// all counts all deals of the machines with index from and above, first of which go to the first set.
func (t *trial) all(from, first int) {
	if from == len(t.inFirst) {
		t.count()
		return
	}
	if first > 0 {
		t.inFirst[from] = true
		t.all(from+1, first-1)
	}
	if len(t.inFirst)-from > first {
		t.inFirst[from] = false
		t.all(from+1, first)
	}
}

// count compares a deal with the real sets. It compares each row with the largest statistic among the rows that differ
// no more in the real sets.
func (t *trial) count() {
	t.deals++
	largest := 0.0
	for i := len(t.rows) - 1; i >= 0; i-- {
		r := t.rows[i]
		v, _ := t.statistic(r)
		if largest = max(largest, v); largest >= r.seen*(1-1e-9) {
			r.as++
		}
	}
}

// statistic returns the difference of the means in standard errors, or 0 if the difference does not count. It takes the
// larger one of both sets of values.
func (t *trial) statistic(r *row) (largest float64, way int) {
	for i, values := range r.values {
		if values == nil {
			continue
		}
		if v := t.of(values); v > largest {
			largest, way = v, i
		}
	}
	return largest, way
}

func (t *trial) of(values []float64) float64 {
	var sum, squares, firstSum, firstSquares float64
	origin := values[0] // differences from it lose no digits
	for i, v := range values {
		v -= origin
		sum += v
		squares += v * v
		if t.inFirst[i] {
			firstSum, firstSquares = firstSum+v, firstSquares+v*v
		}
	}
	before, beforeError := mean(firstSum, firstSquares, t.first)
	after, afterError := mean(sum-firstSum, squares-firstSquares, float64(len(values))-t.first)
	was, is := math.Exp(before+origin)-t.limits.Least, math.Exp(after+origin)-t.limits.Least
	if math.Abs(is-was) <= max(t.limits.Least, was*t.limits.Percent/100) {
		return 0
	}
	return math.Abs(after-before) / (math.Sqrt(beforeError+afterError) + steady)
}

// mean returns the mean of n values, and the square of its standard error.
func mean(sum, squares, n float64) (mean, square float64) {
	mean = sum / n
	return mean, max(squares-sum*mean, 0) / max(n-1, 1) / n
}
