package process

import (
	"errors"
	"fmt"
	"math"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
	"example.com/iprof/process/totals"
)

// errBadFrame is the error for inconsistent frames.
var errBadFrame = errors.New("process: frame with a node before its parent, of an unknown zone, " +
	"or with an id above 4 million, or something of an unknown node or counter")

// WriteFrame adds a finished frame to the session. It makes a Session a gather.Sink, for replays and tests; the running
// program calls Update. The frame is only read, and only until WriteFrame returns. An inconsistent frame changes
// nothing and is an error. A paused session throws frames away. Any goroutine may call it.
func (s *Session) WriteFrame(f *gather.Frame) error {
	if !valid(f) {
		return errBadFrame
	}
	s.lock()
	defer s.mu.Unlock()
	s.handOut(f, false)
	if s.paused {
		s.takeLate(f)
		return nil
	}
	s.gen++
	s.fed = true
	s.take(f)
	return nil
}

// valid reports whether a frame is consistent.
func valid(f *gather.Frame) bool {
	for i := range f.Lanes {
		for j := range f.Lanes[i].Nodes {
			n := &f.Lanes[i].Nodes[j]
			if n.Zone < 0 || int(n.Zone) >= len(f.Zones) || n.ID >= totals.MaxNodeID ||
				int(n.Parent) >= j || (n.Parent < 0) != (j == 0) {
				return false
			}
		}
		if !history.ValidExtras(&f.Lanes[i]) {
			return false
		}
	}
	return history.ValidValues(f)
}

// take logs a frame, and no more. Store.Digest does the rest when a report needs it.
func (s *intake) take(f *gather.Frame) {
	s.learn(f)
	s.numbers.Begin(f) // new ones take memory of the history, too
	s.fitHistory()
	if s.past.Length() >= s.past.Want { // the oldest makes room
		s.dropOldest()
	}
	p := s.past.Push()
	p.Begin(f)
	s.takeMarks(f, p)
	s.takeStates(f)
	s.past.Follow(p)
	s.rate.Add(history.RateOf(f), p.LengthMS/1000)
	s.settle(p, s.log(p, f, true))
	s.hold.Add(p.Ended, p.LengthMS)
	s.sums().Frame(f, p.CostMS)
	s.slow.Take(p)
	s.reader().KeepSlow(p)
	s.numbers.Take(f, p.Seq, s.past.First(), p.LengthMS/1000)
	if s.past.WantFull < s.past.Want {
		s.digest() // the graph's part must be derived before the records are lost
	}
	s.past.Bytes += p.Bytes()
	s.expire()
	s.stock()
	s.dropOldAside()
	s.pruneLanes()
}

// pruneLanes drops the lanes that no frame of the history mentions, if there are many.
func (s *store) pruneLanes() {
	if !s.lanes.Many() {
		return
	}
	s.lanes.Prune(func(move func(lanes []history.LaneRecords)) {
		for _, m := range []*measured{&s.measured, &s.aside.measured} {
			for seq := m.past.First(); seq < m.past.Next; seq++ {
				move(m.past.At(seq).Lanes)
			}
			for i := range m.slow.Frames {
				move(m.slow.Frames[i].Lanes)
			}
		}
	})
	s.totals.ForgetPlaces()
}

// learn takes over the parts of a frame that are of the whole program: zones, misuse, limits.
func (s *intake) learn(f *gather.Frame) {
	if len(f.Zones) < len(s.zones) { // another program's: the old ids are void
		s.forgetProgram()
	} else if s.hasOtherClock(f) {
		s.forget()
	}
	if s.fed {
		s.followEvents(f)
	}
	s.zones = s.withRoot(f.Zones)
	if s.fed {
		s.followBudgets(f)
	}
	s.misuse, s.dropped = f.Misuse, f.Dropped
	s.cost, s.limit = float64(f.ScopeCost)/totals.CostFraction, f.OverheadLimit
	s.clock = clock{Clock: f.Clock, perSecond: f.TicksPerSecond, zone: s.cost / f.TicksPerSecond * 1e9}
}

// beginning returns the running program's first frame as it is so far, for programs that never call Update. It is nil
// in other sessions, and without a valid frame.
func (s *intake) beginning() *history.Frame {
	if !s.running() {
		return nil
	}
	gather.Peek(&s.peek)
	if !valid(&s.peek) {
		return nil
	}
	s.learn(&s.peek)
	p := &s.first
	*p = p.Empty()
	s.pruneLanes()
	p.Begin(&s.peek)
	s.settle(p, s.log(p, &s.peek, false))
	s.past.Clock = 0
	return p
}

func (s *intake) forgetProgram() {
	s.forget()
	s.tree, s.lanes, s.byZone, s.touched = history.Tree{}, history.Lanes{}, nil, history.Touched{}
	s.totals.DropSeats()
	s.forgetRows()
}

// ForgetProgram forgets everything that WriteFrame has brought, names, too. Call it before the first frame of another
// program, or of another run. The running program's session is as after Reset. Any goroutine may call it.
func (s *Session) ForgetProgram() {
	if s.change(); !s.fed {
		s.mu.Unlock()
		s.Reset()
		return
	}
	defer s.mu.Unlock()
	s.forgetProgram()
	s.zones, s.hot.given = nil, nil
}

