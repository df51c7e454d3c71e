package exectrace

import (
	"context"
	"fmt"
	"runtime/trace"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// LogFrames writes a line into the execution trace at the end of each frame of a session, while a trace of any recorder
// runs. Its category is "iprof frame". go tool trace shows it at the end of the frame:
//
//	frame 1042: 18.21 ms, busy 17.05 ms, over the budget of 16.67 ms
//
// Busy is the judged time here: report.FrameSummary.Judged. The goroutine that calls Update or WriteFrame writes the
// line. Without a trace LogFrames costs some nanoseconds a frame. The function stop ends it. Any goroutine may call
// both.
func LogFrames(s *process.Session) (stop func()) { return s.AddSink(frameLog{}) }

// frameLog writes frames into the trace.
type frameLog struct{}

// WriteFrame does nothing: sessions call WriteJudged.
func (frameLog) WriteFrame(*gather.Frame) error { return nil }

// WriteJudged writes a frame.
func (frameLog) WriteJudged(f *gather.Frame, j *process.Judged) error {
	if trace.IsEnabled() {
		trace.Log(context.Background(), "iprof frame", line(f, j.Time, j.Budget))
	}
	return nil
}

// line describes a frame.
func line(f *gather.Frame, busy, budget time.Duration) string {
	length := float64(f.End-f.Begin) / f.TicksPerSecond * 1000
	text := fmt.Sprintf("frame %d: %.2f ms, busy %.2f ms", f.Index, length, milliseconds(busy))
	switch {
	case budget <= 0:
		return text
	case report.OverBudget(busy, budget):
		return fmt.Sprintf("%s, over the budget of %.2f ms", text, milliseconds(budget))
	}
	return fmt.Sprintf("%s, within the budget of %.2f ms", text, milliseconds(budget))
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
