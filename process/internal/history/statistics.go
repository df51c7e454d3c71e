package history

import (
	"math"
	"unsafe"

	"example.com/iprof/process/report"
)

// Statistics has the statistics since start or Reset, by zone and path: sketches of self and hierarchical time per
// frame, and the greatest times of the last seconds. digest feeds it.
//
// A zone with only one path shares the statistics of that path. When the zone gets a second path, the first path gets a
// copy.
type Statistics struct {
	Frames    uint64 // number of frames in the statistics
	Missed    uint64 // number of frames that lost their records before digest
	Asked     bool   // some report or Dump has shown statistics since Reset
	Zones     List[pathStats]
	paths     List[*pathStats] // for paths of zones with several paths; else nil
	Only      []int32          // by zone: its only path, unmet or SeveralPaths
	Known     int              // number of paths entered in Only
	counts    countMemory
	tenth     uint64 // tenth of a second of the latest frame, on the history's clock
	Warning   string // text about Missed, for Missed equal to WarningOf
	WarningOf uint64
}

const (
	unmet        = -1
	SeveralPaths = -2
	holdTenths   = holdSeconds*10 + 1 // the current tenth of a second, and five seconds before it
)

// Memory returns the memory of the statistics, about.
func (t *Statistics) Memory() int {
	return t.counts.bytes() + (t.Zones.Len()+t.paths.Len())*int(unsafe.Sizeof(pathStats{}))
}

// pathStats has the statistics of one zone or path.
type pathStats struct {
	Born    uint64 // Statistics.Frames when it was first seen
	Hier    sketch
	self    sketch              // if inner; else Hier has the self times, too
	inner   bool                // time of zones inside it was known in some frame
	tenth   uint64              // Statistics.tenth at the last update of held
	longest [holdTenths]float32 // greatest hierarchical time by tenth of a second, ms
}

// Self returns the statistics of self times.
func (p *pathStats) Self() *sketch {
	if p.inner {
		return &p.self
	}
	return &p.Hier
}

// split gives the self times their own statistics.
func (p *pathStats) split(memory *countMemory) {
	if !p.inner {
		p.self, p.inner = p.Hier.copyOf(memory), true
	}
}

// Take adds a frame.
func (t *Statistics) Take(paths *Tree, of *Touched, p *Frame) {
	t.tenth = max(t.tenth, uint64(max(p.Ended, 0)*10))
	t.meet(paths, p.Seq)
	of.zoneSet.each(func(zone int32) {
		if v := of.zones.At(int(zone)); v.Hier > 0 {
			t.Zones.At(int(zone)).add(&v.Value, t)
		}
	})
	of.paths.each(func(path int32) {
		if int(path) >= t.paths.Len() {
			return
		}
		v := of.values.At(int(path))
		to := *t.paths.At(int(path))
		if to != nil && v.Hier > 0 {
			to.add(v, t)
		}
	})
	t.Frames++
}

// Stock takes memory ahead for the known zones: see List.Stock.
func (t *Statistics) Stock(zones int, ahead *int) {
	t.Zones.Stock(zones, ahead)
	t.counts.Stock(usualPages*zones, ahead)
}

// usualPages is the number of pages that a zone takes in its first frames: two for its first one, four for the others.
const usualPages = 6

func (p *pathStats) add(v *Value, t *Statistics) {
	if v.Self != v.Hier {
		p.split(&t.counts)
	}
	if p.Hier.add(v.Hier, &t.counts); p.inner && v.Self > 0 {
		p.self.add(v.Self, &t.counts)
	}
	p.turnTo(t.tenth)
	at := t.tenth % holdTenths
	p.longest[at] = max(p.longest[at], float32(v.Hier))
}

// turnTo empties the tenths of a second that have passed since the last time.
func (p *pathStats) turnTo(now uint64) {
	if passed := min(now-min(p.tenth, now), holdTenths); passed > 0 {
		p.turn(now, passed)
	}
	p.tenth = max(p.tenth, now)
}

// turn empties passed tenths of a second, up to the present one.
func (p *pathStats) turn(now, passed uint64) {
	first := (now - passed + 1) % holdTenths
	end := first + passed
	clear(p.longest[first:min(end, holdTenths)])
	if end > holdTenths {
		clear(p.longest[:end-holdTenths])
	}
}

// meet makes room for zones and paths that are new in a frame. The tree may have paths of later frames.
func (t *Statistics) meet(tree *Tree, seq uint64) {
	for ; t.Known < len(tree.Paths) && tree.Paths[t.Known].Birth <= seq; t.Known++ {
		t.paths.Grow(min(t.Known+1, pathsWithSeries))
		id, zone := int32(t.Known), tree.Paths[t.Known].Zone
		for i := t.Zones.Grow(int(zone) + 1); i <= int(zone); i++ {
			t.Zones.At(i).Born = t.Frames
			t.Only = append(t.Only, unmet)
		}
		switch first := t.Only[zone]; first {
		case unmet:
			t.Only[zone] = id
			t.Zones.At(int(zone)).Born = t.Frames
		case SeveralPaths:
			t.own(id, &pathStats{Born: t.Frames})
		default:
			t.Only[zone] = SeveralPaths
			t.own(first, t.Zones.At(int(zone)).copyOf(t))
			t.own(id, &pathStats{Born: t.Frames})
		}
	}
}

