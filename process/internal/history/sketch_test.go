package history

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
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
			var memory countMemory
			for range n {
				v := draw(random)
				all = append(all, v)
				if v > 0 {
					k.add(v, &memory)
				}
			}
			slices.Sort(all)
			for s := range Statistic(NumStatistics) {
				got, want, allowed := k.of(s, uint64(n)), naive(all, s), 0.01
				if s < StatP50 {
					allowed = 1e-9
				}
				if math.Abs(got-want) > allowed*math.Abs(want)+1e-9 {
					t.Errorf("%s, %d values, statistic %d: got %v; want %v", name, n, s, got, want)
				}
			}
		}
	}
}

// naive is a statistic of sorted values by its definition.
func naive(sorted []float64, s Statistic) float64 {
	n := len(sorted)
	mean, squares := 0.0, 0.0
	for _, v := range sorted {
		mean += v / float64(n)
	}
	for _, v := range sorted {
		squares += (v - mean) * (v - mean) / float64(n)
	}
	rank := func(permille int) float64 { return sorted[max((n*permille+999)/1000, 1)-1] }
	return [NumStatistics]float64{sorted[0], mean, sorted[n-1], math.Sqrt(squares),
		rank(500), rank(900), rank(990),
		rank(999)}[s]
}

func TestSketchesAreBounded(t *testing.T) {
	var k sketch
	memory := countMemory{used: sketchBytes/pageBytes - 1}
	k.add(1, &memory)
	if k.add(1000, &memory); memory.bytes() > sketchBytes || !k.short {
		t.Errorf("got %d bytes, short %v; want no more than %d, short", memory.bytes(), k.short, sketchBytes)
	}
	if got := k.of(StatMax, 2); got != 1000 {
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
	for _, v := range []float64{math.SmallestNonzeroFloat64, 1e-9, 1, 1e300, math.MaxFloat64} {
		k.add(v, nil)
	}
	if got := k.of(StatP50, 5); math.Abs(got-1) > 0.01 {
		t.Errorf("median: got %v; want about 1", got)
	}
	if len(k.pages) > 41*64>>pageBits {
		t.Errorf("got %d pages; want no more than 40 octaves", len(k.pages))
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
		var w sortedWindow
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
			var fresh sortedWindow
			fresh.Fill(&trace, from, next)
			if !slices.Equal(w.Sorted, fresh.Sorted) {
				t.Fatalf("frames %d..%d: got %v; want %v", from, next, w.Sorted, fresh.Sorted)
			}
		}
	})
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
		wants := map[Statistic]float64{StatMean: mean, StatDeviation: deviation}
		for statistic, want := range wants {
			if got := Exact(values, statistic); math.Abs(got-want) > 1e-9*float64(base) {
				t.Errorf("%d values, statistic %v: got %v; want %v", len(values), statistic, got, want)
			}
		}
	}
}

// TestLateStatesLeaveOutWhatIsKnown compares with a search through all known states for each new one, which takes
// seconds with as many as an execution trace has.
func TestLateStatesLeaveOutWhatIsKnown(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	states := func() (list []gather.LaneState) {
		for range 40 {
			begin := platform.Ticks(random.IntN(300))
			list = append(list, gather.LaneState{Lane: gather.LaneID(1 + random.IntN(2)), Kind: gather.StateWaiting,
				Begin: begin, End: begin + 1 + platform.Ticks(random.IntN(40))})
		}
		slices.SortStableFunc(list, byBegin)
		return list
	}
	for range 200 {
		list, had := states(), states()
		l := LateStates{until: platform.Ticks(random.IntN(100))}
		var want []gather.LaneState
		for _, q := range list {
			q.Begin = max(q.Begin, l.until)
			want = appendWithout(want, q, had)
		}
		if l.add(list, had, 400); !reflect.DeepEqual(l.list, want) {
			t.Fatalf("got %v\nwant %v", l.list, want)
		}
	}
}

// The oracle is a list of all frames. A frame counts while its tenth of a second is the present one or one of the fifty
// before.
func TestTheHoldIsTheLongestOfFiveSeconds(t *testing.T) {
	type frame struct {
		tenth int64
		ms    float64
	}
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 2))
		var h LengthHold
		var all []frame
		for seconds, i := 0.0, 0; i < 400; i++ {
			switch random.IntN(20) {
			case 0:
				seconds += 10 * random.Float64() // often longer than the hold
			case 1:
			default:
				seconds += 0.3 * random.Float64()
			}
			f := frame{int64(seconds * 10), 1000 * random.Float64()}
			all = append(all, f)
			h.Add(seconds, f.ms)
			want := 0.0
			for _, x := range all {
				if f.tenth-x.tenth <= holdSeconds*10 {
					want = max(want, x.ms)
				}
			}
			if got := h.Longest(); got != want {
				t.Fatalf("seed %d, frame %d at %.2f s: got %v; want %v", seed, i, seconds, got, want)
			}
		}
	}
}

