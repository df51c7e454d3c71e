package process_test

import (
	"slices"
	"testing"

	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
)

func TestTopSeriesAreTheFirstOfAll(t *testing.T) {
	s := process.NewSession()
	r := replay.New(3, s)
	for range 30 {
		if err := r.Step(); err != nil {
			t.Fatal(err)
		}
	}
	all := s.AppendSeries(nil, 30)
	last := all[len(all)-1].Zone
	for _, most := range []int{0, 1, 5, 12, 1000} {
		top := s.AppendTopSeries(nil, 30, most, last)
		n := min(most, len(all))
		if len(top) != n && len(top) != n+1 || top[len(top)-1].Zone != last {
			t.Fatalf("of %d: got %d, the last of zone %d; want the first %d and zone %d", len(all), len(top), top[len(top)-1].Zone, n, last)
		}
		for i := range n {
			if top[i].Zone != all[i].Zone || !slices.Equal(top[i].Values, all[i].Values) {
				t.Errorf("of %d, place %d: got zone %d; want %d with equal values", most, i, top[i].Zone, all[i].Zone)
			}
		}
	}
	if got := s.AppendTopSeries(nil, 30, 3, -1); len(got) != 3 {
		t.Errorf("three and none besides: got %d; want 3", len(got))
	}
	var dst []process.Series
	step := func() { dst = s.AppendTopSeries(dst[:0], 30, 12, last) }
	step()
	if got := testing.AllocsPerRun(50, step); got != 0 {
		t.Errorf("again: got %v allocations; want 0", got)
	}
}
