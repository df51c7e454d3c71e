package process_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// waited is a session with a frame of random scopes and states of two lanes.
func waited(t testing.TB, seed uint64) *process.Session {
	r := rand.New(rand.NewPCG(seed, 27))
	w := waitEvents{randomLane(r, 1), randomLane(r, 2)}
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Events = w })
	f := &gather.Frame{End: waitTicks, TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "a"},
		{Name: "b"}, {Name: "c"}, {Name: "d"}}}
	for _, l := range w {
		f.Lanes = append(f.Lanes, gather.LaneFrame{ID: l.id, End: waitTicks, Nodes: l.nodes(), Updater: l.id == 1})
		f.States = append(f.States, l.states...)
	}
	must.Do(t, s.WriteFrame(f))
	return s
}

func TestColumnsOfStatesAreOfSingleFrames(t *testing.T) {
	var r report.Report
	s := waited(t, 1)
	columns := func() bool {
		s.View().AppendReport(&r)
		return slices.Contains(r.Columns, report.ColumnWaiting) && slices.Contains(r.Columns, report.ColumnRunnable)
	}
	if columns() {
		t.Error("got them in an average")
	}
	s.View().SetColumns(report.ColumnSelf, report.ColumnWaiting, report.ColumnRunnable)
	if s.View().AppendReport(&r); !strings.Contains(strings.Join(r.Warnings, "\n"),
		"of single frames, not of averages") {
		t.Errorf("got %q; want a warning that says why they are empty", r.Warnings)
	}
	if s.View().SetAverage(report.AverageInstant); !columns() || len(r.Warnings) > 0 {
		t.Errorf("got %v, %q; want them as chosen, no warning", r.Columns, r.Warnings)
	}
	if s.View().SetColumns(); !columns() {
		t.Errorf("got %v; want them among the usual ones", r.Columns)
	}
	s.View().SetLens(report.Lens{Kind: report.LensAll})
	if columns() {
		t.Error("got them through a lens")
	}
	s.View().SetLens(report.Lens{})
	s.SetSources(func(c *process.Sources) { c.Events = nil })
	if !columns() || slices.ContainsFunc(r.Records, func(rec report.Record) bool {
		return rec.Mask.Has(report.ColumnWaiting)
	}) {
		t.Error("got values without events; want empty columns")
	}
}

// Beside waits of package wait, ColumnRunnable is not known.
func TestLossesOfTheMachineMakeNoColumn(t *testing.T) {
	s := process.NewSession()
	s.View().SetAverage(report.AverageInstant)
	var r report.Report
	columns := func(index uint64, states ...gather.LaneState) []report.Column {
		f := workerFrame(index, 16, 12)
		for i := range states {
			states[i].Begin, states[i].End = f.Begin, f.Begin+9
		}
		f.States = states
		write(t, s, f)
		s.View().AppendReport(&r)
		return r.Columns
	}
	lost := gather.LaneState{Kind: gather.StateGone, Reason: measure.ReasonStolen}
	got := columns(0, lost)
	if slices.Contains(got, report.ColumnWaiting) || slices.Contains(got, report.ColumnRunnable) || r.Waits {
		t.Errorf("a loss: got %v; want neither", got)
	}
	got = columns(1, lost, gather.LaneState{Lane: 1, Kind: gather.StateWaiting, Reason: "lock world"})
	if !slices.Contains(got, report.ColumnWaiting) || slices.Contains(got, report.ColumnRunnable) || r.Runnable {
		t.Errorf("a loss and a wait: got %v; want waiting, not runnable", got)
	}
	got = columns(2, gather.LaneState{Lane: 1, Kind: gather.StateRunnable})
	if !slices.Contains(got, report.ColumnRunnable) || !r.Runnable {
		t.Errorf("a state of a trace: got %v; want runnable", got)
	}
}

// TestStatesOfAPausedFrameComeLater pauses a session whose states come from a trace: the columns are empty until they
// are known, and a warning says so.
func TestStatesOfAPausedFrameComeLater(t *testing.T) {
	s := waited(t, 1)
	s.View().SetAverage(report.AverageInstant)
	s.View().SetColumns(report.ColumnSelf, report.ColumnWaiting, report.ColumnRunnable)
	const begin, end = 2 * waitTicks, 3 * waitTicks // states of the first frame may last beyond it
	next := &gather.Frame{Index: 1, Begin: begin, End: end, TicksPerSecond: 1000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}},
		Lanes: []gather.LaneFrame{{ID: 1, Begin: begin, End: end, Updater: true,
			Nodes: []gather.Node{{ID: 1, Parent: -1, Self: end - begin}}}}}
	must.Do(t, s.WriteFrame(next))
	s.Pause()
	var r report.Report
	known := func() bool {
		s.View().AppendReport(&r)
		return slices.ContainsFunc(r.Records, func(rec report.Record) bool {
			return rec.Mask.Has(report.ColumnWaiting)
		})
	}
	if known() || !strings.Contains(strings.Join(r.Warnings, "\n"), "not known of this frame yet") {
		t.Errorf("paused: got values or %q; want a warning that they come later", r.Warnings)
	}
	s.AddStates(begin, end, []gather.LaneState{{Lane: 1, Kind: gather.StateWaiting, Reason: "lock",
		Begin: begin, End: end}})
	if !known() || len(r.Warnings) > 0 {
		t.Errorf("states added: got none or %q; want values and no warning", r.Warnings)
	}
}

func TestColumnsOfStatesDoNotAllocate(t *testing.T) {
	s := waited(t, 1)
	s.View().SetAverage(report.AverageInstant)
	var r report.Report
	for _, mode := range []report.ReportMode{report.ReportSelfTime, report.ReportCallGraph, report.ReportCallTree} {
		s.View().SetReportMode(mode)
		s.View().AppendReport(&r)
		if n := allocstest.PerRun(20, func() { s.View().AppendReport(&r) }); n > 0 {
			t.Errorf("mode %d: got %v allocations; want none", mode, n)
		}
	}
}
