package process_test

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// pulse makes frames of one zone that takes the given times in ms.
func pulse(t *testing.T, s *process.Session, times ...float64) {
	t.Helper()
	from := uint64(s.View().Info().Frames)
	for i, ms := range times {
		write(t, s, tree(from+uint64(i), []string{"beat", "rest*"}, fmt.Sprintf("beat %.3f 1\n", ms)))
	}
}

func beat(t *testing.T, s *process.Session, want ...report.Column) *report.Record {
	t.Helper()
	r := report.Report{Want: report.ColumnsOf(want...)}
	s.View().AppendReportOf(&r, report.View{Average: report.AverageInstant})
	for i := range r.Records {
		if r.Records[i].Name == "beat" {
			return &r.Records[i]
		}
	}
	t.Fatal("got no row of the zone")
	return nil
}

func TestMaxHoldIsOfFiveSeconds(t *testing.T) {
	s := process.NewSession()
	s.SetHistory(2, 2) // the hold goes further back than the history
	pulse(t, s, 700)
	for frame := range 600 {
		pulse(t, s, 10)
		seconds, want := float64(frame+1)*0.01, 700.0
		if seconds > 5 {
			want = 10
		}
		got := beat(t, s, report.ColumnMaxHold).Values[report.ColumnMaxHold]
		if got != want && (seconds < 4.99 || seconds > 5.115) {
			t.Fatalf("after %.2f s: got %v; want %v", seconds, got, want)
		}
		if all := s.View().Info().MaxHold; all != got { // of frames of nothing else
			t.Fatalf("after %.2f s: got %v as the longest frame; want %v", seconds, all, got)
		}
	}
	pulse(t, s, 99)
	s.Reset()
	if pulse(t, s, 3); s.View().Info().MaxHold != 3 {
		t.Errorf("after Reset: got %v; want 3", s.View().Info().MaxHold)
	}
}

// TestMaxHoldOfLongFrames compares it with the greatest of a list, where frames pass over several tenths of a second,
// or all.
func TestMaxHoldOfLongFrames(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	s := process.NewSession()
	lengths, ends := []float64{50}, []int{0} // tenths of a second, all ends in their middle
	pulse(t, s, 50)
	for range 2000 {
		tenths := 1 + r.Intn(8)
		if r.Intn(20) == 0 {
			tenths = 30 + r.Intn(40)
		}
		lengths, ends = append(lengths, float64(100*tenths)), append(ends, ends[len(ends)-1]+tenths)
		pulse(t, s, lengths[len(lengths)-1])
		want := 0.0
		for i := len(ends) - 1; i >= 0 && ends[i] >= ends[len(ends)-1]-50; i-- {
			want = max(want, lengths[i])
		}
		if got := beat(t, s, report.ColumnMaxHold).Values[report.ColumnMaxHold]; got != want {
			t.Fatalf("frame %d: got %v; want %v", len(ends), got, want)
		}
	}
}

func TestDearColumnsOnlyWhenAskedFor(t *testing.T) {
	s := process.NewSession()
	pulse(t, s, 1, 2, 3)
	if r := beat(t, s); !r.Mask.And(report.Statistics).Empty() {
		t.Errorf("got columns %b; want none that were not asked for", r.Mask.And(report.Statistics))
	}
	if r := beat(t, s, report.ColumnP50); r.Values[report.ColumnP50] != 2 || r.Mask.Has(report.ColumnP90) {
		t.Errorf("got median %v, p90 shown %v; want 2, not shown", r.Values[report.ColumnP50],
			r.Mask.Has(report.ColumnP90))
	}
	if r := beat(t, s, report.ColumnCallP50); r.Mask.Has(report.ColumnCallP50) {
		t.Error("got a quantile of calls; want none of a replay")
	}
}

