package process_test

import (
	"math"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/replay"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// judging is a sink that keeps what it was told of the last frame.
type judging struct{ busy, budget time.Duration }

func (j *judging) WriteFrame(*gather.Frame) error { panic("a judging sink gets frames by WriteJudged") }

func (j *judging) WriteJudged(_ *gather.Frame, busy, budget time.Duration) error {
	j.busy, j.budget = busy, budget
	return nil
}

// TestJudgingSinksGetWhatTheHistorySays: the busy time before the frame is in the history is the one that is in it.
func TestJudgingSinksGetWhatTheHistorySays(t *testing.T) {
	s := process.NewSession()
	var sink judging
	s.AddSink(&sink)
	r := replay.New(5, s)
	for i := range 400 {
		budget := time.Duration(10+i%3) * time.Millisecond
		s.SetFrameBudget(budget)
		s.SetEventDriven(i >= 200)
		if err := r.Step(); err != nil {
			t.Fatal(err)
		}
		var shown report.Report
		s.AppendReportOf(&shown, report.View{Average: report.AverageInstant})
		if want := shown.Frame.Busy; math.Abs(sink.busy.Seconds()*1000-want) > 1e-3 || sink.budget != budget {
			t.Fatalf("frame %d: got busy %v of %v; want %.4f ms of %v", i, sink.busy, sink.budget, want, budget)
		}
	}
}
