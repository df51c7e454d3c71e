package process

import (
	"errors"
	"slices"

	"example.com/iprof/gather"
)

// value is what a path, or a zone, did in the frame or average in question; times in ms.
type value struct {
	self, hier, count float64
	errors            uint64
	variance          float64 // of self, squared, if it is estimated or has lost estimated time
	open              bool
	estimated         gather.Estimated
	extra             int32 // what it did besides taking time: a place in Session.charged
}

// zoneValue sums a zone's paths: hier counts recursion once.
type zoneValue struct {
	value
	depth  int32 // deepest recursion with anything in it
	seen   bool  // has ever been entered
	kids   bool  // something was entered from it
	listed bool  // has a row in the report being made
}

// errBadFrame is returned for frames that contradict themselves.
var errBadFrame = errors.New("process: frame with a node before its parent, of an unknown zone, or with an id above 4 million, or something of an unknown node or counter")

// WriteFrame takes in a finished frame: it makes a Session a gather.Sink, for replays and tests; Update does it for the
// running program. The frame is only read, and only until WriteFrame returns. Frames that contradict themselves are refused
// whole. While paused frames are thrown away.
func (s *Session) WriteFrame(f *gather.Frame) error {
	if !valid(f) {
		return errBadFrame
	}
	s.lock()
	defer s.mu.Unlock()
	if s.paused {
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
			if n.Zone < 0 || int(n.Zone) >= len(f.Zones) || n.ID >= maxNodeID || int(n.Parent) >= j || (n.Parent < 0) != (j == 0) {
				return false
			}
		}
		if !validExtras(&f.Lanes[i]) {
			return false
		}
	}
	return validValues(f)
}

// take logs a frame, and no more than that: the rest is digest's, when somebody looks.
func (s *Session) take(f *gather.Frame) {
	s.learn(f)
	if s.past.length() == len(s.past.frames) { // the oldest makes room
		s.keepUp(s.past.first())
	}
	p := s.past.push()
	p.begin(f)
	s.rate.add(rateOf(f), p.length/1000)
	s.settle(p, s.log(p, f, true))
	s.hold.add(p.ended, p.length)
	s.totals.frame(s, f, p.cost)
	s.slow.take(p)
	s.numbers.take(f, p.seq, len(s.past.frames), p.length/1000)
	if s.past.full < len(s.past.frames) {
		s.digest() // the graph's part must be derived before the records are lost
	}
	s.past.bytes += p.bytes()
	s.expire()
	s.lanes.prune(s)
}

// learn takes over what a frame says of the whole program.
func (s *Session) learn(f *gather.Frame) {
	if len(f.Zones) < len(s.zones) { // another program's: nothing of the old one's ids holds
		s.forget()
		s.tree, s.lanes, s.byZone, s.seats = tree{}, lanes{}, nil, seats{}
		s.rows = rows{}
	}
	s.zones = f.Zones
	s.misuse, s.dropped = f.Misuse, f.Dropped
	s.cost, s.limit = float64(f.ScopeCost)/costFraction, f.OverheadLimit
}

// digest brings averages and traces up to date with the frames that were logged since somebody last looked. Of those that have
// lost their records meanwhile nothing is shown.
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

// digestNext is digest for one frame.
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
	s.stats.take(s, p)
	s.live.add(p.length/1000, &s.tree, s.values, s.byZone)
	s.live.charge(p.length/1000, &s.tree, s.values, s.charged)
	s.live.length(p)
}

// everyLane asks for all lanes merged.
const everyLane = -1

// sum fills s.values from a frame's records of one lane, or of all: self, count, open, errors; then hier. In the merged view
// the root is the updating lane's alone, since time outside zones on other lanes is idle.
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

// sumExtras adds what few nodes have.
func (s *Session) sumExtras(p *pastFrame, lane int32) {
	for i := range p.extras {
		x := &p.extras[i]
		r, l := &p.records[x.Node], p.laneOf(x.Node)
		if lane >= 0 && l.place != lane || lane < 0 && x.Node == l.from && !l.updater {
			continue
		}
		v := &s.values[r.path&pathMask]
		v.count += float64(x.More) * (1 << 32)
		v.errors += uint64(x.Errors)
		v.variance, v.estimated = v.variance+x.Variance*p.perTick*p.perTick, max(v.estimated, x.Estimated)
		if c := chargesOf(x, 1); c != (Charges{}) {
			s.charged.add(&v.extra, &c)
		}
	}
}

// rise derives hierarchical time: what is below a path adds up in it.
func (s *Session) rise() {
	for i := range s.values {
		s.values[i].hier = s.values[i].self
	}
	for i := len(s.values) - 1; i > 0; i-- {
		if up := s.tree.paths[i].parent; up >= 0 && !s.outside(up) {
			s.values[up].hier += s.values[i].hier
		}
	}
}

// gatherZones fills s.byZone from s.values. A zone has been seen if one of its paths was born by that frame.
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
		z.errors += v.errors
		z.variance, z.estimated = z.variance+v.variance, max(z.estimated, v.estimated)
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

// resized returns a slice of n values, keeping what is there.
func resized[T any](s []T, n int) []T {
	return slices.Grow(s, max(n-len(s), 0))[:n]
}
