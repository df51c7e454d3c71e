package process_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// numbered makes a frame of 16 ms with counts "shots" and levels "entities"; below 0 stands for none.
func numbered(index uint64, shots, entities float64) *gather.Frame {
	f := tree(index, []string{"a"}, "a 16 1\n")
	f.Counters = []gather.CounterInfo{{Name: "shots"}, {Name: "entities", Level: true}}
	if shots >= 0 {
		f.Values = append(f.Values, gather.CounterValue{Counter: 0, Value: shots})
	}
	if entities >= 0 {
		f.Values = append(f.Values, gather.CounterValue{Counter: 1, Value: entities})
	}
	return f
}

// valueNamed returns one number of a view, nil if it is not there.
func valueNamed(s *process.Session, v report.View, name string) *report.FrameValue {
	var r report.Report
	s.View().AppendReportOf(&r, v)
	for i := range r.Values {
		if r.Values[i].Name == name {
			return &r.Values[i]
		}
	}
	return nil
}

func TestAveragesOfFrameValues(t *testing.T) {
	s := process.NewSession()
	for i := range 300 {
		write(t, s, numbered(uint64(i), 0, 5))
	}
	for i := range 50 {
		write(t, s, numbered(uint64(300+i), 10, 9))
	}
	if got := valueNamed(s, report.View{}, "shots").Value; math.Abs(got-9) > 0.1 {
		t.Errorf("count after 0.8 s: got %v; want 9", got)
	}
	every := report.View{Lens: report.Lens{Kind: report.LensAll}}
	if got := valueNamed(s, every, "shots").Value; math.Abs(got-500.0/300) > 1e-9 {
		t.Errorf("mean of the history: got %v; want %v", got, 500.0/300)
	}
	if got := valueNamed(s, report.View{}, "entities").Value; got != 9 {
		t.Errorf("level: got %v; want 9, as it is", got)
	}
}

func TestHeapOfFramesIsAmongTheValues(t *testing.T) {
	s := process.NewSession()
	f := tree(0, []string{"a"}, "a 16 1\n")
	write(t, s, f)
	if got := s.AppendValues(nil); len(got) != 0 {
		t.Errorf("heap off: got %v; want none", got)
	}
	f = tree(1, []string{"a"}, "a 16 1\n")
	f.Memory = gather.MemoryFrame{AllocBytes: 1000, AllocObjects: 7, HeapLive: 1 << 20, Cycles: 2,
		Pause: time.Millisecond,
		Mode:  gather.MemoryHeapPerFrame, Cost: 500} // a clock of 1 MHz: 0.5 ms
	write(t, s, f)
	for name, want := range map[string]float64{"heap allocated": 1000, "heap objects": 7, "live heap": 1 << 20,
		"garbage collections": 2,
		"collector pauses":    1, "reading the heap": 0.5} {
		t.Run(name, func(t *testing.T) {
			if got := valueNamed(s, instant, name); got == nil || got.Value != want || got.Kind != report.ValueHeap {
				t.Errorf("%s: got %+v; want %v", name, got, want)
			}
		})
	}
	frames := s.AppendFrames(nil, 1)
	if got := frames[0]; got.AllocObjects != 7 || got.HeapCost != 0.5 || got.Memory != gather.MemoryHeapPerFrame {
		t.Errorf("summary: got %+v; want 7 objects, 0.5 ms, per frame", got)
	}
	if i := s.View().Info(); i.Memory != gather.MemoryHeapPerFrame || math.Abs(i.Overhead-0.5/16) > 1e-9 {
		t.Errorf("got mode %v, overhead %v; want per frame, %v", i.Memory, i.Overhead, 0.5/16)
	}
}

func TestNamesTooManyAreToldOf(t *testing.T) {
	s := process.NewSession()
	f := numbered(0, 1, 1)
	f.Dropped.Counters = 3
	write(t, s, f)
	var r report.Report
	s.View().AppendReport(&r)
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "3 calls of Count and Value") {
		t.Errorf("got warnings %q; want one about 3 calls", r.Warnings)
	}
}

func TestFrameValuesInADump(t *testing.T) {
	s := process.NewSession()
	for i := range 3 {
		write(t, s, numbered(uint64(i), 2, float64(i)))
	}
	s.Pause()
	write(t, s, numbered(3, 100, 100))
	d := s.Dump(report.DumpOptions{})
	if len(d.Values) != 2 || d.Values[0].Total != 6 || d.Values[1].Total != 2 || len(d.Values[0].Values) != 3 {
		t.Errorf("got %+v; want 6 shots, 2 entities, of three frames", d.Values)
	}
	if d = s.Dump(report.DumpOptions{NoHistory: true}); len(d.Values) != 2 || len(d.Values[0].Values) != 0 {
		t.Errorf("without history: got %+v; want totals only", d.Values)
	}
	s.Reset()
	if d = s.Dump(report.DumpOptions{}); len(d.Values) != 0 {
		t.Errorf("after Reset: got %+v; want none", d.Values)
	}
}