func TestEqualBucketsBecomeOne(t *testing.T) {
	b := []report.CallBucket{{Low: 2, High: 3, Count: 5}, {Low: 1, High: 2, Count: 1}, {Low: 2, High: 3, Count: 4},
		{Low: 7, High: 8, Count: 2}, {Low: 1, High: 2, Count: 1}}
	want := []report.CallBucket{{Low: 1, High: 2, Count: 2}, {Low: 2, High: 3, Count: 9}, {Low: 7, High: 8, Count: 2}}
	if n := Merged(b); !slices.Equal(b[:n], want) {
		t.Errorf("got %v; want %v", b[:n], want)
	}
}

// Numbers has each number of Times once.
func TestAllTimesAreSummed(t *testing.T) {
	var one, sum Times
	of := reflect.ValueOf(&one).Elem()
	for i := range of.NumField() {
		if f := of.Field(i); f.CanFloat() {
			f.SetFloat(float64(i + 1))
		}
	}
	sum.Add(&one)
	sum.Add(&one)
	if sum.Divide(2); !reflect.DeepEqual(sum, one) {
		t.Errorf("got half of two frames %+v; want %+v", sum, one)
	}
	if sum.Ease(0.5, new(Times)); sum.LocksMS != one.LocksMS/2 {
		t.Errorf("got %+v on half the way to nothing; want half of %+v", sum, one)
	}
}

// A frame costs what it mentions: of 10,000 paths, those that it entered and those above them.
func TestTouchedIsWhatWasEntered(t *testing.T) {
	var tree Tree
	root := tree.Child(-1, 0, false, 0)
	for i := range 10_000 {
		tree.Child(tree.Child(root, report.ZoneID(i+1), false, 0), report.ZoneID(i+10_001), false, 0)
	}
	var of Touched
	for frame := range 3 {
		p := Frame{PerTick: 1, Times: Times{SpanMS: 100}, Lanes: []LaneRecords{{To: 3, Updater: true}},
			Records: []Record{{Self: 1},
				{Self: 5, Path: uint32(2000*frame + 2)}, {Self: 7, Path: uint32(4000*frame + 2)}}}
		of.Take(&p, EveryLane, &tree, 20_001)
		paths, sum := 0, 0.0
		of.paths.each(func(i int32) { paths, sum = paths+1, sum+of.values.At(int(i)).Self })
		if want := []int{3, 5, 5}[frame]; paths != want || sum != 13 || of.values.At(0).Hier != 100 {
			t.Errorf("frame %d: got %d paths with %v ms, %v ms in all; want %d, 13 and 100", frame, paths, sum,
				of.values.At(0).Hier, want)
		}
	}
}

// Series says of the last frames what a plain list says.
func TestSeriesOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, length := range []uint64{2, 63, 64, 65, 300, 1000} {
		memory := new(Chunks)
		series := [3]*Series{}
		for i := range series {
			s := memory.NewSeries(nil)
			series[i] = &s
		}
		var all [3][]float32
		for seq := range uint64(3000) {
			first := seq + 1 - min(seq+1, length)
			memory.trim(first)
			for i, s := range series {
				v := float32(0)
				if random.IntN(1+i*200) == 0 {
					v = float32(random.IntN(1 + 2*i*i))
				}
				s.Put(seq, v)
				all[i] = append(all[i], v)
				if random.IntN(10) == 0 {
					compareSeries(t, s, all[i], first, seq+1)
				}
			}
		}
		if most := 3 * (int(length)/chunkFrames + 3); memory.made > most+slabChunks {
			t.Errorf("%d frames: got %d chunks; want about %d", length, memory.made, most)
		}
	}
}

func compareSeries(t *testing.T, s *Series, all []float32, first, next uint64) {
	t.Helper()
	sum, most := 0.0, float32(0)
	for _, v := range all[first:] {
		sum, most = sum+float64(v), max(most, v)
	}
	if got := s.Sum(first); got != sum {
		t.Fatalf("frames %d..%d: got sum %v; want %v", first, next, got, sum)
	}
	if got := s.Max(first); got != most {
		t.Fatalf("frames %d..%d: got greatest %v; want %v", first, next, got, most)
	}
	for i, v := range s.AppendRange(nil, first, next) {
		if seq := first + uint64(i); v != all[seq] || s.At(seq) != v {
			t.Fatalf("frame %d: got %v and %v; want %v", seq, v, s.At(seq), all[seq])
		}
	}
}
