package process

import (
	"fmt"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// JudgingSink is a sink that takes what the session knows of a frame. AddSink calls WriteJudged instead of WriteFrame.
// The sink must not change j, which is valid until WriteJudged returns.
type JudgingSink interface {
	gather.Sink
	WriteJudged(f *gather.Frame, j *Judged) error
}

// Judged is what a session knows of a frame that has ended.
type Judged struct {
	// Time is the time that the budget judges: FrameSummary.Judged. Budget is the frame budget that was set, or the
	// default. Unjudged says that it is not in force: see Session.FrameBudget.
	Time, Budget time.Duration
	Unjudged     bool
	// Events is the source of the frame's events, nil if there are none. It is valid until WriteJudged returns.
	Events timeline.EventSource
	// Calls is the source of the durations of single calls, nil if no calls are counted. It is valid as long as the
	// sink is in use.
	Calls CallSource
	// Hot returns the newest hot lines, nil if nothing was sampled, and asks for newer samples. The function is nil if
	// there is no source. The result is the same pointer until there are newer lines. The sink may keep it.
	Hot func() *report.HotZones
	// Sets are the program's other sets of frames, for a frame of Default: see Frames. The slice is never changed.
	Sets []*Session
	// Allocated are the newest traced allocations, an *allocated.Table, nil without any.
	Allocated fmt.Stringer
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
	added := &sink{Sink: k, after: s.frames.front.endedSoFar()}
	s.sinks.list = append(s.sinks.list, added)
	return func() {
		s.lock()
		defer s.mu.Unlock()
		s.frames.settleAwaited(true)
		s.sinks.drop(added)
	}
}

// sinks has the sinks of a session.
type sinks struct {
	store   *store.Store
	sources *Sources
	list    []*sink
	judged  Judged // of the frame that is handed out
}

// sink is a sink that was added. Its address identifies it, because the values of users need not be comparable.
type sink struct {
	_ [0]func() // not comparable: the code of == would be in each program
	gather.Sink
	after uint64 // frames that had ended before; some may still wait
}

// drop takes a sink away.
func (s *sinks) drop(k *sink) {
	s.list = resize.Delete(s.list, func(other *sink) bool { return other == k })
}

// handOut gives a finished frame to the sinks, with states of earlier frames. from is nil for a frame of WriteFrame.
func (s *sinks) handOut(f *gather.Frame, from *waitingFrame) {
	live := from != nil
	if len(s.list) == 0 {
		s.store.Late.Drop()
		return
	}
	f = s.store.Late.With(f, &s.store.States)
	j := &s.judged
	j.Time, j.Budget, j.Unjudged = 0, s.store.Wanted, s.store.Budget >= report.NoBudget
	if !live || !from.unjudged {
		j.Time = s.judgedOf(f)
	}
	j.Events, j.Calls = s.eventsFor(live), s.callsFor(live)
	if j.Sets = nil; live && s.store.Ours && s.store.Set == "" {
		j.Sets = otherSets()
	}
	j.Allocated = s.sources.Allocated
	if j.Hot == nil {
		j.Hot = func() *report.HotZones { return s.sources.HotZones() }
	}
	for i := len(s.list) - 1; i >= 0; i-- {
		if k := s.list[i]; !live || from.number > k.after {
			if handTo(k.Sink, f, j) != nil {
				s.drop(k)
			}
		}
	}
}

func handTo(k gather.Sink, f *gather.Frame, j *Judged) error {
	if k, ok := k.(JudgingSink); ok {
		return k.WriteJudged(f, j)
	}
	return k.WriteFrame(f)
}

// eventsFor returns the source of the newest frame's events, or nil if there is no source.
func (s *sinks) eventsFor(live bool) timeline.EventSource {
	switch {
	case s.store.Timeline.Source != nil:
		return s.store.Timeline.Source
	case live && gather.Events() > 0:
		return timeline.LiveEvents{}
	}
	return nil
}

// judgedOf returns the judged time of a frame that is not in the history yet. Store.Settle computes the same
// from its records.
func (s *sinks) judgedOf(f *gather.Frame) time.Duration {
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
	if updated && (s.store.Events.On || f.EventDriven) {
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
func (s *sinks) waitingOn(f *gather.Frame, nodes []gather.Node) (waiting platform.Ticks) {
	driven := s.store.Events.On || f.EventDriven
	for i := range nodes {
		n := &nodes[i]
		z := &f.Zones[n.Zone]
		if z.Idle && !history.Blocks(z, n.Parent == 0, driven) || n.Zone == 0 && driven {
			waiting += n.Self
		}
	}
	return waiting
}
