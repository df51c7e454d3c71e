package process

import (
	"fmt"

	"example.com/iprof/process/report"
)

// stats are the statistics since start or Reset, by zone and path: sketches of self and hierarchical time per frame,
// and the greatest times of the last seconds. digest feeds them.
//
// A zone with only one path has the same statistics as that path, so they are kept once. When the zone gets a second
// path, the first path gets a copy.
type stats struct {
	frames    uint64 // number of frames in the statistics
	missed    uint64 // number of frames that lost their records before digest
	asked     bool   // some report or Dump has shown statistics since Reset
	zones     []pathStats
	paths     []*pathStats // of zones with several paths; else nil
	only      []int32      // by zone: its only path, unmet or severalPaths
	known     int          // number of paths entered in only
	bytes     int          // of all counts
	tenth     uint64       // of the latest frame, on the history's clock
	warning   string       // about missed, when it was warningOf
	warningOf uint64
}

const (
	unmet        = -1
	severalPaths = -2
	holdTenths   = holdSeconds*10 + 1 // the current tenth of a second, and five seconds before it
)

// pathStats are the statistics of one zone or path.
type pathStats struct {
	born       uint64 // stats.frames when it was first seen
	self, hier sketch
	held       [holdTenths]float32 // greatest hierarchical time by tenth of a second, ms
}

// take adds a frame, from the values by path and by zone.
func (t *stats) take(paths *tree, values []value, byZone []zoneValue, p *pastFrame) {
	t.turn(p.ended)
	t.meet(paths, len(byZone), p.seq)
	for i := range byZone {
		if v := &byZone[i]; v.seen && v.hier > 0 {
			t.zones[i].add(&v.value, t)
		}
	}
	for i, to := range t.paths {
		if v := &values[i]; to != nil && v.hier > 0 {
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

// turn clears the tenths of a second that have passed since the last frame, up to the current one.
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

// meet makes room for zones and paths that are new in a frame. The tree may have paths of later frames.
func (t *stats) meet(tree *tree, zones int, seq uint64) {
	for len(t.zones) < zones {
		t.zones = append(t.zones, pathStats{born: t.frames})
		t.only = append(t.only, unmet)
	}
	for ; t.known < len(tree.paths) && tree.paths[t.known].birth <= seq; t.known++ {
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

// own gives a path its own statistics, if its id is below tracedPaths.
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

// of returns the statistics of a path, or of a zone for path -1, or nil.
func (t *stats) of(zone ZoneID, path int32) *pathStats {
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
		out.Put(ColumnMaxHold, float64(p.hold()))
	}
	frames := t.frames - p.born
	for _, k := range [...]struct {
		of      *sketch
		columns *report.StatColumns
	}{{&p.hier, &report.EverHier}, {&p.self, &report.EverSelf}} {
		possible := want
		if k.of.short {
			possible = possible.Without(quantiles(k.columns))
		}
		k.columns.Fill(out, possible, func(s report.Statistic) float64 { return k.of.of(s, frames) })
	}
}

func quantiles(c *report.StatColumns) ColumnSet { return ColumnsOf(c[report.StatP50:]...) }

// The limit for the cost of digesting a frame while nobody asks for reports: recordCost for each record may be up to
// keepUpShare of the frame's length. Beyond that, the frame is missing in the statistics since Reset, and counted as
// missing, until somebody asks for these statistics. While somebody reads reports, each frame is digested and none is
// missing.
const (
	recordCost  = 60e-6 // ms
	keepUpShare = 0.005
)

// keepUp digests frames before they lose their records. losing is the frame that loses them next.
func (s *Session) keepUp(losing uint64) {
	for s.digested <= losing && s.digested >= s.past.first() && s.digested < s.past.next {
		p := s.past.at(s.digested)
		if !s.stats.asked && float64(len(p.records))*recordCost > keepUpShare*p.length {
			return
		}
		s.digestNext()
	}
}

// appendMissed appends the warning about frames that are missing in the statistics since Reset.
func (s *Session) appendMissed(dst []string, want ColumnSet) []string {
	t := &s.stats
	if want.And(report.DearEver).Empty() || t.missed == 0 {
		return dst
	}
	if t.warningOf != t.missed {
		t.warningOf = t.missed
		t.warning = fmt.Sprintf("%d frames are not in the statistics since Reset: "+
			"they were too short to take them in while nobody looked", t.missed)
	}
	return append(dst, t.warning)
}
