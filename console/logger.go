package console

import (
	"fmt"
	"strings"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// logger keeps the last totals and returns log lines for the differences. It counts in ticks, because the clock's rate
// is refined while the program runs. A new rate would change sums in milliseconds by more than the differences.
type logger struct {
	zones []*gather.Zone
	lanes int // the greatest number of lanes with lines
	last  map[laneZone]inside
	names map[report.LaneID]string
	sums  map[report.ZoneID]inside // of all lanes, by zone
	ran   int64                    // ticks
	seen  uint64                   // number of frames that verdicts have covered
	slow  report.Verdict           // scratch
	epoch uint64                   // changes with Reset

	marked uint64 // number of marks that had lines
	noted  []report.FrameMark
}

// inside is the time in a zone, in ticks, and the entries.
type inside struct{ ticks, calls int64 }

type laneZone struct {
	lane report.LaneID
	zone report.ZoneID
}

// laneLine is the time that one lane spent in a zone since the last call.
type laneLine struct {
	laneZone
	name string
	inside
}

func newLogger(zones []*gather.Zone, lanes int) *logger { return &logger{zones: zones, lanes: lanes} }

// linesFor returns the lines for the differences since the last call. The first call returns none.
func (l *logger) linesFor(d *process.LaneTotals) string {
	first := l.last == nil
	run := d.Ticks
	if run < l.ran || d.Epoch != l.epoch {
		*l = logger{zones: l.zones, lanes: l.lanes, seen: l.seen, slow: l.slow, marked: l.marked}
	}
	l.epoch = d.Epoch
	t := logTable{interval: run - l.ran, perMS: d.TicksPerSecond / 1000, zones: d.Zones}
	l.ran = run
	t.lines, t.sums = l.differences(d)
	if first {
		return ""
	}
	return t.format(l.lanes)
}

// slowestLine returns the line for the worst frame since the last such line.
func (l *logger) slowestLine(s *process.Session) string {
	l.seen = s.VerdictSince(&l.slow, l.seen)
	var b strings.Builder
	text.WriteVerdict(&b, &l.slow)
	return b.String()
}

// marks returns the lines of the marks since the last call.
func (l *logger) marks(s *process.Session) string {
	l.noted, l.marked = s.AppendMarksSince(l.noted[:0], l.marked)
	var b strings.Builder
	for i := range l.noted[:min(len(l.noted), l.lanes)] {
		m := &l.noted[i]
		fmt.Fprintf(&b, "mark %s %.2f ms into frame %d\n", quoted(m.Text), m.At, m.Frame)
	}
	if more := len(l.noted) - l.lanes; more > 0 {
		fmt.Fprintf(&b, "%d more marks\n", more)
	}
	return b.String()
}

// differences returns the increase of the totals since the last call, by lane and zone and by zone alone.
func (l *logger) differences(d *process.LaneTotals) (lines []laneLine, sums map[report.ZoneID]inside) {
	now, all := map[laneZone]inside{}, map[report.ZoneID]inside{}
	l.eachLane(d, func(lane *process.LaneZones, zone report.ZoneID, in inside) {
		all[zone] = all[zone].plus(in)
		if lane.ID == 0 { // the sum of merged lanes
			return
		}
		key := laneZone{lane.ID, zone}
		now[key] = in
		if more := in.since(l.last[key]); more.calls > 0 || float64(more.ticks) > d.TicksPerSecond/1e6 {
			lines = append(lines, laneLine{key, lane.Name, more})
		}
	})
	sums = map[report.ZoneID]inside{}
	for zone, in := range all {
		sums[zone] = in.since(l.sums[zone])
	}
	lines = l.withoutMoved(lines, now)
	l.last, l.sums, l.names = now, all, map[report.LaneID]string{}
	for i := range d.Lanes {
		l.names[d.Lanes[i].ID] = d.Lanes[i].Name
	}
	return lines, sums
}

// eachLane calls do for every lane and chosen zone.
func (l *logger) eachLane(d *process.LaneTotals, do func(*process.LaneZones, report.ZoneID, inside)) {
	chosen := l.chosen(d.Zones)
	for i := range d.Lanes {
		for _, z := range d.Lanes[i].Zones {
			if chosen(z.Zone) {
				do(&d.Lanes[i], z.Zone, inside{z.Hier, int64(z.Count)})
			}
		}
	}
}

// chosen returns a function that reports whether a zone is logged.
func (l *logger) chosen(zones []gather.ZoneInfo) func(report.ZoneID) bool {
	if len(l.zones) == 0 {
		return func(zone report.ZoneID) bool { return zone >= 0 && int(zone) < len(zones) && zones[zone].Public }
	}
	ids := map[report.ZoneID]bool{}
	for _, z := range l.zones {
		if id, known := z.ID(); known {
			ids[id] = true
		}
	}
	return func(zone report.ZoneID) bool { return ids[zone] }
}

func (a inside) plus(b inside) inside  { return inside{a.ticks + b.ticks, a.calls + b.calls} }
func (a inside) minus(b inside) inside { return inside{a.ticks - b.ticks, a.calls - b.calls} }

// since returns the increase from b to a, at least 0.
func (a inside) since(b inside) inside {
	return inside{max(0, a.ticks-b.ticks), max(0, a.calls-b.calls)}
}
