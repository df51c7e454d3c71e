package process

import (
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// JudgingSink is a sink that judges frames. AddSink gives each frame to WriteJudged instead of WriteFrame, with the
// time that the budget judges, FrameSummary.Judged, and the frame budget in force.
type JudgingSink interface {
	gather.Sink
	WriteJudged(f *gather.Frame, judged, budget time.Duration) error
}

// AddSink adds a sink that gets each frame when it ends, paused or not. Pause, Resume, Reset and UndoReset end a frame,
// too, so that the frames of a sink have all measurements, and their indexes have no gap. The goroutine that ends the
// frame, or calls WriteFrame, calls the sink and waits for it. If another goroutine uses the session at that moment,
// that goroutine calls the sink a little later. The sink must not call the session. A sink that returns an error gets
// no more frames. The function remove takes the sink away, and waits until the sink has returned from a call in
// progress. A nil sink is ignored. Any goroutine may call both.
func (s *Session) AddSink(k gather.Sink) (remove func()) {
	if k == nil {
		return func() {}
	}
	s.lock()
	defer s.mu.Unlock()
	added := &sink{Sink: k, after: s.data.front.endedSoFar()}
	s.data.sinks = append(s.data.sinks, added)
	return func() {
		s.lock()
		defer s.mu.Unlock()
		s.data.settleAwaited(true)
		s.data.dropSink(added)
	}
}

// sink is a sink that was added. Its address identifies it, because the values of users need not be comparable.
type sink struct {
	gather.Sink
	after uint64           // frames that had ended before; some may still wait
	hot   *report.HotZones // the last ones that the sink got
}

func (s *intake) dropSink(k *sink) {
	s.sinks = resize.Delete(s.sinks, func(other *sink) bool { return other == k })
}

// handOut gives a finished frame to the sinks, with states of earlier frames. from is nil for a frame of WriteFrame.
func (s *intake) handOut(f *gather.Frame, from *waitingFrame) {
	live := from != nil
	if len(s.sinks) == 0 {
		s.Late.Drop()
		return
	}
	f = s.Late.With(f, &s.States)
	for i := len(s.sinks) - 1; i >= 0; i-- {
		k := s.sinks[i]
		if live && from.number <= k.after {
			continue
		}
		if events, ok := k.Sink.(timeline.EventSink); ok {
			events.TakeEvents(s.eventsFor(live))
		}
		if calls, ok := k.Sink.(CallSink); ok {
			calls.TakeCalls(s.callsFor(live))
		}
		if hot, ok := k.Sink.(HotSink); ok {
			if h := s.hot.newest(); h != k.hot {
				k.hot = h
				hot.TakeHot(h)
			}
		}
		if s.handTo(k.Sink, f, !live || !from.unjudged) != nil {
			s.dropSink(k)
		}
	}
}

// eventsFor returns the source of the newest frame's events, or nil if there is no source.
func (s *intake) eventsFor(live bool) timeline.EventSource {
	switch {
	case s.Timeline.Source != nil:
		return s.Timeline.Source
	case live && gather.Events() > 0:
		return timeline.LiveEvents{}
	}
	return nil
}

func (s *intake) handTo(k gather.Sink, f *gather.Frame, judged bool) error {
	judge, ok := k.(JudgingSink)
	switch {
	case !ok:
		return k.WriteFrame(f)
	case !judged:
		return judge.WriteJudged(f, 0, s.Budget)
	}
	return judge.WriteJudged(f, s.judgedOf(f), s.Budget)
}

// judgedOf returns the judged time of a frame that is not in the history yet. Store.Settle computes the same
// from its records.
func (s *intake) judgedOf(f *gather.Frame) time.Duration {
	if !(f.TicksPerSecond > 0) {
		return 0
	}
	var waiting, whole platform.Ticks
	updated := false
	for i := range f.Lanes {
		if l := &f.Lanes[i]; l.Updater {
			waiting, whole = waiting+s.waitingOn(f, l.Nodes), whole+timeOf(l.Nodes)
			updated = updated || len(l.Nodes) > 0
		}
	}
	if updated && (s.Events.On || f.EventDriven) {
		waiting += max(0, f.End-f.Begin-whole) // before the lane began: see totals.Logged
	}
	judged := float64(f.End-f.Begin-waiting) / f.TicksPerSecond
	return report.DurationOf(max(judged, 0))
}

// timeOf returns the time of all nodes of a lane.
func timeOf(nodes []gather.Node) (whole platform.Ticks) {
	for i := range nodes {
		whole += nodes[i].Self
	}
	return whole
}

// waitingOn sums the idle nodes of a lane that nothing blocks.
func (s *intake) waitingOn(f *gather.Frame, nodes []gather.Node) (waiting platform.Ticks) {
	driven := s.Events.On || f.EventDriven
	for i := range nodes {
		n := &nodes[i]
		z := &f.Zones[n.Zone]
		if z.Idle && !history.Blocks(z, n.Parent == 0, driven) || n.Zone == 0 && driven {
			waiting += n.Self
		}
	}
	return waiting
}
