package console

import (
	"math"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// logger remembers the last look at the totals. It counts in ticks: milliseconds since the start change whenever the clock's
// rate is known better, and what is looked for is a small difference.
type logger struct {
	zones []*gather.Zone
	lanes int // that may have lines
	was   map[laneZone]inside
	sums  map[int32]inside // of all lanes, by zone
	ran   int64            // ticks
}

// inside is the time in a zone, in ticks, and the entries.
type inside struct{ ticks, calls int64 }

type laneZone struct {
	lane uint64
	zone int32
}

// laneLine is what one lane did in a zone since the last look.
type laneLine struct {
	laneZone
	name string
	inside
}

func newLogger(zones []*gather.Zone, lanes int) *logger { return &logger{zones: zones, lanes: lanes} }

// look returns the lines for what has happened since the last look. The first look has none.
func (l *logger) look(d *process.Dump) string {
	first := l.was == nil
	run := int64(math.Round(d.RunTime.Seconds() * d.TicksPerSecond))
	if run < l.ran { // Reset
		*l = *newLogger(l.zones, l.lanes)
	}
	t := logTable{interval: run - l.ran, perMS: d.TicksPerSecond / 1000, zones: d.Zones}
	l.ran = run
	t.lines, t.sums = l.differences(d)
	if first {
		return ""
	}
	return t.format(l.lanes)
}

// differences returns what has been added to the totals: lane by lane, and by zone.
func (l *logger) differences(d *process.Dump) (lines []laneLine, sums map[int32]inside) {
	now, all := map[laneZone]inside{}, map[int32]inside{}
	l.eachLane(d, func(lane *process.LaneTree, zone int32, in inside) {
		all[zone] = all[zone].plus(in)
		if lane.ID == 0 { // lanes that were too many: not one of them can be told
			return
		}
		key := laneZone{lane.ID, zone}
		now[key] = in
		if more := in.since(l.was[key]); more.calls > 0 || float64(more.ticks) > d.TicksPerSecond/1e6 {
			lines = append(lines, laneLine{key, lane.Name, more})
		}
	})
	sums = map[int32]inside{}
	for zone, in := range all {
		sums[zone] = in.since(l.sums[zone])
	}
	l.was, l.sums = now, all
	return lines, sums
}

// eachLane calls do for every lane and chosen zone.
func (l *logger) eachLane(d *process.Dump, do func(*process.LaneTree, int32, inside)) {
	chosen := l.chosen(d.Zones)
	var totals []process.ZoneTotal
	for i := range d.Lanes {
		totals = process.AppendZoneTotals(totals[:0], d.Lanes[i].Nodes)
		for _, z := range totals {
			if chosen(z.Zone) {
				do(&d.Lanes[i], z.Zone, inside{int64(math.Round(z.Hier * d.TicksPerSecond / 1000)), int64(z.Count)})
			}
		}
	}
}

// chosen returns what tells whether a zone is to be logged.
func (l *logger) chosen(zones []gather.ZoneInfo) func(int32) bool {
	if len(l.zones) == 0 {
		return func(zone int32) bool { return zone >= 0 && int(zone) < len(zones) && zones[zone].Public }
	}
	ids := map[int32]bool{}
	for _, z := range l.zones {
		if id, known := z.ID(); known {
			ids[id] = true
		}
	}
	return func(zone int32) bool { return ids[zone] }
}

func (a inside) plus(b inside) inside  { return inside{a.ticks + b.ticks, a.calls + b.calls} }
func (a inside) minus(b inside) inside { return inside{a.ticks - b.ticks, a.calls - b.calls} }

// since returns what a is more than b, or a if it is fewer calls: everything has been forgotten meanwhile.
func (a inside) since(b inside) inside {
	if a.calls < b.calls {
		return a
	}
	return inside{max(0, a.ticks-b.ticks), a.calls - b.calls}
}
