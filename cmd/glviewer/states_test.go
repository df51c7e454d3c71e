package main

import (
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// tracedElsewhere is a program's execution trace, which knows that the goroutine of frames always waits for a channel.
type tracedElsewhere struct {
	session *process.Session
	on      atomic.Bool
}

func (w *tracedElsewhere) Tracing() report.Tracing             { return report.Tracing{On: w.on.Load()} }
func (w *tracedElsewhere) SetTracing(on bool) error            { w.on.Store(on); return nil }
func (w *tracedElsewhere) TakeStatesEvery(time.Duration) error { return nil }

func (w *tracedElsewhere) TakeStates() error {
	lanes := w.session.AppendGoroutines(nil)
	begin, end := lanes[0].Begin, platform.Now()
	w.session.AddStates(begin, end, []gather.LaneState{{Lane: lanes[0].Lane, Kind: gather.StateWaiting, Begin: begin,
		End: end, Reason: "chan receive"}})
	return nil
}

// TestAPauseTakesTheStatesOfAProgramElsewhere: the program takes them as if it were paused itself, and the paused view
// shows them. The menu switches its trace.
func TestAPauseTakesTheStatesOfAProgramElsewhere(t *testing.T) {
	longtest.Skip(t)
	if !gather.Enabled {
		t.Skip("nothing is measured in a program built with iprof_off")
	}
	s := process.Default()
	tracer := &tracedElsewhere{session: s}
	s.SetTracer(tracer)
	defer s.SetTracer(nil)
	at := serveSelf(t)
	u := newUser(t, "replay", 1280, 720, "-connect", at)
	u.linked(at)
	u.wait("frames 60")
	u.press(symbolSpace)
	u.wait("paused")
	u.wait("states")
	u.press('w')
	u.see("connected-states", 1000)
	u.press(symbolSpace)
	u.wait("live")
	u.fromMenu("execution trace on, off")
	until(t, "trace", func() bool { state, _ := s.Tracing(); return state.On })
	u.quit()
}