func TestSetColumnsChoosesTheReports(t *testing.T) {
	s := process.NewSession()
	pulse(t, s, 1, 2, 3)
	s.View().SetColumns(report.ColumnP99, report.ColumnHier)
	var r report.Report
	s.View().AppendReport(&r)
	if want := []report.Column{report.ColumnHier, report.ColumnP99}; !slices.Equal(r.Columns, want) {
		t.Errorf("got columns %v; want %v", r.Columns, want)
	}
	if !r.Records[0].Mask.Has(report.ColumnP99) {
		t.Error("got no p99; want it, as it was chosen")
	}
	s.View().SetColumns()
	if s.View().AppendReport(&r); len(r.Columns) != 3 {
		t.Errorf("got columns %v; want the usual three", r.Columns)
	}
}

// Frames without a reader are still in the statistics since Reset, as long as frames are not too short for it.
func TestUnseenFramesCount(t *testing.T) {
	s := process.NewSession()
	s.SetHistory(10, 10)
	pulse(t, s, 900)
	for range 40 {
		write(t, s, tree(0, []string{"beat", "rest*"}, "beat 1 1\n"))
	}
	r := beat(t, s, report.ColumnEverMax, report.ColumnMax)
	if got := r.Values[report.ColumnEverMax]; got != 900 {
		t.Errorf("greatest since reset: got %v; want 900", got)
	}
	if got := r.Values[report.ColumnMax]; got != 1 {
		t.Errorf("greatest in the history: got %v; want 1", got)
	}
	s.Reset()
	pulse(t, s, 2)
	if got := beat(t, s, report.ColumnEverMax).Values[report.ColumnEverMax]; got != 2 {
		t.Errorf("after Reset: got %v; want 2", got)
	}
}

// Nor are frames forgotten that lose their records early.
func TestUnseenFramesCountWithLittleMemory(t *testing.T) {
	s := process.NewSession()
	s.SetHistoryLimits(process.HistoryLimits{Bytes: 200})
	pulse(t, s, 900)
	for range 40 {
		write(t, s, tree(0, []string{"beat", "rest*"}, "beat 1 1\n"))
	}
	r := report.Report{Want: report.ColumnsOf(report.ColumnEverMax)}
	if s.View().AppendReport(&r); r.Records[0].Values[report.ColumnEverMax] != 900 || len(r.Warnings) > 0 {
		t.Errorf("got %v, warnings %q; want 900 and none", r.Records[0].Values[report.ColumnEverMax], r.Warnings)
	}
}

// Frames too short to take in without a reader are left out and counted as such, until the first read.
func TestMissedFramesAreTold(t *testing.T) {
	s := process.NewSession()
	s.SetHistory(10, 10)
	short := func(frames int) {
		for range frames {
			write(t, s, tree(0, []string{"beat", "rest*", "a", "b", "c", "d"},
				"beat 0.001 1\na 0 1\nb 0 1\nc 0 1\nd 0 1\n"))
		}
	}
	short(30)
	r := report.Report{Want: report.ColumnsOf(report.ColumnEverP50)}
	for range 2 {
		s.View().AppendReport(&r)
		if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], " lack 20 frames") {
			t.Errorf("got warnings %q; want one of 20 frames", r.Warnings)
		}
		short(30) // after the first read, all of these count
	}
	r.Want = report.ColumnSet{}
	if s.View().AppendReport(&r); len(r.Warnings) != 0 {
		t.Errorf("not asked: got warnings %q; want none", r.Warnings)
	}
}

// A crowded frame among quiet ones is in the statistics. One that would take too much time without a reader is the
// only one that they miss.
func TestOneCrowdedFrameMissesAlone(t *testing.T) {
	for _, c := range []struct {
		zones  int
		missed string
	}{{3000, ""}, {10_000, "1 frame,"}} {
		s, zones := process.NewSession(), manyZones(c.zones)
		s.SetHistory(20, 20)
		frame := func(index uint64, f *gather.Frame) {
			f.TicksPerSecond, f.Begin, f.End = 1e6, platform.Ticks(16_000*index), platform.Ticks(16_000*(index+1))
			write(t, s, f)
		}
		for i := range uint64(100) {
			if i == 10 {
				frame(i, allZonesFrame(i, zones))
				continue
			}
			frame(i, zonesFrame(i, zones))
		}
		r := report.Report{Want: report.ColumnsOf(report.ColumnEverP50)}
		s.View().AppendReport(&r)
		if got := strings.Join(r.Warnings, "\n"); (got == "") != (c.missed == "") || !strings.Contains(got, c.missed) {
			t.Errorf("%d zones: got warnings %q; want %q", c.zones, got, c.missed)
		}
	}
}

