package ranks_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/iprof/internal/ranks"
)

// larger counts the pairs of which a's number is larger.
func larger(a, b []float64) (n float64) {
	for _, x := range a {
		for _, y := range b {
			if x > y {
				n++
			} else if x == y {
				n += 0.5
			}
		}
	}
	return n
}

// oracle tries all ways to share the numbers between two samples.
func oracle(a, b []float64) float64 {
	all := append(slices.Clone(a), b...)
	middle := float64(len(a)*len(b)) / 2
	seen := math.Abs(larger(a, b) - middle)
	ways, extreme := 0.0, 0.0
	for set := range 1 << len(all) {
		if bits.OnesCount(uint(set)) != len(a) {
			continue
		}
		var first, second []float64
		for i, v := range all {
			if set>>i&1 == 1 {
				first = append(first, v)
			} else {
				second = append(second, v)
			}
		}
		if ways++; math.Abs(larger(first, second)-middle) >= seen {
			extreme++
		}
	}
	return extreme / ways
}

func TestSmallSamplesAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		a, b := make([]float64, 1+r.IntN(6)), make([]float64, 1+r.IntN(6))
		for i := range a {
			a[i] = r.Float64() + 0.2
		}
		for i := range b {
			b[i] = r.Float64()
		}
		want := oracle(a, b)
		if got := ranks.P(a, b); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v, %v: got %g; want %g", a, b, got, want)
		}
	}
}

func TestSamplesWithoutADifference(t *testing.T) {
	for _, test := range [][2][]float64{{}, {{1}, nil}, {{2, 2, 2}, {2, 2, 2}}, {{1}, {2}}} {
		if got := ranks.P(test[0], test[1]); got != 1 {
			t.Errorf("%v: got %g; want 1", test, got)
		}
	}
}

// TestChanceIsWhatItSays: of samples from one source, one in twenty is below 0.05, also where many numbers are equal.
func TestChanceIsWhatItSays(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, test := range []struct {
		n     int
		round float64 // to multiples of this
	}{{20, 0}, {40, 0}, {20, 0.5}, {40, 0.5}} {
		t.Run(fmt.Sprintf("%+v", test), func(t *testing.T) {
			n, below := test.n, 0
			for range 4000 {
				a, b := make([]float64, n), make([]float64, n)
				for i := range a {
					a[i], b[i] = r.ExpFloat64(), r.ExpFloat64()
					if test.round > 0 {
						a[i], b[i] = math.Floor(a[i]/test.round), math.Floor(b[i]/test.round)
					}
				}
				if ranks.P(a, b) < 0.05 {
					below++
				}
			}
			if below < 150 || below > 250 {
				t.Errorf("%+v: got %d of 4000 below 0.05; want about 200", test, below)
			}
		})
	}
}

func TestAdjustedProbabilitiesAreHolms(t *testing.T) {
	p := []float64{0.01, 0.04, 0.03, 0.005, 0.9}
	ranks.Adjust(p)
	for i, want := range []float64{0.04, 0.09, 0.09, 0.025, 0.9} {
		if math.Abs(p[i]-want) > 1e-12 {
			t.Errorf("got %v; want %g at %d", p, want, i)
		}
	}
}

func TestTheMedianIsInTheMiddle(t *testing.T) {
	for _, test := range []struct {
		of   []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{1, 2}, 1.5}, {[]float64{1, 2, 9}, 2}} {
		t.Run(fmt.Sprint(test.of), func(t *testing.T) {
			if got := ranks.Median(test.of); got != test.want {
				t.Errorf("%v: got %g; want %g", test.of, got, test.want)
			}
		})
	}
}
