package process_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// waited is a session with a frame of random scopes and states of two lanes.
func waited(t testing.TB, seed uint64) *process.Session {
	r := rand.New(rand.NewPCG(seed, 27))
	w := waitEvents{randomLane(r, 1), randomLane(r, 2)}
	s := process.NewSession()
	s.SetEventSource(w)
	f := &gather.Frame{End: waitTicks, TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "a"},
		{Name: "b"}, {Name: "c"}, {Name: "d"}}}
	for _, l := range w {
		f.Lanes = append(f.Lanes, gather.LaneFrame{ID: l.id, End: waitTicks, Nodes: l.nodes(), Updater: l.id == 1})
		f.States = append(f.States, l.states...)
	}
	if err := s.WriteFrame(f); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestColumnsOfStatesAreOfSingleFrames(t *testing.T) {
	var r process.Report
	s := waited(t, 1)
	columns := func() bool {
		s.AppendReport(&r)
		return slices.Contains(r.Columns, process.ColumnWaiting) && slices.Contains(r.Columns, process.ColumnRunnable)
	}
	if columns() {
		t.Error("got them in an average")
	}
	s.SetColumns(process.ColumnSelf, process.ColumnWaiting, process.ColumnRunnable)
	if s.AppendReport(&r); !strings.Contains(strings.Join(r.Warnings, "\n"), "of single frames, not of averages") {
		t.Errorf("got %q; want a warning that says why they are empty", r.Warnings)
	}
	if s.SetAverage(process.AverageInstant); !columns() || len(r.Warnings) > 0 {
		t.Errorf("got %v, %q; want them as chosen, no warning", r.Columns, r.Warnings)
	}
	if s.SetColumns(); !columns() {
		t.Errorf("got %v; want them among the usual ones", r.Columns)
	}
	s.SetLens(process.Lens{Kind: process.LensAll})
	if columns() {
		t.Error("got them through a lens")
	}
	s.SetLens(process.Lens{})
	if s.SetEventSource(nil); !columns() || slices.ContainsFunc(r.Records, func(rec process.Record) bool {
		return rec.Mask.Has(process.ColumnWaiting)
	}) {
		t.Error("got values without events; want empty columns")
	}
}

func TestColumnsOfStatesDoNotAllocate(t *testing.T) {
	s := waited(t, 1)
	s.SetAverage(process.AverageInstant)
	var r process.Report
	for _, mode := range []process.ReportMode{process.ReportSelfTime, process.ReportCallGraph, process.ReportCallTree} {
		s.SetReportMode(mode)
		s.AppendReport(&r)
		if n := testing.AllocsPerRun(20, func() { s.AppendReport(&r) }); n > 0 {
			t.Errorf("mode %d: got %v allocations; want none", mode, n)
		}
	}
}

// BenchmarkWaiting is a report of a frame whose states are known, and of the same frame without them.
func BenchmarkWaiting(b *testing.B) {
	for name, of := range map[string]process.Average{"none": process.AverageLong, "known": process.AverageInstant} {
		b.Run("states="+name, func(b *testing.B) {
			s := waited(b, 1)
			s.SetAverage(of)
			var r process.Report
			b.ReportAllocs()
			for b.Loop() {
				s.AppendReport(&r)
			}
		})
	}
}
