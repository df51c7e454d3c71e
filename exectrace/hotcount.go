package exectrace

import (
	"cmp"
	"slices"

	"example.com/iprof/process/report"
)

// hotCounts counts samples by zone.
type hotCounts struct {
	zones            map[report.ZoneID]*hotCount
	samples, outside int // in zones, and outside zones
}

// add counts a sample in a zone, or outside zones if zone is 0. known says that the zone comes from events.
func (c *hotCounts) add(q *Sample, zone report.ZoneID, known bool) {
	if zone <= 0 {
		c.outside++
		return
	}
	c.samples++
	if c.zones == nil {
		c.zones = map[report.ZoneID]*hotCount{}
	}
	if c.zones[zone] == nil {
		c.zones[zone] = &hotCount{lines: map[Line]int{}}
	}
	c.zones[zone].add(q, known)
}

// hotCount counts the samples of a zone.
type hotCount struct {
	samples, byStack int
	lines            map[Line]int
}

func (c *hotCount) add(q *Sample, known bool) {
	if c.samples++; !known {
		c.byStack++
	}
	c.lines[ownLine(q.Stack)]++
}

// hottest lists the zones with the most samples.
func (c *hotCounts) hottest(most int) (list []HotLines) {
	for zone, z := range c.zones {
		list = append(list, HotLines{Zone: zone, Samples: z.samples, ByStack: z.byStack})
	}
	slices.SortFunc(list, func(a, b HotLines) int {
		return cmp.Or(cmp.Compare(b.Samples, a.Samples), cmp.Compare(a.Zone, b.Zone))
	})
	list = list[:min(len(list), most)]
	for i := range list {
		take(&list[i], c.zones[list[i].Zone].lines)
	}
	return list
}
