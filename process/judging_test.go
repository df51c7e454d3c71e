package process_test

import (
	"math"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// judging is a sink that keeps what it was told of the last frame.
type judging struct{ busy, budget time.Duration }

func (j *judging) WriteFrame(*gather.Frame) error { panic("a judging sink gets frames by WriteJudged") }

func (j *judging) WriteJudged(_ *gather.Frame, by *process.Judged) error {
	j.busy, j.budget = by.Time, by.Budget
	return nil
}

// The busy time before the frame is in the history is the one that is in it.
func TestJudgingSinksGetWhatTheHistorySays(t *testing.T) {
	s := process.NewSession()
	var sink judging
	s.AddSink(&sink)
	r := world.NewGame(5, s)
	for i := range 400 {
		budget := time.Duration(10+i%3) * time.Millisecond
		s.SetFrameBudget(budget)
		s.SetEventDriven(i >= 200)
		must.Do(t, r.Step())
		var shown report.Report
		s.View().AppendReportOf(&shown, report.View{Average: report.AverageInstant})
		if want := shown.Frame.Busy; math.Abs(sink.busy.Seconds()*1000-want) > 1e-3 || sink.budget != budget {
			t.Fatalf("frame %d: got busy %v of %v; want %.4f ms of %v", i, sink.busy, sink.budget, want, budget)
		}
	}
}

// With events, the time of a frame before the goroutine of Update has a lane is idle.
func TestTheStartOfAServerIsNotLate(t *testing.T) {
	for _, driven := range []bool{true, false} {
		s := process.NewSession()
		s.SetEventDriven(driven)
		var sink judging
		s.AddSink(&sink)
		f := zonesFrame(0, manyZones(1))
		f.TicksPerSecond, f.Begin, f.End = 1e9, 0, 750e6
		f.Lanes[0].Updater, f.Lanes[0].Begin, f.Lanes[0].End = true, 740e6, 750e6
		f.Lanes[0].Nodes[0].Self, f.Lanes[0].Nodes[1].Self = 8e6, 2e6
		write(t, s, f)
		want := 750.0
		if driven {
			want = 2
		}
		var shown report.Report
		s.View().AppendReportOf(&shown, report.View{Average: report.AverageInstant})
		if got := shown.Frame.Busy; got != want || sink.busy.Seconds()*1000 != want {
			t.Errorf("events %t: got %v ms busy, judged %v; want %v ms", driven, got, sink.busy, want)
		}
	}
}

// What kind of program it is, and so which of its frames are late, does not depend on what was asked before.
func TestTheKindIsTheSameForEachWhoAsks(t *testing.T) {
	s := process.NewSession()
	f := zonesFrame(0, manyZones(1))
	for i := range 10 { // two seconds of work each: a command, which has no frame rate
		f.Index, f.TicksPerSecond = uint64(i), 1e9
		f.Begin, f.End = platform.Ticks(i)*2e9, platform.Ticks(i+1)*2e9
		main := &f.Lanes[0]
		main.Begin, main.End = f.Begin, f.End
		main.Nodes[0].Self, main.Nodes[1].Self = 0, 2e9
		write(t, s, f)
	}
	var first report.Report
	s.View().AppendReport(&first)
	if first.Frame.Kind != report.KindCommand || first.Frame.Over {
		t.Errorf("the first report: got a %v, frame over budget %t; want a command, and false", first.Frame.Kind,
			first.Frame.Over)
	}
	if d := s.Dump(report.DumpOptions{}); d.Kind != first.Frame.Kind {
		t.Errorf("got a %v in a dump after that; want a %v", d.Kind, first.Frame.Kind)
	}
}