// own gives a path its own statistics, if its id is below pathsWithSeries.
func (t *Statistics) own(path int32, p *pathStats) {
	if path < pathsWithSeries {
		*t.paths.At(int(path)) = p
	}
}

func (p *pathStats) copyOf(t *Statistics) *pathStats {
	c := *p
	if c.Hier = p.Hier.copyOf(&t.counts); p.inner {
		c.self = p.self.copyOf(&t.counts)
	}
	return &c
}

// Of returns the statistics of a path, or of the zone if path is -1, or nil.
func (t *Statistics) Of(zone report.ZoneID, path int32) *pathStats {
	switch {
	case int(zone) >= t.Zones.Len():
		return nil
	case path < 0 || int(path) < t.Known && t.Only[zone] == path:
		return t.Zones.At(int(zone))
	case int(path) < t.paths.Len():
		return *t.paths.At(int(path))
	}
	return nil
}

// hold returns the greatest hierarchical time of a frame in the last five seconds, to a tenth of a second.
func (p *pathStats) hold(now uint64) (most float32) {
	p.turnTo(now)
	for _, v := range p.longest {
		most = max(most, v)
	}
	return most
}

// Fill sets the values of a record since start or Reset.
func (t *Statistics) Fill(out *report.Record, p *pathStats, want report.ColumnSet) {
	if want.Has(report.ColumnMaxHold) {
		out.Put(report.ColumnMaxHold, float64(p.hold(t.tenth)))
	}
	p.fill(out, t.Frames-p.Born, want, &EverHier, &EverSelf)
}

// FillHistory sets the columns of the history of a record from these statistics over frames frames.
func (p *pathStats) FillHistory(out *report.Record, frames uint64, want report.ColumnSet) {
	p.fill(out, frames, want, &HistoryHier, &HistorySelf)
}

func (p *pathStats) fill(out *report.Record, frames uint64, want report.ColumnSet, hier, self *StatColumns) {
	for _, k := range [...]struct {
		of      *sketch
		columns *StatColumns
	}{{&p.Hier, hier}, {p.Self(), self}} {
		possible := want
		if k.of.short {
			possible = possible.Without(quantiles(k.columns))
		}
		k.columns.Fill(out, possible, func(s Statistic) float64 { return k.of.of(s, frames) })
	}
}

// Merge adds the statistics of other frames. paths maps the other's paths to paths of the tree, which has the paths of
// both.
func (t *Statistics) Merge(o *Statistics, tree *Tree, paths []int32) {
	t.meet(tree, math.MaxUint64)
	for zone := range o.Zones.Len() {
		t.Zones.At(zone).merge(o.Zones.At(zone), t)
	}
	for path := range o.Known {
		if int(paths[path]) >= t.paths.Len() {
			continue
		}
		if to := *t.paths.At(int(paths[path])); to != nil {
			if from := o.Of(tree.Paths[paths[path]].Zone, int32(path)); from != nil {
				to.merge(from, t)
			}
		}
	}
	t.Frames += o.Frames
}

func (p *pathStats) merge(o *pathStats, t *Statistics) {
	if o.inner {
		p.split(&t.counts)
	}
	if p.Hier.merge(&o.Hier, &t.counts); p.inner {
		p.self.merge(o.Self(), &t.counts)
	}
}

func quantiles(c *StatColumns) report.ColumnSet {
	return report.ColumnsOf(c[StatP50:]...)
}

// Spare is the time that digesting frames may take while no reports are read. Time adds keepUpShare of itself, and a
// digested frame takes recordCost for each of its records. What quiet frames leave is kept, up to spareMost, so that a
// crowded frame now and then is digested, too. A frame beyond that is missing in the statistics since Reset and counted
// as missing, until these statistics are requested. While reports are read, each frame is digested and none is missing.
type Spare struct {
	credit float64 // ms
	clock  float64 // seconds, of the history
}

// recordCost and spareMost are in milliseconds. BenchmarkDigest in package process measures the cost of a record.
const (
	recordCost  = 120e-6
	keepUpShare = 0.01
	spareMost   = 1
)

// Takes reports whether a frame's records can be digested by the time clock of the history. If so, their cost is taken.
func (s *Spare) Takes(p *Frame, clock float64) bool {
	s.credit, s.clock = min(s.credit+keepUpShare*1000*(clock-s.clock), spareMost), clock
	cost := float64(len(p.Records)) * recordCost
	if cost > max(s.credit, keepUpShare*p.LengthMS) {
		return false
	}
	s.credit = max(s.credit-cost, 0)
	return true
}

// Clear takes what is left.
func (s *Spare) Clear(clock float64) { *s = Spare{clock: clock} }
