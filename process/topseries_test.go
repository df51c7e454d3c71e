package process_test

import (
	"cmp"
	"slices"
	"testing"

	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
)

// weight is what AppendTopSeries ranks by.
func weight(v process.Series) (w float64) {
	for _, x := range v.Values {
		w += float64(x) / float64(len(v.Values))
	}
	return w + float64(slices.Max(v.Values))/10
}

func TestTopSeriesAreThoseThatMatter(t *testing.T) {
	s := process.NewSession()
	r := replay.New(3, s)
	for range 30 {
		if err := r.Step(); err != nil {
			t.Fatal(err)
		}
	}
	all := slices.DeleteFunc(s.AppendSeries(nil, 30), func(v process.Series) bool { return v.Idle })
	last := all[len(all)-1].Zone
	heaviest := slices.Clone(all)
	slices.SortFunc(heaviest, func(a, b process.Series) int { return cmp.Compare(weight(b), weight(a)) })
	for _, most := range []int{0, 1, 5, 12, 1000} {
		top := s.AppendTopSeries(nil, 30, most, last)
		n := min(most, len(all))
		if len(top) != n && len(top) != n+1 || top[len(top)-1].Zone != last {
			t.Fatalf("of %d: got %d, the last of zone %d; want the first %d and zone %d", len(all), len(top), top[len(top)-1].Zone, n, last)
		}
		at := 0
		for _, v := range all { // by mean
			if !slices.ContainsFunc(heaviest[:n], func(h process.Series) bool { return h.Zone == v.Zone }) {
				continue
			}
			if top[at].Zone != v.Zone || !slices.Equal(top[at].Values, v.Values) {
				t.Errorf("of %d, place %d: got zone %d; want %d with equal values", most, at, top[at].Zone, v.Zone)
			}
			at++
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
