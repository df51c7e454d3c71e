package process_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// weight is what AppendTopSeries ranks by.
func weight(v report.Series) (w float64) {
	for _, x := range v.Values {
		w += float64(x) / float64(len(v.Values))
	}
	return w + float64(slices.Max(v.Values))/10
}

// loader is the zones of the replayed program's second goroutine, which are no part of a frame's busy time.
var loader = []string{"load chunk", "decompress", "mesh"}

func TestTopSeriesAddUpToTheBusyTime(t *testing.T) {
	s := process.NewSession()
	s.SetHistory(20, 20)
	r := world.NewGame(3, s)
	check := func() {
		t.Helper()
		frames := s.AppendFrames(nil, 20)
		sums := make([]float64, len(frames))
		for _, v := range s.AppendTopSeries(nil, 20, 64, -1) {
			for i := range sums {
				sums[i] += float64(v.Values[i])
			}
		}
		for i, sum := range sums {
			if math.Abs(sum-float64(frames[i].Busy)) > 0.001 {
				t.Errorf("frame %d: got %.3f ms in zones; want its busy time, %.3f", frames[i].Index, sum,
					frames[i].Busy)
			}
		}
	}
	for n := range 70 {
		must.Do(t, r.Step())
		if n%9 == 0 || n > 60 {
			check()
		}
	}
	s.Reset()
	for range 30 {
		must.Do(t, r.Step())
	}
	check()
	s.SetHistory(25, 25)
	check()
}

func TestTopSeriesAreThoseThatMatter(t *testing.T) {
	s := process.NewSession()
	r := world.NewGame(3, s)
	for range 30 {
		must.Do(t, r.Step())
	}
	all := slices.DeleteFunc(s.AppendSeries(nil, 30), func(v report.Series) bool {
		return v.Idle || slices.Contains(loader, v.Name)
	})
	last := all[len(all)-1].Zone
	heaviest := slices.Clone(all)
	slices.SortFunc(heaviest, func(a, b report.Series) int { return cmp.Compare(weight(b), weight(a)) })
	for _, most := range []int{0, 1, 5, 12, 1000} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			top := s.AppendTopSeries(nil, 30, most, last)
			n := min(most, len(all))
			if len(top) != n && len(top) != n+1 || top[len(top)-1].Zone != last {
				t.Fatalf("of %d: got %d, the last of zone %d; want the first %d and zone %d", len(all), len(top),
					top[len(top)-1].Zone, n, last)
			}
			at := 0
			for _, v := range all { // by mean
				if !slices.ContainsFunc(heaviest[:n], func(h report.Series) bool { return h.Zone == v.Zone }) {
					continue
				}
				if top[at].Zone != v.Zone || !slices.Equal(top[at].Values, v.Values) {
					t.Errorf("of %d, place %d: got zone %d; want %d with equal values", most, at, top[at].Zone, v.Zone)
				}
				at++
			}
		})
	}
	if got := s.AppendTopSeries(nil, 30, 3, -1); len(got) != 3 {
		t.Errorf("three and none besides: got %d; want 3", len(got))
	}
	var dst []report.Series
	step := func() { dst = s.AppendTopSeries(dst[:0], 30, 12, last) }
	step()
	if got := allocstest.PerRun(50, step); got != 0 {
		t.Errorf("again: got %v allocations; want 0", got)
	}
}
