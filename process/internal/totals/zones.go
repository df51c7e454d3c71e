package totals

import (
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// zoneSums sums lanes by zone, one lane after another. It needs memory for one lane only.
type zoneSums struct {
	list []zoneSum        // by zone
	hier []platform.Ticks // by node of a lane
}

// zoneSum is the sum of one zone.
type zoneSum struct {
	report.ZoneTotal
	self, hier platform.Ticks
	deeper     []float64 // entries by depth of recursion, from 1 on
}

// recur counts entries at a depth of recursion.
func (z *zoneSum) recur(depth int, entries uint64) {
	if depth > 0 && entries > 0 {
		z.deeper = report.AddDepth(z.deeper, min(int32(depth), report.MaxDepths-1)-1, float64(entries))
	}
}

// zone returns the sum of a zone.
func (z *zoneSums) zone(zone report.ZoneID) *zoneSum {
	if int(zone) >= len(z.list) {
		z.list = append(z.list, make([]zoneSum, int(zone)+1-len(z.list))...)
	}
	return &z.list[zone]
}

// add adds a lane. It does not add the times of the root, which totals gets as arguments.
func (z *zoneSums) add(l *laneSums) {
	z.hier = l.hierarchical(z.hier)
	for i := range l.nodes {
		n := &l.nodes[i]
		to := z.zone(n.zone)
		if n.parent >= 0 {
			if to.self += n.self; n.depth == 0 {
				to.hier += z.hier[i]
			}
		}
		to.Count += float64(n.count)
		to.recur(int(n.depth), n.count)
		to.Open = to.Open || n.open
		if x := n.rare; x != nil {
			charges := report.ChargesOf(x)
			to.Errors, to.Estimated = to.Errors+x.Errors, max(to.Estimated, x.Estimated)
			to.Charges.Add(&charges)
		}
	}
}

// totals returns the sums in the form of AppendZoneTotals for the merged tree. self and hier are the times of the root.
func (z *zoneSums) totals(self, hier platform.Ticks, perSecond float64, zones []gather.ZoneInfo,
) (list []report.ZoneTotal) {
	if len(z.list) == 0 {
		return nil
	}
	ms := 0.0
	if perSecond > 0 {
		ms = 1000 / perSecond
	}
	z.list[0].self += self
	z.list[0].hier += hier
	for i := range z.list {
		t := &z.list[i]
		t.Zone, t.Self, t.Hier = report.ZoneID(i), float64(t.self)*ms, float64(t.hier)*ms
		t.Idle = i < len(zones) && zones[i].Idle
		if (report.ZoneTotal{Zone: t.Zone, Idle: t.Idle}) != t.ZoneTotal {
			list = append(list, t.ZoneTotal)
		}
	}
	sort.SliceStable(list, func(i, k int) bool { return list[i].Self > list[k].Self })
	return list
}

// depths lists the recursive zones.
func (z *zoneSums) depths() (list []report.ZoneDepths) {
	for i := range z.list {
		if d := z.list[i].deeper; len(d) > 0 {
			all := append([]float64{z.list[i].Count}, d...)
			for _, entries := range d {
				all[0] -= entries
			}
			list = append(list, report.ZoneDepths{Zone: report.ZoneID(i), Entries: all})
		}
	}
	return list
}
