package history

import "example.com/iprof/process/report"

// Statistics are the statistics since start or Reset, by zone and path: sketches of self and hierarchical time per
// frame, and the greatest times of the last seconds. digest feeds them.
//
// A zone with only one path has the same statistics as that path, so they are kept once. When the zone gets a second
// path, the first path gets a copy.
type Statistics struct {
	Frames    uint64 // number of frames in the statistics
	Missed    uint64 // number of frames that lost their records before digest
	Asked     bool   // some report or Dump has shown statistics since Reset
	Zones     []pathStats
	paths     []*pathStats // of zones with several paths; else nil
	Only      []int32      // by zone: its only path, unmet or severalPaths
	Known     int          // number of paths entered in only
	bytes     int          // of all counts
	tenth     uint64       // of the latest frame, on the history's clock
	Warning   string       // about missed, when it was warningOf
	WarningOf uint64
}

const (
	unmet        = -1
	SeveralPaths = -2
	holdTenths   = holdSeconds*10 + 1 // the current tenth of a second, and five seconds before it
)

// pathStats are the statistics of one zone or path.
type pathStats struct {
	Born       uint64 // stats.frames when it was first seen
	Self, Hier sketch
	held       [holdTenths]float32 // greatest hierarchical time by tenth of a second, ms
}

// Take adds a frame, from the values by path and by zone.
func (t *Statistics) Take(paths *Tree, values []Value, byZone []ZoneValue, p *Frame) {
	t.turn(p.Ended)
	t.meet(paths, len(byZone), p.Seq)
	for i := range byZone {
		if v := &byZone[i]; v.Seen && v.Hier > 0 {
			t.Zones[i].add(&v.Value, t)
		}
	}
	for i, to := range t.paths {
		if v := &values[i]; to != nil && v.Hier > 0 {
			to.add(v, t)
		}
	}
	t.Frames++
}

func (p *pathStats) add(v *Value, t *Statistics) {
	p.Hier.add(v.Hier, &t.bytes)
	if v.Self > 0 {
		p.Self.add(v.Self, &t.bytes)
	}
	at := t.tenth % holdTenths
	p.held[at] = max(p.held[at], float32(v.Hier))
}

// turn clears the tenths of a second that have passed since the last frame, up to the current one.
func (t *Statistics) turn(seconds float64) {
	now := uint64(max(seconds, 0) * 10)
	if passed := min(now-min(t.tenth, now), holdTenths); passed > 0 {
		for i := range t.Zones {
			t.Zones[i].turn(now, passed)
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
func (t *Statistics) meet(tree *Tree, zones int, seq uint64) {
	for len(t.Zones) < zones {
		t.Zones = append(t.Zones, pathStats{Born: t.Frames})
		t.Only = append(t.Only, unmet)
	}
	for ; t.Known < len(tree.Paths) && tree.Paths[t.Known].Birth <= seq; t.Known++ {
		t.paths = append(t.paths, nil)
		id, zone := int32(t.Known), tree.Paths[t.Known].Zone
		switch first := t.Only[zone]; first {
		case unmet:
			t.Only[zone] = id
			t.Zones[zone].Born = t.Frames
		case SeveralPaths:
			t.own(id, &pathStats{Born: t.Frames})
		default:
			t.Only[zone] = SeveralPaths
			t.own(first, t.Zones[zone].copyOf(t))
			t.own(id, &pathStats{Born: t.Frames})
		}
	}
}

// own gives a path its own statistics, if its id is below tracedPaths.
func (t *Statistics) own(path int32, p *pathStats) {
	if path < TracedPaths {
		t.paths[path] = p
	}
}

func (p *pathStats) copyOf(t *Statistics) *pathStats {
	c := *p
	c.Self, c.Hier = p.Self.copyOf(&t.bytes), p.Hier.copyOf(&t.bytes)
	return &c
}

// Of returns the statistics of a path, or of a zone for path -1, or nil.
func (t *Statistics) Of(zone report.ZoneID, path int32) *pathStats {
	switch {
	case int(zone) >= len(t.Zones):
		return nil
	case path < 0 || int(path) < t.Known && t.Only[zone] == path:
		return &t.Zones[zone]
	case int(path) < t.Known:
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

// Fill sets the values of a record that are since start or Reset.
func (t *Statistics) Fill(out *report.Record, p *pathStats, want report.ColumnSet) {
	if want.Has(report.ColumnMaxHold) {
		out.Put(report.ColumnMaxHold, float64(p.hold()))
	}
	frames := t.Frames - p.Born
	for _, k := range [...]struct {
		of      *sketch
		columns *report.StatColumns
	}{{&p.Hier, &report.EverHier}, {&p.Self, &report.EverSelf}} {
		possible := want
		if k.of.short {
			possible = possible.Without(quantiles(k.columns))
		}
		k.columns.Fill(out, possible, func(s report.Statistic) float64 { return k.of.of(s, frames) })
	}
}

func quantiles(c *report.StatColumns) report.ColumnSet {
	return report.ColumnsOf(c[report.StatP50:]...)
}

// The limit for the cost of digesting a frame while nobody asks for reports: recordCost for each record may be up to
// keepUpShare of the frame's length. Beyond that, the frame is missing in the statistics since Reset, and counted as
// missing, until somebody asks for these statistics. While somebody reads reports, each frame is digested and none is
// missing.
const (
	RecordCost  = 60e-6 // ms
	KeepUpShare = 0.005
)
