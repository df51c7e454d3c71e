package totals

import (
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// LaneTotals holds the time of each zone on each lane since start or Reset. It includes the unfinished frame and leaves
// out paused time. Session.LaneTotals fills it and reuses its memory. One goroutine may use it at a time.
type LaneTotals struct {
	Epoch          uint64 // changes with Reset
	Ticks          int64  // length of all frames
	TicksPerSecond float64
	Zones          []gather.ZoneInfo // by id; read only: the memory is shared
	Lanes          []LaneZones

	hier  []platform.Ticks // by node of one lane
	times []ZoneTime       // by zone, of one lane
}

// LaneZones is the part of one lane in LaneTotals.
type LaneZones struct {
	ID    report.LaneID // 0: "(earlier goroutines)"
	Name  string
	Zones []ZoneTime // zones that the lane has entered, by id
}

// ZoneTime holds the time of a zone.
type ZoneTime struct {
	Zone  report.ZoneID
	Hier  int64  // hierarchical time in ticks, recursion counted once
	Count uint64 // entries
}

// Lanes fills d with the sums of a tally and of the frames. f has the zones and the clock.
func (r *Reading) Lanes(t *Tally, f *gather.Frame, d *LaneTotals) {
	d.Epoch, d.Ticks = t.Epoch, int64(plus(t.ticks, r.ticks))
	d.TicksPerSecond, d.Zones, d.Lanes = f.TicksPerSecond, f.Zones, d.Lanes[:0]
	d.times = resize.To(d.times, len(d.Zones))
	clear(d.times)
	lanes := r.lanes(t)
	for i := range lanes {
		for _, l := range lanes[i].sums {
			d.add(l)
		}
		d.end(lanes[i].id, lanes[i].name)
	}
}

// add adds the sums of a lane to the times of its zones.
func (d *LaneTotals) add(l *laneSums) {
	d.hier = l.hierarchical(d.hier)
	for i := range l.nodes {
		n := &l.nodes[i]
		if int(n.zone) >= len(d.times) {
			continue
		}
		to := &d.times[n.zone]
		if to.Count += n.count; n.depth == 0 {
			to.Hier += int64(d.hier[i])
		}
	}
}

// end adds a lane with the zones that it has entered.
func (d *LaneTotals) end(id report.LaneID, name string) {
	n := len(d.Lanes)
	d.Lanes = resize.To(d.Lanes, n+1)
	l := &d.Lanes[n]
	l.ID, l.Name, l.Zones = id, name, l.Zones[:0]
	for zone := range d.times {
		if at := &d.times[zone]; at.Count != 0 || at.Hier != 0 {
			l.Zones = append(l.Zones, ZoneTime{report.ZoneID(zone), at.Hier, at.Count})
			*at = ZoneTime{}
		}
	}
}
