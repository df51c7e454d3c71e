package history

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/iprof/process/report"
)

// distributions are shapes that times of zones take, and some that they do not.
var distributions = map[string]func(r *rand.Rand) float64{
	"constant":    func(*rand.Rand) float64 { return 4.2 },
	"uniform":     func(r *rand.Rand) float64 { return 1 + r.Float64()*9 },
	"normal":      func(r *rand.Rand) float64 { return max(0, 16+r.NormFloat64()) },
	"exponential": func(r *rand.Rand) float64 { return r.ExpFloat64() },
	"log-normal":  func(r *rand.Rand) float64 { return math.Exp(3 * r.NormFloat64()) },
	"pareto":      func(r *rand.Rand) float64 { return 0.01 / math.Pow(1-r.Float64(), 1.2) },
	"two humps":   func(r *rand.Rand) float64 { return []float64{0.3, 33}[r.IntN(2)] * (1 + 0.02*r.NormFloat64()) },
	"rare":        func(r *rand.Rand) float64 { return float64(r.IntN(10)/9) * (2 + r.Float64()) },
	"nanoseconds": func(r *rand.Rand) float64 { return 2e-6 + 1e-4*r.Float64() },
	"minutes":     func(r *rand.Rand) float64 { return 1e5 * (1 + r.Float64()) },
	"powers":      func(r *rand.Rand) float64 { return math.Ldexp(1, r.IntN(30)-15) },
}

func TestSketchIsWithinOnePercent(t *testing.T) {
	for name, draw := range distributions {
		for _, n := range []int{1, 2, 10, 300, 20_000} {
			random := rand.New(rand.NewPCG(uint64(n), 7))
			var k sketch
			var all []float64
			bytes := 0
			for range n {
				v := draw(random)
				all = append(all, v)
				if v > 0 {
					k.add(v, &bytes)
				}
			}
			slices.Sort(all)
			for s := range report.Statistic(report.NumStatistics) {
				got, want, allowed := k.of(s, uint64(n)), naive(all, s), 0.01
				if s < report.StatP50 {
					allowed = 1e-9
				}
				if math.Abs(got-want) > allowed*math.Abs(want)+1e-9 {
					t.Errorf("%s, %d values, statistic %d: got %v; want %v", name, n, s, got, want)
				}
			}
			if bytes != len(k.counts)*countBytes {
				t.Errorf("%s: got %d bytes counted; want %d", name, bytes, len(k.counts)*countBytes)
			}
		}
	}
}

// naive is a statistic of sorted values by its definition.
func naive(sorted []float64, s report.Statistic) float64 {
	n := len(sorted)
	mean, squares := 0.0, 0.0
	for _, v := range sorted {
		mean += v / float64(n)
	}
	for _, v := range sorted {
		squares += (v - mean) * (v - mean) / float64(n)
	}
	rank := func(permille int) float64 { return sorted[max((n*permille+999)/1000, 1)-1] }
	return [report.NumStatistics]float64{sorted[0], mean, sorted[n-1], math.Sqrt(squares),
		rank(500), rank(900), rank(990),
		rank(999)}[s]
}

func TestSketchesAreBounded(t *testing.T) {
	var k sketch
	bytes := sketchBytes - 100
	k.add(1, &bytes)
	if k.add(1000, &bytes); bytes > sketchBytes || !k.short {
		t.Errorf("got %d bytes, short %v; want no more than %d, short", bytes, k.short, sketchBytes)
	}
	if got := k.of(report.StatMax, 2); got != 1000 {
		t.Errorf("greatest without memory: got %v; want 1000", got)
	}
	var r report.Record
	st := Statistics{Frames: 2}
	st.Fill(&r, &pathStats{Hier: k}, report.AllColumns)
	if r.Mask.Has(report.ColumnEverP50) || !r.Mask.Has(report.ColumnEverMax) {
		t.Errorf("got quantiles %v, greatest %v; want no quantiles of a part", r.Mask.Has(report.ColumnEverP50),
			r.Mask.Has(report.ColumnEverMax))
	}
}

func TestSketchTakesAnyNumber(t *testing.T) {
	var k sketch
	bytes := 0
	for _, v := range []float64{math.SmallestNonzeroFloat64, 1e-9, 1, 1e300, math.MaxFloat64} {
		k.add(v, &bytes)
	}
	if got := k.of(report.StatP50, 5); math.Abs(got-1) > 0.01 {
		t.Errorf("median: got %v; want about 1", got)
	}
	if len(k.counts) > 41*64 {
		t.Errorf("got %d buckets; want no more than 40 octaves", len(k.counts))
	}
}

// FuzzSortedWindow compares a window that follows a trace with one made anew.
func FuzzSortedWindow(f *testing.F) {
	f.Add(uint64(1), uint8(7), uint16(40))
	f.Add(uint64(2), uint8(64), uint16(500))
	f.Fuzz(func(t *testing.T, seed uint64, size uint8, frames uint16) {
		n := uint64(max(size, 2))
		random := rand.New(rand.NewPCG(seed, 3))
		trace := new(Chunks).NewSeries(nil)
		var w sortedWindow[float32]
		birth := random.Uint64N(5)
		for seq := range uint64(frames) {
			trace.Put(seq, float32(random.IntN(6)))
			next := seq + 1
			if next <= birth || random.IntN(4) > 0 && random.IntN(50) > 0 {
				continue
			}
			from := birth
			if next > n {
				from = max(birth, next-n)
			}
			w.Follow(&trace, from, next)
			var fresh sortedWindow[float32]
			fresh.Fill(&trace, from, next)
			if !slices.Equal(w.Sorted, fresh.Sorted) {
				t.Fatalf("frames %d..%d: got %v; want %v", from, next, w.Sorted, fresh.Sorted)
			}
		}
	})
}

func BenchmarkSketch(b *testing.B) {
	b.ReportAllocs()
	random, bytes := rand.New(rand.NewPCG(1, 1)), 0
	values := make([]float64, 1024)
	for i := range values {
		values[i] = 16 + random.NormFloat64()
	}
	var k sketch
	for i := range b.N {
		k.add(values[i%len(values)], &bytes)
	}
}

// Mean and deviation of sorted values are those of the definition, also where all values are large and nearly equal,
// and for each remainder of the number of values.
func TestMeanAndDeviationAreExact(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for n := range 40 {
		values := make([]float32, n+1)
		base := float32(math.Pow(10, float64(n%7)))
		for i := range values {
			values[i] = base * (1 + random.Float32()/1000)
		}
		slices.Sort(values)
		mean, squares := 0.0, 0.0
		for _, v := range values {
			mean += float64(v) / float64(len(values))
		}
		for _, v := range values {
			squares += (float64(v) - mean) * (float64(v) - mean)
		}
		deviation := math.Sqrt(squares / float64(len(values)))
		wants := map[report.Statistic]float64{report.StatMean: mean, report.StatDeviation: deviation}
		for statistic, want := range wants {
			if got := Exact(values, statistic); math.Abs(got-want) > 1e-9*float64(base) {
				t.Errorf("%d values, statistic %v: got %v; want %v", len(values), statistic, got, want)
			}
		}
	}
}
