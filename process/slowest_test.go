package process_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

func TestSlowestFramesAreKept(t *testing.T) {
	s := process.NewSession()
	s.SetHistory(4, 4)
	var times []float64
	for i := range 100 {
		times = append(times, float64(1+i*37%100))
	}
	pulse(t, s, times...)
	slow := s.AppendSlowest(nil)
	if len(slow) != 16 {
		t.Fatalf("got %d frames; want 16", len(slow))
	}
	for rank, f := range slow {
		if want := float32(100 - rank); f.Busy != want || !f.HasReport || times[f.Index] != float64(want) {
			t.Errorf("rank %d: got frame %d of %v ms; want one of %v", rank, f.Index, f.Busy, want)
		}
	}
	if !s.View().ShowFrame(slow[3].Index) {
		t.Fatal("got no kept frame; want it shown")
	}
	var r report.Report
	s.View().AppendReport(&r)
	if got := r.Records[0].Values[report.ColumnHier]; got != 97 || !r.Frame.Kept || r.Frame.Live ||
		r.Frame.Index != slow[3].Index {
		t.Errorf("got %v ms, %+v; want the kept frame of 97", got, r.Frame)
	}
	if !strings.Contains(r.Title, "kept frame") || len(s.View().AppendTree(nil, s.View().Get())) == 0 ||
		len(s.View().AppendLanes(nil)) != 1 {
		t.Errorf("got title %q, %d nodes, %d lanes; want the kept frame's", r.Title,
			len(s.View().AppendTree(nil, s.View().Get())),
			len(s.View().AppendLanes(nil)))
	}
	pulse(t, s, 3, 4)
	if s.View().AppendReport(&r); r.Records[0].Values[report.ColumnHier] != 97 {
		t.Error("a kept frame shown moved with the newest")
	}
	if !s.View().ShowFrame(101) || s.View().Get().Kept != 0 || s.View().Get().Age != 0 {
		t.Errorf("got %+v; want the newest frame, from the history", s.View().Get())
	}
	if s.View().ShowFrame(55555) {
		t.Error("got a frame that never was")
	}
}

// A screen shows more of the slowest frames than are kept whole, until the list is emptied.
func TestSnapshotsRankTheSlowestFrames(t *testing.T) {
	s := process.NewSession()
	s.SetHistory(4, 4)
	var times []float64
	for i := range 100 {
		times = append(times, float64(1+i*37%100))
	}
	pulse(t, s, times...)
	var shown process.Snapshot
	ranked := func() []report.FrameSummary {
		s.View().Snapshot(&shown, process.SnapshotOptions{Slowest: true})
		return shown.Slowest
	}
	if n := len(ranked()); n != 60 {
		t.Fatalf("got %d frames; want 60", n)
	}
	for rank, f := range ranked() {
		if want := float32(100 - rank); f.Busy != want || f.HasReport != (rank < 16) || f.Over != (f.Busy > 17) {
			t.Errorf("rank %d: got %+v; want %v ms, the first 16 with a report", rank, f, want)
		}
	}
	s.SetFrameBudget(50 * time.Millisecond)
	if f := ranked()[55]; f.Over {
		t.Errorf("got %+v over a budget of 50 ms; want it judged anew", f)
	}
	if s.View().ClearSlowest(); len(ranked()) != 0 || len(s.AppendSlowest(nil)) != 16 {
		t.Errorf("cleared: got %d frames, %d kept; want none and 16", len(ranked()), len(s.AppendSlowest(nil)))
	}
	pulse(t, s, 3, 5, 4)
	if got := ranked(); len(got) != 3 || got[0].Busy != 5 || got[2].Busy != 3 {
		t.Errorf("later: got %+v; want frames of 5, 4 and 3 ms", got)
	}
	if s.Reset(); len(ranked()) != 0 {
		t.Errorf("after a Reset: got %d frames; want none", len(ranked()))
	}
}

func TestSetSlowest(t *testing.T) {
	s := process.NewSession()
	pulse(t, s, 5, 4, 3, 2, 1)
	s.SetSlowest(2)
	if got := s.AppendSlowest(nil); len(got) != 2 || got[1].Busy != 4 {
		t.Errorf("got %v; want the two slowest", got)
	}
	s.SetSlowest(0)
	if pulse(t, s, 9); len(s.AppendSlowest(nil)) != 0 {
		t.Error("got frames kept; want none")
	}
	s.SetSlowest(1 << 20)
	if pulse(t, s, 9); len(s.AppendSlowest(nil)) != 1 {
		t.Error("got none; want frames kept again")
	}
	s.Reset()
	if got := s.AppendSlowest(nil); len(got) != 0 {
		t.Errorf("after Reset: got %v; want none", got)
	}
}

