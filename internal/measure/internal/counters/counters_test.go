package counters

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/platform"
)

// The oracle is a map of sums and latest levels. Some goroutines have cells, and one has only the table. Goroutines end
// and give their cells to the table.
func TestReadingHasEachFramesSumsAndLatestLevels(t *testing.T) {
	now := platform.Ticks(0)
	platform.SetClock(func() int64 { now++; return int64(now) }, 1000)
	defer platform.SetClock(nil, 0)
	held, changed := budget.Held(budget.Lanes), 0
	var table Table
	var reading Reading
	r, cells, levels := rand.New(rand.NewSource(1)), []*Cells{New(), New(), nil}, map[string]float64{}
	names := make([]string, 30)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	for frame := range 50 {
		sums := map[string]float64{}
		for range 40 {
			c := cells[r.Intn(3)]
			name := names[r.Intn(30)]
			kind := Kind(r.Intn(2))
			v := r.Intn(100) - 40
			table.Put(Name{name, kind}, 100)
			id, _, known := table.Find(Name{name, kind}, name)
			if !known {
				t.Fatalf("%s is not known", name)
			}
			var own *Cell
			if c != nil {
				own = c.Make(name, kind, id)
			}
			write(&table, own, id, kind, v)
			if kind == Level {
				levels[name] = float64(v)
			} else {
				sums[name] += float64(v)
			}
		}
		if frame%7 == 6 {
			cells[0].GiveTo(&table)
			cells[0].Free()
			cells[0] = New()
		}
		reading.Begin(&table)
		changed += addAll(t, &reading, cells)
		reading.AddTable(&table, true)
		compare(t, &reading, sums, levels)
	}
	for _, c := range cells {
		c.Free()
	}
	if got := budget.Held(budget.Lanes); got != held || changed < 90 {
		t.Errorf("freed: got %d bytes, and changes in %d of 100 readings; want none, and most", got-held, changed)
	}
}

// compare compares a frame's values with the oracle's.
func compare(t *testing.T, r *Reading, sums, levels map[string]float64) {
	t.Helper()
	for id, n := range r.Names() {
		want, any := levels[n.Text]
		if n.Kind == Count {
			want = sums[n.Text]
			any = want != 0
		}
		if got, has := r.Value(id); has != any || got != want {
			t.Fatalf("%v: got %v, %t; want %v, %t", n, got, has, want, any)
		}
	}
}

// addAll adds the changes of cells, and returns how many have any.
func addAll(t *testing.T, r *Reading, cells []*Cells) (changed int) {
	for _, c := range cells {
		if r.AddCells(c, true) {
			changed++
		}
		if r.AddCells(c, true) {
			t.Error("got changes of cells twice")
		}
	}
	return changed
}

func write(t *Table, own *Cell, id int32, kind Kind, v int) {
	switch {
	case kind == Level && own != nil:
		own.Set(float64(v))
	case kind == Level:
		t.Set(id, float64(v))
	case own != nil:
		own.Add(v)
	default:
		t.Add(id, v)
	}
}

func TestTableKeepsToItsLimit(t *testing.T) {
	var table Table
	for range 2 {
		if !table.Put(Name{"a", Count}, 1) {
			t.Error("limit 1: got no room for the one name")
		}
	}
	if table.Put(Name{"a", Level}, 1) {
		t.Error("limit 1: got room for another name")
	}
	if _, _, known := table.Find(Name{"a", Level}, "a"); known || table.Len() != 1 {
		t.Errorf("got %d names; want 1", table.Len())
	}
	for i := 1; i <= textLookups; i++ {
		if _, lasting, _ := table.Find(Name{"a", Count}, "a"); lasting != (i == textLookups) {
			t.Errorf("lookup %d: got lasting %t", i, lasting)
		}
	}
}

func TestSumsDoNotWrapAround(t *testing.T) {
	for _, c := range []struct{ a, b, sum platform.Ticks }{
		{math.MaxInt64 - 1, 2, math.MaxInt64}, {-math.MaxInt64, -2, -math.MaxInt64}, {5, -7, -2},
	} {
		t.Run(fmt.Sprint(c.a, "+", c.b), func(t *testing.T) {
			if got := plus(c.a, c.b); got != c.sum {
				t.Errorf("%d + %d: got %d; want %d", c.a, c.b, got, c.sum)
			}
		})
	}
}
