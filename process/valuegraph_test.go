package process_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

func ExampleAppendValueGraph() {
	s := process.NewSession()
	for i, shots := range []float64{3, 12, 6} {
		s.WriteFrame(&gather.Frame{Index: uint64(i), TicksPerSecond: 1000, End: 16,
			Zones:    []gather.ZoneInfo{{Name: "(root)"}},
			Counters: []gather.CounterInfo{{Name: "shots"}}, Values: []gather.CounterValue{{Counter: 0, Value: shots}}})
	}
	series := s.AppendSeries(nil, 300)
	series = report.AppendValueGraph(series, s.AppendValueSeries(nil, 300), 20)
	for _, line := range series { // gl.DrawGraphGL draws them
		fmt.Println(line.Name, line.Values)
	}
	// Output: shots [5 20 10]
}

func TestValueGraph(t *testing.T) {
	none := float32(math.NaN())
	values := []report.ValueSeries{
		{FrameValue: report.FrameValue{Name: "a"}, Values: []float32{none, 2, -8}},
		{FrameValue: report.FrameValue{Name: "zero"}, Values: []float32{0, 0, none}},
	}
	got := report.AppendValueGraph([]report.Series{{Zone: 4, Name: "zone", Values: []float32{1}}}, values, 4)
	if len(got) != 3 || got[0].Zone != 4 || got[1].Name != "a" || got[1].Zone != -1 {
		t.Fatalf("got %+v; want the zone's series, then the values'", got)
	}
	for i, want := range [][]float32{{1}, {none, 1, -4}, {0, 0, none}} {
		if !equalTimes(got[i].Values, want) {
			t.Errorf("series %d: got %v; want %v", i, got[i].Values, want)
		}
	}
	if n := allocstest.PerRun(20, func() { got = report.AppendValueGraph(got[:1], values, 4) }); n != 0 {
		t.Errorf("got %v allocations; want 0", n)
	}
	if !slices.Equal(got[2].Values[:2], []float32{0, 0}) {
		t.Errorf("used again: got %v; want zeroes", got[2].Values)
	}
}
