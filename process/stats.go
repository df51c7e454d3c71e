package process

import "fmt"

// stats are the statistics since start or Reset: sketches of self and hierarchical time per frame, and what the last seconds
// held, of each zone and path. digest feeds them.
//
// A zone that has one path only is the same as that path: it is counted once. When a second path of it appears, the first
// gets a copy.
type stats struct {
	frames uint64 // taken in
	missed uint64 // frames that could not be: they had lost their records before somebody looked
	asked  bool   // somebody has, for statistics since Reset
	zones  []pathStats
	paths  []*pathStats // of zones with several paths; else nil
	only   []int32      // by zone: its only path; none or several
	known  int          // paths that only has taken notice of
	bytes  int          // of all counts
	tenth  uint64       // of the latest frame, on the history's clock
	told   string       // of missed, when it was toldOf
	toldOf uint64
}

const (
	unmet        = -1
	severalPaths = -2
	holdTenths   = holdSeconds*10 + 1 // the present one, and five seconds before it
)

// pathStats are those of one zone or path.
type pathStats struct {
	born       uint64 // stats.frames when it was first seen
	self, hier sketch
	held       [holdTenths]float32 // greatest hierarchical time by tenth of a second, ms
}

// take counts a frame: values by path, and by zone.
func (t *stats) take(s *Session, p *pastFrame) {
	t.turn(p.ended)
	t.meet(&s.tree, len(s.byZone))
	for i := range s.byZone {
		if v := &s.byZone[i]; v.seen && v.hier > 0 {
			t.zones[i].add(&v.value, t)
		}
	}
	for i, to := range t.paths {
		if v := &s.values[i]; to != nil && v.hier > 0 {
			to.add(v, t)
		}
	}
	t.frames++
}

func (p *pathStats) add(v *value, t *stats) {
	p.hier.add(v.hier, &t.bytes)
	if v.self > 0 {
		p.self.add(v.self, &t.bytes)
	}
	at := t.tenth % holdTenths
	p.held[at] = max(p.held[at], float32(v.hier))
}

// turn empties the tenths of a second that have passed since the last frame, up to the one that now is.
func (t *stats) turn(seconds float64) {
	now := uint64(max(seconds, 0) * 10)
	if passed := min(now-min(t.tenth, now), holdTenths); passed > 0 {
		for i := range t.zones {
			t.zones[i].turn(now, passed)
		}
		for _, p := range t.paths {
			if p != nil {
				p.turn(now, passed)
			}
		}
	}
	t.tenth = max(t.tenth, now)
}

// turn empties so many tenths of a second, up to the one that now is.
func (p *pathStats) turn(now, passed uint64) {
	first := (now - passed + 1) % holdTenths
	end := first + passed
	clear(p.held[first:min(end, holdTenths)])
	if end > holdTenths {
		clear(p.held[:end-holdTenths])
	}
}

// meet makes room for zones and paths that are new.
func (t *stats) meet(tree *tree, zones int) {
	for len(t.zones) < zones {
		t.zones = append(t.zones, pathStats{born: t.frames})
		t.only = append(t.only, unmet)
	}
	for ; t.known < len(tree.paths); t.known++ {
		t.paths = append(t.paths, nil)
		id, zone := int32(t.known), tree.paths[t.known].zone
		switch first := t.only[zone]; first {
		case unmet:
			t.only[zone] = id
			t.zones[zone].born = t.frames
		case severalPaths:
			t.own(id, &pathStats{born: t.frames})
		default:
			t.only[zone] = severalPaths
			t.own(first, t.zones[zone].copyOf(t))
			t.own(id, &pathStats{born: t.frames})
		}
	}
}

// own gives a path statistics of its own, as far as paths have any.
func (t *stats) own(path int32, p *pathStats) {
	if path < tracedPaths {
		t.paths[path] = p
	}
}

func (p *pathStats) copyOf(t *stats) *pathStats {
	c := *p
	c.self, c.hier = p.self.copyOf(&t.bytes), p.hier.copyOf(&t.bytes)
	return &c
}

// of returns a path's statistics, or a zone's for path -1; nil where there are none.
func (t *stats) of(zone, path int32) *pathStats {
	switch {
	case int(zone) >= len(t.zones):
		return nil
	case path < 0 || int(path) < t.known && t.only[zone] == path:
		return &t.zones[zone]
	case int(path) < t.known:
		return t.paths[path]
	}
	return nil
}

// hold is the greatest hierarchical time of a frame in the last five seconds, to a tenth of a second.
func (p *pathStats) hold() (most float32) {
	for _, v := range p.held {
		most = max(most, v)
	}
	return most
}

// fill sets the values of a record that are since start or Reset.
func (t *stats) fill(out *Record, p *pathStats, want ColumnSet) {
	if want.Has(ColumnMaxHold) {
		out.put(ColumnMaxHold, float64(p.hold()))
	}
	frames := t.frames - p.born
	for _, k := range [...]struct {
		of      *sketch
		columns *statColumns
	}{{&p.hier, &everHier}, {&p.self, &everSelf}} {
		possible := want
		if k.of.short {
			possible &^= quantiles(k.columns)
		}
		k.columns.fill(out, possible, func(s statistic) float64 { return k.of.of(s, frames) })
	}
}

func quantiles(c *statColumns) ColumnSet { return ColumnsOf(c[statP50:]...) }

// What taking in a frame that nobody has looked at may cost: so much is reckoned for a record, against that share of the
// frame. Beyond it, it is left out of the statistics since Reset, and counted, until somebody asks for these. Whoever looks
// at reports pays for each frame as it comes, and misses none.
const (
	recordCost  = 60e-6 // ms
	keepUpShare = 0.005
)

// keepUp takes in the frames, up to the one that is to lose its records next, that nobody has looked at.
func (s *Session) keepUp(losing uint64) {
	for s.digested <= losing && s.digested >= s.past.first() && s.digested < s.past.next {
		p := s.past.at(s.digested)
		if !s.stats.asked && float64(len(p.records))*recordCost > keepUpShare*p.length {
			return
		}
		s.digestNext()
	}
}

// appendMissed says how many frames the statistics since Reset are without.
func (s *Session) appendMissed(dst []string, want ColumnSet) []string {
	t := &s.stats
	if want&dearEver == 0 || t.missed == 0 {
		return dst
	}
	if t.toldOf != t.missed {
		t.toldOf = t.missed
		t.told = fmt.Sprintf("%d frames are not in the statistics since Reset: they were too short to take them in while nobody looked", t.missed)
	}
	return append(dst, t.told)
}
