package report

import (
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/iprof/internal/allocstest"
)

// Rows keep their places although the order of their records changes, and finding 10,000 takes at most two looks each.
func TestRowsFindTheirPlacesAtOnce(t *testing.T) {
	const n = 10_000
	var r Report
	r.Frame.Live, r.Frame.Length, r.Frame.Frames = true, 16, 1000
	for i := range n {
		r.Records = append(r.Records, Record{Zone: ZoneID(i), Path: -1})
	}
	a := Arranger{Steady: true}
	a.Arrange(&r, nil, nil)
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		r.Frame.Index++
		random.Shuffle(n, func(i, k int) { r.Records[i], r.Records[k] = r.Records[k], r.Records[i] })
		a.places.compared = 0
		a.Arrange(&r, nil, nil)
		for line, i := range r.Lines {
			if got := r.Records[i].Zone; int(got) != line {
				t.Fatalf("line %d: got zone %d; want it in its place", line, got)
			}
		}
		if a.places.compared > 2*n {
			t.Fatalf("got %d looks for %d rows; want at most two each", a.places.compared, n)
		}
	}
	if got := allocstest.PerRun(10, func() { a.Arrange(&r, nil, nil) }); got != 0 {
		t.Errorf("got %v allocations; want 0", got)
	}
}

// The oracle inserts the rows one by one.
func TestFreshRowsFollowThoseBefore(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		n := 1 + random.IntN(9)
		fresh, records := make([]bool, n), make([]Record, n)
		index := []int32{}
		for i, k := range random.Perm(n) {
			records[i].Idle = random.IntN(3) == 0
			if fresh[k] = random.IntN(2) == 0; !fresh[k] {
				index = append(index, int32(k))
			}
		}
		keepFirst := len(index) > 0 && random.IntN(2) == 0
		want := slices.Clone(index)
		for i, is := range fresh {
			if !is {
				continue
			}
			at := slices.Index(want, int32(i-1)) + 1
			if at == 0 && keepFirst {
				at = 1
			}
			want = slices.Insert(want, at, int32(i))
		}
		merged := merge(nil, index, fresh, keepFirst)
		if !slices.Equal(merged, want) {
			t.Fatalf("%v into %v: got %v; want %v", fresh, index, merged, want)
		}
		slices.SortStableFunc(want, func(x, y int32) int {
			return lateness(records[x].Idle) - lateness(records[y].Idle)
		})
		if got, _ := idleLast(merged, nil, records); !slices.Equal(got, want) {
			t.Fatalf("idle rows: got %v; want %v", got, want)
		}
	}
}

func lateness(idle bool) int {
	if idle {
		return 1
	}
	return 0
}