// withReport counts the frames whose reports are still there.
func withReport(s *process.Session) int {
	frames := s.AppendFrames(nil, 1<<20)
	return len(slices.DeleteFunc(frames, func(f report.FrameSummary) bool { return !f.HasReport }))
}

func TestHistoryLimits(t *testing.T) {
	s := process.NewSession()
	if got := s.HistoryLimits(); got != (process.HistoryLimits{Frames: 300, FullFrames: 300, Bytes: 64 << 20,
		Slowest: 16}) {
		t.Errorf("got defaults %+v", got)
	}
	s.SetHistoryLimits(process.HistoryLimits{Frames: 50, Within: time.Second})
	for range 40 {
		pulse(t, s, 100)
	}
	if got := withReport(s); got != 11 { // those that ended at most a second before the newest did
		t.Errorf("a second of frames of 100 ms: got %d with a report; want 11", got)
	}
	if got := len(s.AppendFrames(nil, 100)); got != 40 {
		t.Errorf("got %d frames in the graph; want all 40", got)
	}
	s.SetHistoryLimits(process.HistoryLimits{FullFrames: 7})
	if pulse(t, s, 1); withReport(s) != 7 {
		t.Errorf("got %d with a report; want 7", withReport(s))
	}
	s.SetHistoryLimits(process.HistoryLimits{Bytes: 1})
	if pulse(t, s, 1); withReport(s) != 1 {
		t.Errorf("no memory at all: got %d with a report; want the newest alone", withReport(s))
	}
}

func TestFrameOfNoLane(t *testing.T) {
	p, s, f := world.NewRandom(8), process.NewSession(), report.PastFrame{}
	for range 5 {
		write(t, s, p.Frame())
	}
	for _, none := range []struct {
		lane report.LaneID
		age  int
	}{{0, 5}, {0, -1}, {99, 0}} {
		t.Run(fmt.Sprint("lane ", none.lane, ", age ", none.age), func(t *testing.T) {
			if s.FrameOf(&f, none.lane, none.age) || len(f.Nodes) > 0 {
				t.Errorf("lane %d, age %d: got a frame; want none", none.lane, none.age)
			}
		})
	}
}

// TestHistoryFromAnyGoroutine is the promise that all of these may be called while frames come in.
func TestHistoryFromAnyGoroutine(t *testing.T) {
	s := process.NewSession()
	s.SetHistory(20, 20)
	pulse(t, s, 1, 2, 3)
	var wait sync.WaitGroup
	for _, do := range []func(i int){
		func(int) { pulse(t, s, 4) },
		func(i int) {
			s.View().SetLens(report.Lens{Kind: report.LensKind(i % int(report.NumLensKinds)), Slowest: i % 5})
		},
		func(int) { r := report.Report{Want: report.AllColumns}; s.View().AppendReport(&r) },
		func(i int) {
			s.View().AppendReportOf(new(report.Report), report.View{Mode: report.ReportMode(i % report.NumReportModes)})
		},
		func(i int) { s.View().ShowFrame(s.AppendSlowest(nil)[0].Index) },
		func(i int) { s.FrameOf(new(report.PastFrame), report.LaneID(i%2), i%9) },
		func(i int) { s.SetHistoryLimits(process.HistoryLimits{Frames: 5 + i%30}); s.HistoryLimits() },
		func(i int) {
			s.View().SetColumns(report.Column(i % report.NumColumns))
			s.View().AppendLanes(nil)
			s.View().Info()
		},
		func(int) { s.Dump(report.DumpOptions{}) },
	} {
		wait.Go(func() {
			for i := range 60 {
				do(i)
			}
		})
	}
	wait.Wait()
}

func TestDumpHasStatistics(t *testing.T) {
	s := process.NewSession()
	pulse(t, s, 1, 2, 3, 4)
	for _, z := range s.Dump(report.DumpOptions{}).Statistics {
		if s.Zone(z.Zone).Name != "beat" {
			continue
		}
		if h := z.Hier; z.Frames != 4 || h.Min != 1 || h.Max != 4 || h.Mean != 2.5 || h.P50 < 1.98 || h.P50 > 2.02 {
			t.Errorf("got %+v; want those of 1, 2, 3, 4", z)
		}
		return
	}
	t.Error("got no statistics of the zone")
}
