package sampled

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"example.com/iprof/process/report"
)

// Hot returns the hottest lines by zone, without their texts, and the shares of self time that were spent waiting.
func (r *Run) Hot() *report.HotZones {
	h := &report.HotZones{Waited: map[report.ZoneID]float64{}}
	s, _ := r.Sum()
	for i := range s.Rows {
		if z := &s.Rows[i]; z.Waited > 0 && z.Self > 0 {
			h.Waited[z.Zone] = min(1, z.Waited/z.Self)
		}
	}
	c := r.counts()
	h.Samples = c.Samples
	h.Outside = c.Outside
	h.Zones = c.Hottest(report.MaxHotZones)
	return h
}

// counts puts the samples to their zones, by the functions in which these begin.
func (r *Run) counts() (c Counts) {
	zones := FunctionsOf(r.Dump.Zones)
	for _, l := range r.Samples {
		_, zone := zones.Find([]Line{{l.Zone, "", math.MaxInt}})
		if zone > 0 && IsOwn(&r.Dump.Zones[zone]) {
			zone = 0
		}
		c.Add(zone, Line{l.Function, l.File, l.Line}, l.Count, true)
	}
	return c
}

// Hottest returns the samples, the hottest lines first. It leaves out their enclosing functions.
func (r *Run) Hottest() (list []Sample) {
	counts := map[Sample]int{}
	for _, l := range r.Samples {
		l.Around = ""
		place := l
		place.Count = 0
		counts[place] += l.Count
	}
	for place, n := range counts {
		place.Count = n
		list = append(list, place)
	}
	slices.SortFunc(list, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			strings.Compare(a.Zone, b.Zone), strings.Compare(a.Function, b.Function))
	})
	return list
}
