package process

import (
	"errors"
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
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

func valid(f *gather.Frame) bool {
	for i := range f.Lanes {
		for j := range f.Lanes[i].Nodes {
			n := &f.Lanes[i].Nodes[j]
			if n.Zone < 0 || int(n.Zone) >= len(f.Zones) || n.ID >= maxNodeID ||
				int(n.Parent) >= j || (n.Parent < 0) != (j == 0) {
				return false
			}
		}
		if !validExtras(&f.Lanes[i]) {
			return false
		}
	}
	return validValues(f)
}

// take logs a frame, and no more. digest does the rest when a report needs it.
func (s *Session) take(f *gather.Frame) {
	s.learn(f)
	s.numbers.begin(f) // new ones take memory of the history, too
	s.fitHistory()
	if s.past.length() == len(s.past.frames) { // the oldest makes room
		s.keepUp(s.past.first())
	}
	p := s.past.push()
	p.begin(f)
	s.takeMarks(f, p)
	s.takeStates(f)
	s.past.follow(p)
	s.rate.add(rateOf(f), p.length/1000)
	s.settle(p, s.log(p, f, true))
	s.hold.add(p.ended, p.length)
	s.sums().frame(f, p.cost)
	s.slow.take(p)
	s.reader().keepSlow(p)
	s.numbers.take(f, p.seq, len(s.past.frames), p.length/1000)
	if s.past.full < len(s.past.frames) {
		s.digest() // the graph's part must be derived before the records are lost
	}
	s.past.bytes += p.bytes()
	s.expire()
	s.dropOldAside()
	s.pruneLanes()
}

// pruneLanes drops the lanes that no frame of the history mentions, if there are many.
func (s *Session) pruneLanes() {
	if !s.lanes.many() {
		return
	}
	s.lanes.prune(func(move func(lanes []laneRecords)) {
		for _, m := range []*measured{&s.measured, &s.aside.measured} {
			for seq := m.past.first(); seq < m.past.next; seq++ {
				move(m.past.at(seq).lanes)
			}
			for i := range m.slow.frames {
				move(m.slow.frames[i].lanes)
			}
		}
	})
	s.totals.forgetPlaces()
}

// learn takes over the parts of a frame that are of the whole program: zones, misuse, limits.
func (s *Session) learn(f *gather.Frame) {
	if len(f.Zones) < len(s.zones) { // another program's: the old ids are void
		s.forgetProgram()
	} else if s.hasOtherClock(f) {
		s.forget()
	}
	s.zones = s.withRoot(f.Zones)
	s.misuse, s.dropped = f.Misuse, f.Dropped
	s.cost, s.limit = float64(f.ScopeCost)/costFraction, f.OverheadLimit
	s.clock = clock{f.Clock, f.TicksPerSecond, s.cost / f.TicksPerSecond * 1e9}
}

func (s *Session) forgetProgram() {
	s.forget()
	s.tree, s.lanes, s.byZone = tree{}, lanes{}, nil
	s.totals.dropSeats()
	s.rows, s.compared, s.arranger = rows{}, Comparison{}, Arranger{}
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
func (s *Session) hasOtherClock(f *gather.Frame) bool {
	p := s.past.age(0)
	return p != nil && f.Index <= p.Index && math.Abs(rateOf(f)*p.perTick/1000-1) > 0.01
}

// digest adds the frames logged since the last call to averages and traces. Frames that have lost their records are
// missing in them.
func (s *Session) digest() {
	if s.digested < s.past.first() {
		s.stats.missed += s.past.first() - s.digested
		s.digested = s.past.first()
		s.live = smoother{}
		s.past.blank()
	}
	for s.digested < s.past.next {
		s.digestNext()
	}
}

// digestNext adds one frame.
func (s *Session) digestNext() {
	p := s.past.at(s.digested)
	s.digested++
	if p.lost {
		s.stats.missed++
		s.past.skip(p)
		return
	}
	s.sum(p, everyLane)
	s.rise()
	if len(s.values) > 0 {
		s.values[0].hier = p.span
	}
	s.gatherZones(p.seq)
	s.past.remember(p.seq, s.values, s.byZone)
	s.stats.take(&s.tree, s.values, s.byZone, p)
	s.live.add(p.length/1000, &s.tree, s.values, s.byZone)
	s.live.charge(p.length/1000, &s.tree, s.values, s.charged)
	p.joined, _ = s.waitedFor(p)
	s.live.length(p)
}

// everyLane is the index of all lanes merged.
const everyLane = -1

// sum fills s.values from a frame's records of one lane, or of all lanes: self time, count, open, errors. In the merged
// view the root is the updating lane's alone, because time outside zones on other lanes is idle.
func (s *Session) sum(p *pastFrame, lane int32) {
	s.values = resized(s.values, len(s.tree.paths))
	clear(s.values)
	s.charged.reset()
	for _, l := range p.lanes {
		if lane >= 0 && l.place != lane {
			continue
		}
		records := p.records[l.from:l.to]
		if lane < 0 && !l.updater {
			records = records[1:]
		}
		for i := range records {
			r := &records[i]
			v := &s.values[r.path&pathMask]
			v.self += float64(r.self)
			v.count += float64(r.count)
			v.open = v.open || r.path&openBit != 0
		}
	}
	s.sumExtras(p, lane)
	for i := range s.values {
		s.values[i].self *= p.perTick
	}
}

// sumExtras adds the rare numbers of nodes.
func (s *Session) sumExtras(p *pastFrame, lane int32) {
	for i := range p.extras {
		x := &p.extras[i]
		r, l := &p.records[x.Node], p.laneOf(x.Node)
		if lane >= 0 && l.place != lane || lane < 0 && x.Node == l.from && !l.updater {
			continue
		}
		v := &s.values[r.path&pathMask]
		v.count += float64(x.More) * (1 << 32)
		v.note(&value{errors: x.Errors, variance: x.Variance * p.perTick * p.perTick, estimated: x.Estimated,
			age: float32(float64(x.Age) * p.perTick)})
		if c := report.ChargesOf(x, 1); c != (Charges{}) {
			s.charged.add(&v.extra, &c)
		}
	}
}

// rise derives hierarchical times: those of parents include those of their children.
func (s *Session) rise() {
	for i := range s.values {
		v := &s.values[i]
		v.hier = v.self
		v.alive = v.self != 0 || v.count > 0 || v.open || v.errors > 0 || v.extra != 0
	}
	for i := len(s.values) - 1; i > 0; i-- {
		if up := s.tree.paths[i].parent; up >= 0 && !s.outside(up) {
			v, above := &s.values[i], &s.values[up]
			above.hier += v.hier
			above.alive = above.alive || v.alive
		}
	}
}

// gatherZones fills s.byZone from s.values. A zone is seen if one of its paths existed by frame seq.
func (s *Session) gatherZones(seq uint64) {
	s.byZone = resized(s.byZone, len(s.zones))
	for i := range s.byZone {
		s.byZone[i] = zoneValue{}
	}
	for i := range s.tree.paths {
		p, v := &s.tree.paths[i], &s.values[i]
		z := &s.byZone[p.zone]
		z.seen = z.seen || p.birth <= seq
		z.self += v.self
		z.count += v.count
		if v.noted {
			z.note(v)
		}
		s.charged.merge(&z.extra, v.extra)
		z.open = z.open || v.open
		if p.same < 0 || s.outside(p.same) {
			z.hier += v.hier
		}
		if v.count > 0.25 || v.hier > 0 {
			z.depth = max(z.depth, p.depth)
		}
	}
}

// resized returns a slice of n values and keeps the existing ones.
func resized[T any](s []T, n int) []T {
	return slices.Grow(s, max(n-len(s), 0))[:n]
}