// hasOtherClock reports whether the program's clock was replaced before the frame. Then frames are numbered from 0
// again, and sums of ticks of both clocks mean nothing. A better measurement of the same clock's rate keeps the
// numbers.
func (s *store) hasOtherClock(f *gather.Frame) bool {
	p := s.past.Age(0)
	return p != nil && f.Index <= p.Index && math.Abs(history.RateOf(f)*p.PerTick/1000-1) > 0.01
}

// digest adds the frames logged since the last call to averages and series. Frames that have lost their records are
// missing in them.
func (s *store) digest() {
	if s.digested < s.past.First() {
		s.stats.Missed += s.past.First() - s.digested
		s.digested = s.past.First()
		s.live = history.Smoother{}
		s.past.Blank()
	}
	for s.digested < s.past.Next {
		s.digestNext()
	}
}

// digestNext adds one frame.
func (s *store) digestNext() {
	p := s.past.At(s.digested)
	if p.Lost {
		s.missNext()
		return
	}
	s.digested++
	s.touched.Take(p, history.EveryLane, &s.tree, len(s.zones))
	s.past.Remember(p.Seq, &s.touched, &s.tree)
	s.stats.Take(&s.tree, &s.touched, p)
	s.live.Add(p.LengthMS/1000, &s.tree, &s.touched, p.Seq)
	p.JoinedMS, _ = s.waitedFor(p)
	s.live.Length(p)
}

// sum fills s.values from a frame's records of one lane, or of all lanes: self time, count, open, errors.
func (s *store) sum(p *history.Frame, lane int32) {
	s.values = resize.To(s.values, len(s.tree.Paths))
	clear(s.values)
	s.charged.Reset()
	p.Sum(lane, func(path int32) *history.Value { return &s.values[path] }, &s.charged)
	for i := range s.values {
		s.values[i].Self *= p.PerTick
	}
}

// rise derives hierarchical times: those of parents include those of their children.
func (s *store) rise() {
	for i := range s.values {
		v := &s.values[i]
		v.Hier = v.Self
		v.Alive = v.Self != 0 || v.Count > 0 || v.Open || v.Errors > 0 || v.Extra != 0
	}
	for i := len(s.values) - 1; i > 0; i-- {
		if up := s.tree.Paths[i].Parent; up >= 0 && !s.outside(up) {
			v, above := &s.values[i], &s.values[up]
			above.Hier += v.Hier
			above.Alive = above.Alive || v.Alive
		}
	}
}

// gatherZones fills s.byZone from s.values. A zone is seen if one of its paths existed by frame seq.
func (s *store) gatherZones(seq uint64) {
	s.byZone = resize.To(s.byZone, len(s.zones))
	for i := range s.byZone {
		s.byZone[i] = history.ZoneValue{}
	}
	for i := range s.tree.Paths {
		p, v := &s.tree.Paths[i], &s.values[i]
		z := &s.byZone[p.Zone]
		z.Seen = z.Seen || p.Birth <= seq
		z.Self += v.Self
		z.Count += v.Count
		if v.Noted {
			z.Note(v)
		}
		s.charged.Merge(&z.Extra, v.Extra)
		z.Open = z.Open || v.Open
		if p.Same < 0 || s.outside(p.Same) {
			z.Hier += v.Hier
		}
		if v.Count > 0.25 || v.Hier > 0 {
			z.Depth = max(z.Depth, p.Depth)
		}
	}
}

// stock takes a little memory ahead for the zones and paths that frames which are not digested yet have.
func (s *store) stock() {
	paths, zones := len(s.tree.Paths), len(s.zones)
	ahead := history.StockBytes
	s.past.Stock(paths, zones, &ahead)
	s.stats.Stock(zones, &ahead)
	s.live.Stock(paths, zones, &ahead)
	s.touched.Stock(paths, zones, &ahead)
}

// keepUp digests frames before they lose their records. losing is the frame that loses them next. A frame that is too
// dear for that is missing in the statistics, and no other.
func (s *store) keepUp(losing uint64) {
	for s.digested <= losing && s.digested >= s.past.First() && s.digested < s.past.Next {
		p := s.past.At(s.digested)
		if !s.stats.Asked && float64(len(p.Records))*history.RecordCost > history.KeepUpShare*p.LengthMS {
			s.missNext()
			continue
		}
		s.digestNext()
	}
}

// missNext leaves the next frame out of averages and series.
func (s *store) missNext() {
	p := s.past.At(s.digested)
	s.digested++
	s.stats.Missed++
	s.past.Skip(p)
}

// appendMissed appends the warning about frames that are missing in the statistics since Reset.
func (s *builder) appendMissed(dst []string, want report.ColumnSet) []string {
	t := &s.stats
	if want.And(report.DearEver).Empty() || t.Missed == 0 {
		return dst
	}
	if t.WarningOf != t.Missed {
		t.WarningOf = t.Missed
		t.Warning = fmt.Sprintf("%d frames are not in the statistics since Reset: "+
			"they were too short to take them in while nobody looked", t.Missed)
	}
	return append(dst, t.Warning)
}
