package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/rows"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/internal/totals"
)

// intake takes in the frames of the running program and of WriteFrame, and handles Pause and Reset.
type intake struct {
	store    *store.Store
	sinks    *sinks
	views    *views
	front    front // what Update needs
	settings settings
	named    []gather.ZoneInfo // the zones as the newest frames have them: see withRoot
}

// WriteFrame adds a finished frame to the session. It makes a Session a gather.Sink, for replays and tests; the running
// program calls Update. The frame is only read, and only until WriteFrame returns. An inconsistent frame changes
// nothing and is an error. A paused session throws frames away. Any goroutine may call it.
func (s *Session) WriteFrame(f *gather.Frame) error {
	if !totals.Valid(f) {
		return totals.ErrBadFrame
	}
	s.lock()
	defer s.mu.Unlock()
	s.sinks.handOut(f, nil)
	if s.store.Paused {
		s.frames.takeLate(f)
		return nil
	}
	s.store.Gen++
	s.store.BeFed()
	s.store.Listens()
	s.frames.take(f)
	return nil
}

// take only logs a frame. Store.Digest does the rest of the work when a report needs it.
func (in *intake) take(f *gather.Frame) {
	in.store.Whole = nil // it does not have this frame
	in.learn(f)
	in.store.Numbers.Begin(f) // new numbers take memory of the history, too
	in.store.FitHistory()
	if in.store.Past.Length() >= in.store.Past.Want { // the oldest makes room
		in.store.DropOldest()
	}
	p := in.store.Past.Push()
	p.Begin(f)
	in.store.TakeMarks(f, p)
	in.store.TakeStates(f)
	in.store.Past.Follow(p)
	in.store.Rate.Add(history.RateOf(f), p.LengthMS/1000)
	in.store.Settle(p, in.store.Log(p, f, true))
	in.store.TakeKind(p)
	in.store.Hold.Add(p.Ended, p.LengthMS)
	in.store.Sums().Frame(f, p)
	in.store.TakeSlowCalls(f, p)
	in.store.Slow.Take(p)
	in.store.Overview.Take(p, &f.Section)
	in.store.Reader().KeepSlow(p)
	in.store.Numbers.Take(f, p.Seq, in.store.Past.First(), p.LengthMS/1000)
	if in.store.Past.WantFull < in.store.Past.Want {
		in.store.Digest() // derives the graph's part before the records are lost
	}
	in.store.Past.Bytes += p.Bytes()
	in.store.Expire()
	in.store.Stock()
	in.store.DropOldAside()
	in.store.PruneLanes()
}

// takeCut takes in a frame that a change of the session ended. It counts in the totals. The history has only frames
// that Update ended.
func (in *intake) takeCut(f *gather.Frame) {
	in.learn(f)
	var p history.Frame
	p.Begin(f)
	in.store.Log(&p, f, true)
	in.store.Sums().Frame(f, &p)
	in.store.Numbers.Total(f)
	in.store.TakeStates(f)
	if newest := in.store.Past.Age(0); newest != nil {
		p.Seq, p.Ended = newest.Seq, newest.Ended
		in.store.TakeMarks(f, &p)
		in.store.TakeSlowCalls(f, &p)
	}
}

// learn takes the program's data from a frame: zones, misuse, limits. A frame that ended before the session learned
// newer zones has fewer of them.
func (in *intake) learn(f *gather.Frame) {
	in.follow(f)
	if in.store.Fed {
		in.followEvents(f)
	}
	if len(f.Zones) >= len(in.named) {
		in.named = f.Zones
	}
	in.store.Zones = in.withRoot(in.named)
	if in.store.Fed {
		in.followBudgets(f)
	}
	in.store.Misuse, in.store.Dropped = f.Misuse, f.Dropped
	in.store.Cost, in.store.Limit = float64(f.ScopeCost)/totals.CostFraction, f.OverheadLimit
	in.store.Clock = store.Clock{Clock: f.Clock, PerSecond: f.TicksPerSecond,
		Zone: in.store.Cost / f.TicksPerSecond * 1e9}
}

// follow forgets the frames before another program's, or before another clock's. Their numbers, or their times, have
// no meaning beside the new ones.
func (in *intake) follow(f *gather.Frame) {
	before, frames := in.store.Origin, in.store.Past.Next
	in.store.Origin = f.Origin
	switch {
	case len(in.named) == 0, f.Origin == before:
	case f.Origin.Program != before.Program:
		in.forgetProgram()
		in.store.Forgotten = rows.Forgot(frames, rows.OtherProgram)
	default:
		in.forget()
		in.store.Forgotten = rows.Forgot(frames, rows.OtherClock)
	}
}

// forgetProgram forgets all frames, and the names of the program.
func (in *intake) forgetProgram() {
	in.forgetPaths()
	in.named, in.store.Zones, in.store.Events.Zones = nil, nil, nil
	in.store.ForgetKind()
	in.store.Programs++
}

// forgetPaths forgets all frames, paths and lanes.
func (in *intake) forgetPaths() {
	in.forget()
	in.store.Tree = history.Tree{}
	in.store.Lanes = history.Lanes{}
	in.store.ByZone = nil
	in.store.Touched = history.Touched{}
	in.store.Totals.DropSeats()
	in.views.each(func(v *View) { v.rows.ForgetRows() })
}

// ForgetProgram forgets everything that WriteFrame has brought, including names. Call it before the first frame of
// another program or of another run. In the running program's session it is the same as Reset. Any goroutine may call
// it.
func (s *Session) ForgetProgram() {
	if s.change(); !s.store.Fed {
		s.mu.Unlock()
		s.Reset()
		return
	}
	defer s.mu.Unlock()
	s.frames.forgetProgram()
	s.store.Forgotten = ""
	s.sources.Hot, s.sources.Allocated = nil, nil
	s.sources.bring(&s.store)
}
