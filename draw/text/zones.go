package text

import (
	"slices"
	"strconv"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// topZones writes the list of zones by self time.
func (t *tree) topZones() {
	zones := t.d.ZoneTotals()
	sum, greatest := 0.0, greatestSelf(t.d.Merged)
	for i := range zones {
		sum += zones[i].Self
	}
	if t.o.top() == 0 || len(zones) == 0 {
		return
	}
	var waiting report.ZoneTotal
	folded := 0
	if !t.o.Idle {
		zones, waiting, folded = report.FoldTotals(zones)
	}
	zones = zones[:min(len(zones), t.o.top())]
	t.p.put("\ntop zones by self time\n")
	t.chooseUnits(len(zones), func(i int) [3]float64 {
		z := &zones[i]
		return [...]float64{z.Hier, z.Self, perCall(z.Count, z.Self)}
	})
	t.p.right(t.heading(1, "self"), cellTime)
	t.p.right("%", cellPercent)
	t.p.right(t.heading(0, "with callees"), cellHier+2)
	t.p.right("calls", cellCalls)
	t.p.right(t.heading(2, "self/call"), cellTime+1)
	t.p.right("self ticks", cellTicks)
	t.p.put("  zone\n")
	for i := range zones {
		t.zone(&zones[i], sum, greatest)
	}
	if folded > 0 {
		t.folded = true
		t.p.right(t.cell(1, waiting.Self), cellTime)
		t.p.right(percent(waiting.Self, sum), cellPercent)
		t.p.spaces(cellHier + 2 + cellCalls + cellTime + 1 + cellTicks + 2)
		t.p.put(t.dots(), strconv.Itoa(folded), " that wait\n")
	}
}

// zone writes one line of that list.
func (t *tree) zone(z *report.ZoneTotal, sum, greatest float64) {
	t.hot(t.cell(1, z.Self), cellTime, z.Self, greatest, z.Idle)
	t.p.right(percent(z.Self, sum), cellPercent)
	t.p.right(t.cell(0, z.Hier), cellHier+2)
	t.calls(z.Count, z.Self)
	t.p.right(strconv.FormatInt(ticksOf(z.Self, t.d.TicksPerSecond), 10), cellTicks)
	t.p.put("  ")
	t.name(z.Estimated.Sign(), z.Zone, z.Open, z.Idle, t.charges(&z.Charges, z.Hier)+depths(t.d, z.Zone))
}

// depths returns the entries of a recursive zone by depth, the outermost first.
func depths(d *report.Dump, zone report.ZoneID) string {
	at := slices.IndexFunc(d.Recursion, func(z report.ZoneDepths) bool { return z.Zone == zone })
	if at < 0 {
		return ""
	}
	s := "  {calls by depth"
	for _, n := range d.Recursion[at].Entries {
		s += " " + count(n)
	}
	if len(d.Recursion[at].Entries) == report.MaxDepths {
		s += " and deeper"
	}
	return s + "}"
}

// zoneInfo returns a zone's description. For a zone that is not in the table, the name is its id.
func zoneInfo(zones []gather.ZoneInfo, id report.ZoneID) gather.ZoneInfo {
	if id < 0 || int(id) >= len(zones) {
		return gather.ZoneInfo{Name: "(zone " + strconv.Itoa(int(id)) + ")"}
	}
	return zones[id]
}

// sameNames reports which names belong to more than one zone.
func sameNames(zones []gather.ZoneInfo) map[string]bool {
	same := make(map[string]bool, len(zones))
	for i := range zones {
		_, known := same[zones[i].Name]
		same[zones[i].Name] = known
	}
	return same
}