func TestNoAllocationOfStatistics(t *testing.T) {
	s, f := process.NewSession(), busy(200)
	s.SetHistory(20, 20)
	r := report.Report{Want: report.AllColumns}
	views := []report.View{{}, {Mode: report.ReportCallTree}, {Lens: report.Lens{Kind: report.LensAll}},
		{Mode: report.ReportExtra},
		{Lens: report.Lens{Kind: report.LensSlowest, Slowest: 5}}, {Columns: report.AllColumns}}
	everything := func() {
		f.Index++
		write(t, s, f)
		for _, v := range views {
			s.View().AppendReportOf(&r, v)
		}
	}
	for range 50 {
		everything()
	}
	if got := allocstest.PerRun(20, everything); got > 0 {
		t.Errorf("got %v allocations a frame; want none", got)
	}
}

// uneven is a frame of so many zones whose times vary from frame to frame.
func uneven(f *gather.Frame) {
	for i := range f.Lanes[0].Nodes {
		f.Lanes[0].Nodes[i].Self = platform.Ticks(500 + (uint64(i)*2654435761+f.Index*40503)%1000)
	}
	f.Index++
}

func TestSpread(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		q      float64
		values []float32
		want   float32
		ran    int
		bar    int // of the last value
		mean   float32
		sigma  float32
	}{
		{0.5, []float32{3, 1, 2}, 2, 3, 24, 2, 0.8165},
		{0.9, []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 9, 10, 47, 5.5, 2.8723},
		{0.99, []float32{0, nan, 5, 7}, 7, 2, 47, 6, 1},
		{0.5, []float32{4, 4, 4}, 4, 3, 0, 4, 0},
		{0.5, []float32{0, nan}, 0, 0, 0, 0, 0},
	} {
		t.Run(fmt.Sprint(c.q, c.values), func(t *testing.T) {
			var s report.Spread
			s.Take([]float32{1, 2}) // forgotten
			s.Take(c.values)
			got, ran, bar := s.Quantile(c.q), len(s.Sorted), s.Bar(c.values[len(c.values)-1])
			if got != c.want || ran != c.ran || bar != c.bar || s.Frames != len(c.values) {
				t.Errorf("got %v of %d of %d frames, last in bar %d; want %v, %d, %d, %d", got, ran, s.Frames, bar,
					c.want, c.ran, len(c.values), c.bar)
			}
			if s.Mean != c.mean || math.Abs(float64(s.Deviation-c.sigma)) > 1e-4 {
				t.Errorf("got mean %v, deviation %v; want %v, %v", s.Mean, s.Deviation, c.mean, c.sigma)
			}
		})
	}
}

func TestCallSpread(t *testing.T) {
	var s report.CallSpread
	s.Take([]report.CallBucket{
		{Low: 1, High: 1, Count: 6}, {Low: 10, High: 10, Count: 3}, {Low: 100, High: 100, Count: 1},
	})
	shortest, longest := s.Ends()
	if s.Count != 10 || s.Mean != 13.6 || shortest != 1 || longest != 100 || s.Most != 6 {
		t.Errorf("got %d calls, mean %v, from %v to %v, at most %d in a bar; want 10, 13.6, 1, 100, 6", s.Count, s.Mean,
			shortest, longest, s.Most)
	}
	if s.Bars[0] != 6 || s.Bars[report.SpreadBars/2] != 3 || s.Bars[report.SpreadBars-1] != 1 || s.Place(10) != 0.5 {
		t.Errorf("got bars %v; want one decade in each half", s.Bars)
	}
	for q, want := range map[float64]float64{0.5: 1, 0.9: 10, 0.99: 100} {
		if got := s.Quantile(q); got != want {
			t.Errorf("quantile %v: got %v; want %v", q, got, want)
		}
	}
	if s.Take(nil); s.Count != 0 || s.Mean != 0 || s.Quantile(0.5) != 0 || s.Place(1) != 0 {
		t.Errorf("without calls: got %+v; want zeros", s)
	}
}
