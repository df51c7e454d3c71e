package totals

import (
	"cmp"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// zoneSums sums lanes by zone, one lane after another. It needs memory for one lane only.
type zoneSums struct {
	list []zoneSum        // by zone
	hier []platform.Ticks // by node of a lane
	now  uint64           // nodeSums.open of open nodes
}

// zoneSum is the sum of one zone.
type zoneSum struct {
	report.ZoneTotal
	self, hier platform.Ticks
	deeper     []float64 // entries by depth of recursion, from 1 on
}

// recur counts entries at a depth of recursion.
func (z *zoneSum) recur(depth int32, entries uint64) {
	if depth > 0 && entries > 0 {
		z.deeper = report.AddDepth(z.deeper, min(depth, report.MaxDepths-1)-1, float64(entries))
	}
}

// zone returns the sum of a zone.
func (z *zoneSums) zone(zone report.ZoneID) *zoneSum {
	if int(zone) >= len(z.list) {
		z.list = append(z.list, make([]zoneSum, int(zone)+1-len(z.list))...)
	}
	return &z.list[zone]
}

// begin makes room for a lane's hierarchical times.
func (z *zoneSums) begin(nodes int) {
	z.hier = resize.To(z.hier, nodes)
	clear(z.hier)
}

// up adds the time of node i to its parent, and to its zone unless the node is below another node of the zone. It does
// not add the time of roots, which totals gets as arguments. The children of a node come before it.
func (z *zoneSums) up(i int, parent int32, self platform.Ticks, nested bool, to *zoneSum) {
	z.hier[i] += self
	if parent < 0 {
		return
	}
	z.hier[parent] += z.hier[i]
	to.self += self
	if !nested {
		to.hier += z.hier[i]
	}
}

// lane adds a lane.
func (z *zoneSums) lane(paths *history.Tree, l *laneSums) {
	z.begin(len(l.nodes))
	for i := len(l.nodes) - 1; i >= 0; i-- {
		n := &l.nodes[i]
		to := z.zone(n.zone)
		z.up(i, n.parent, n.self, paths.Paths[n.path].Same >= 0, to)
		to.Count += float64(n.count)
		to.recur(paths.Paths[n.path].Depth, n.count)
		to.Errors += n.errors
		to.Open = to.Open || n.open != 0 && n.open == z.now
		to.Estimated = max(to.Estimated, n.estimated)
		if n.charges != nil {
			to.Charges.Add(n.charges)
		}
	}
}

// seats adds the sums that the lanes' totals do not have yet, without changing the totals.
func (z *zoneSums) seats(t *Tally) {
	paths := t.Tree.Paths
	z.begin(len(paths))
	for i := -1; i < len(t.seats.nodes); i++ {
		from := &t.seats.stray
		if i >= 0 {
			from = &t.seats.nodes[i]
		}
		if t.serials[from.lane] == nil || from.self == 0 && from.count == 0 {
			continue
		}
		at := from.path & history.PathMask
		z.hier[at] += from.self
		to := z.zone(paths[at].Zone)
		to.Count += float64(from.count)
		to.recur(paths[at].Depth, from.count)
		if paths[at].Parent >= 0 {
			to.self += from.self
		}
	}
	for i := len(paths) - 1; i >= 0; i-- {
		p := &paths[i]
		z.up(i, p.Parent, 0, p.Same >= 0, z.zone(p.Zone))
	}
}

// unfinished adds a lane of an unfinished frame, or with ended one of a frame before it. It returns the
// number of entries.
func (z *zoneSums) unfinished(l *gather.LaneFrame, ended bool) (entries uint64) {
	z.begin(len(l.Nodes))
	for i := len(l.Nodes) - 1; i >= 0; i-- {
		n := &l.Nodes[i]
		to := z.zone(n.Zone)
		z.up(i, n.Parent, n.Self, n.Depth > 0, to)
		to.Count += float64(n.Count)
		to.recur(n.Depth, uint64(n.Count))
		to.Open = to.Open || n.Open && !ended
		entries += uint64(n.Count)
	}
	for i := range l.Extras {
		x := &l.Extras[i]
		to, more := z.zone(l.Nodes[x.Node].Zone), uint64(x.More)<<32
		to.Count += float64(more)
		to.recur(l.Nodes[x.Node].Depth, more)
		to.Errors += uint64(x.Errors)
		to.Estimated = max(to.Estimated, x.Estimated)
		c := report.ChargesOf(x, 1)
		to.Charges.Add(&c)
		entries += more
	}
	return entries
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
	slices.SortStableFunc(list, func(a, b report.ZoneTotal) int { return cmp.Compare(b.Self, a.Self) })
	return list
}

// Unfinished sums the lanes of an unfinished frame one by one. It does not change a tally.
type Unfinished struct {
	sums    zoneSums
	lanes   []report.LaneID
	outside platform.Ticks // time of the updating lane outside zones
	cost    float64        // of measuring, ms
	packed  *packedTrees   // nil: the lanes are not packed
}

// Pack makes Add pack the lanes, for trees.
func (u *Unfinished) Pack() { u.packed = new(packedTrees) }

// Trees makes the trees of a Dump from packed lanes, for a tally with only an unfinished frame.
func (u *Unfinished) Trees(t *Tally, d *Sums, o report.DumpOptions) { u.packed.fill(t, d, o) }

// Add adds a lane.
func (u *Unfinished) Add(f *gather.Frame, l *gather.LaneFrame) { u.add(f, l, false) }

// AddEnded adds the lanes of a frame that has ended before.
func (u *Unfinished) AddEnded(f *gather.Frame) {
	for i := range f.Lanes {
		u.add(f, &f.Lanes[i], true)
	}
}

func (u *Unfinished) add(f *gather.Frame, l *gather.LaneFrame, ended bool) {
	u.cost += LaneCost(f, l, u.sums.unfinished(l, ended))
	if l.Updater && len(l.Nodes) > 0 {
		u.outside += l.Nodes[0].Self
	}
	u.lanes = append(u.lanes, l.ID)
	if u.packed != nil {
		u.packed.add(l)
	}
}

// ZoneSums returns the totals with the unfinished frame f, without trees.
func (t *Tally) ZoneSums(u *Unfinished, f *gather.Frame) (d Sums) {
	z := &u.sums
	z.seats(t)
	for _, l := range t.all() {
		z.lane(t.Tree, l)
	}
	d.LaneCount, d.Severals, d.CPU = len(t.all()), severals(t.all()), plus(t.cpu, f.CPU)
	slices.Sort(u.lanes)
	for _, id := range slices.Compact(u.lanes) {
		if t.byID[id] == nil {
			d.LaneCount++
		}
	}
	ticks := plus(t.ticks, f.End-f.Begin)
	d.TicksPerSecond, d.Zones = f.TicksPerSecond, f.Zones
	d.Recursion = z.depths()
	if u.packed != nil {
		u.packed.outside, u.packed.ticks = u.outside, ticks
	}
	d.Totals = z.totals(t.outside+u.outside, ticks, d.TicksPerSecond, d.Zones)
	d.time(t.cost+u.cost, float64(ticks))
	return d
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
