package process

import (
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/rows"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/totals"
)

// WriteFrame adds a finished frame to the session. It makes a Session a gather.Sink, for replays and tests; the running
// program calls Update. The frame is only read, and only until WriteFrame returns. An inconsistent frame changes
// nothing and is an error. A paused session throws frames away. Any goroutine may call it.
func (s *Session) WriteFrame(f *gather.Frame) error {
	if !totals.Valid(f) {
		return totals.ErrBadFrame
	}
	s.lock()
	defer s.mu.Unlock()
	s.data.handOut(f, nil)
	if s.data.Paused {
		s.data.takeLate(f)
		return nil
	}
	s.data.Gen++
	s.data.BeFed()
	s.data.Listens()
	s.data.take(f)
	return nil
}

// take only logs a frame. Store.Digest does the rest of the work when a report needs it.
func (s *intake) take(f *gather.Frame) {
	s.Whole = nil // it does not have this frame
	s.learn(f)
	s.Numbers.Begin(f) // new numbers take memory of the history, too
	s.FitHistory()
	if s.Past.Length() >= s.Past.Want { // the oldest makes room
		s.DropOldest()
	}
	p := s.Past.Push()
	p.Begin(f)
	s.TakeMarks(f, p)
	s.TakeStates(f)
	s.Past.Follow(p)
	s.Rate.Add(history.RateOf(f), p.LengthMS/1000)
	s.Settle(p, s.Log(p, f, true))
	s.Hold.Add(p.Ended, p.LengthMS)
	s.Sums().Frame(f, p)
	s.TakeSlowCalls(f, p)
	s.Slow.Take(p)
	s.Overview.Take(p, &f.Section)
	s.Reader().KeepSlow(p)
	s.Numbers.Take(f, p.Seq, s.Past.First(), p.LengthMS/1000)
	if s.Past.WantFull < s.Past.Want {
		s.Digest() // derives the graph's part before the records are lost
	}
	s.Past.Bytes += p.Bytes()
	s.Expire()
	s.Stock()
	s.DropOldAside()
	s.PruneLanes()
}

// takeCut takes in a frame that a change of the session ended. It counts in the totals. The history has only frames
// that Update ended.
func (s *intake) takeCut(f *gather.Frame) {
	s.learn(f)
	var p history.Frame
	p.Begin(f)
	s.Log(&p, f, true)
	s.Sums().Frame(f, &p)
	s.Numbers.Total(f)
	s.TakeStates(f)
	if newest := s.Past.Age(0); newest != nil {
		p.Seq, p.Ended = newest.Seq, newest.Ended
		s.TakeMarks(f, &p)
		s.TakeSlowCalls(f, &p)
	}
}

// learn takes the program's data from a frame: zones, misuse, limits. A frame that ended before the session learned
// newer zones has fewer of them.
func (s *intake) learn(f *gather.Frame) {
	s.follow(f)
	if s.Fed {
		s.followEvents(f)
	}
	if len(f.Zones) >= len(s.named) {
		s.named = f.Zones
	}
	s.Zones = s.withRoot(s.named)
	if s.Fed {
		s.followBudgets(f)
	}
	s.Misuse, s.Dropped = f.Misuse, f.Dropped
	s.Cost, s.Limit = float64(f.ScopeCost)/totals.CostFraction, f.OverheadLimit
	s.Clock = store.Clock{Clock: f.Clock, PerSecond: f.TicksPerSecond, Zone: s.Cost / f.TicksPerSecond * 1e9}
}

// beginning returns the running program's first frame, which has not ended, for programs that never call Update. It is
// nil in other sessions, and without a valid frame.
func (s *intake) beginning() *history.Frame {
	if !s.Running() {
		return nil
	}
	measure.Peek(&s.Peek)
	if !totals.Valid(&s.Peek) {
		return nil
	}
	s.learn(&s.Peek)
	p := &s.First
	*p = p.Empty()
	s.PruneLanes()
	p.Begin(&s.Peek)
	s.Settle(p, s.Log(p, &s.Peek, false))
	s.Past.Clock = 0
	return p
}

// follow forgets the frames before another program's, or before another clock's. Their numbers, or their times, have
// no meaning beside the new ones.
func (s *intake) follow(f *gather.Frame) {
	before, frames := s.Origin, s.Past.Next
	s.Origin = f.Origin
	switch {
	case len(s.named) == 0, f.Origin == before:
	case f.Origin.Program != before.Program:
		s.forgetProgram()
		s.Forgot(frames, rows.OtherProgram)
	default:
		s.forget()
		s.Forgot(frames, rows.OtherClock)
	}
}

// forgetProgram forgets all frames, and the names of the program.
func (s *intake) forgetProgram() {
	s.forgetPaths()
	s.named, s.Zones, s.Events.Zones = nil, nil, nil
	s.Programs++
}

// forgetPaths forgets all frames, paths and lanes.
func (s *intake) forgetPaths() {
	s.forget()
	s.Tree, s.Lanes, s.ByZone, s.Touched = history.Tree{}, history.Lanes{}, nil, history.Touched{}
	s.Totals.DropSeats()
	s.ForgetRows()
}

// ForgetProgram forgets everything that WriteFrame has brought, including names. Call it before the first frame of
// another program or of another run. In the running program's session it is the same as Reset. Any goroutine may call
// it.
func (s *Session) ForgetProgram() {
	if s.change(); !s.data.Fed {
		s.mu.Unlock()
		s.Reset()
		return
	}
	defer s.mu.Unlock()
	s.data.forgetProgram()
	s.data.Forgotten = ""
	s.data.giveHot(nil)
}
