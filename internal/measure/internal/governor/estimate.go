package governor

import (
	"math"

	"example.com/iprof/platform"
)

// A sample of entries comes in bursts. A Ratio estimates the time of one entry from them: the sum of the bursts' times
// over the sum of their entries. The scatter of the bursts around that ratio gives its standard error.

// Ratio holds the sums of bursts. Earlier bursts may have faded, so that each has a weight below 1. The zero value has
// no bursts.
type Ratio struct {
	Bursts, Ticks, Entries float64
	squares                float64 // sum of squared residuals of the bursts, in ticks squared
}

// Plus returns the sums of both, after the first has faded: 1 keeps it, 0 drops it.
func (r Ratio) Plus(fade float64, o Ratio) Ratio {
	return Ratio{r.Bursts*fade + o.Bursts, r.Ticks*fade + o.Ticks, r.Entries*fade + o.Entries,
		r.squares*fade*fade + o.squares}
}

// Burst returns one burst. expected is the mean time of an entry in earlier bursts.
func Burst(ticks, entries, expected float64) Ratio {
	off := ticks - expected*entries
	return Ratio{1, ticks, entries, off * off}
}

// Mean returns the time of an entry in ticks, 0 without entries.
func (r Ratio) Mean() float64 { return r.Ticks / max(r.Entries, 1e-9) }

// Error returns the standard error of Mean in ticks.
func (r Ratio) Error() float64 { return math.Sqrt(r.squares) / max(r.Entries, 1e-9) }

// Least is the minimum of positive figures. It rises by 1 % with each figure, so that it forgets old ones. The zero
// value is empty.
type Least float64

// Note adds a figure.
func (l *Least) Note(x float64) {
	if *l *= 1.01; *l == 0 || x < float64(*l) {
		*l = Least(x)
	}
}

// Square returns x times x.
func Square(x float64) float64 { return x * x }

// Bias holds the sum of errors that probably have the same sign. Earlier errors fade, by half in 177 errors.
type Bias float64

// Add adds an error, if keep is set. It returns the increase of the square of the sum. So the results of all calls sum
// to that square, which exceeds the sum of the squares.
func (b *Bias) Add(e float64, keep bool) float64 {
	before := float64(*b)
	if keep {
		*b = Bias(before*(1-1.0/256) + e)
	}
	return e * (2*before + e)
}

// Random is a generator of random numbers. It must not be 0.
type Random uint64

// UpTo returns a number from 0 to most.
func (r *Random) UpTo(most uint32) uint32 {
	*r ^= *r << 13
	*r ^= *r >> 7
	*r ^= *r << 17
	return uint32(uint64(*r) >> 32 * (uint64(most) + 1) >> 32)
}

// Share returns part's share of the times of whole, from 0 to 1. It divides the sums over the middle half of whole by
// length. Sums are needed because a coarse clock that steps now and then is wrong in each single time.
func Share(part, whole []platform.Ticks) float64 {
	order := rising(whole)
	var a, b platform.Ticks
	for _, i := range order[len(order)/4 : len(order)*3/4] {
		a, b = a+max(part[i], 0), b+max(whole[i], 0)
	}
	return min(float64(a)/float64(max(b, 1)), 1)
}

// Quick returns the lower quartile of times, at least 0. A busy processor has disturbed the slow ones, and the clock
// may have gone back in the quickest.
func Quick(times []platform.Ticks) platform.Ticks {
	return max(times[rising(times)[len(times)/4]], 0)
}

// rising returns the sorted order of a few dozen times. A generic sort would add 10 kB to each program.
func rising(times []platform.Ticks) (order []int) {
	for i := range times {
		at := len(order)
		for order = append(order, i); at > 0 && times[order[at-1]] > times[i]; at-- {
			order[at] = order[at-1]
		}
		order[at] = i
	}
	return order
}
