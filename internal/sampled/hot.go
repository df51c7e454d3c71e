package sampled

import (
	"cmp"
	"slices"
	"strings"

	"example.com/iprof/process/report"
)

const (
	keptLines     = 16 // of a zone
	keptFunctions = 8  // of a zone
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
	r.addLines(h)
	slices.SortStableFunc(h.Zones, func(a, b report.HotLines) int { return cmp.Compare(b.Samples, a.Samples) })
	h.Zones = h.Zones[:min(len(h.Zones), report.MaxHotZones)]
	for i := range h.Zones {
		finishHot(&h.Zones[i])
	}
	return h
}

// addLines adds the samples to their zones.
func (r *Run) addLines(h *report.HotZones) {
	ids := map[string]report.ZoneID{}
	for id := range r.Dump.Zones {
		if z := &r.Dump.Zones[id]; !z.Idle && z.Function != "" && !IsOwn(z) {
			ids[z.Function] = report.ZoneID(id)
		}
	}
	at := map[report.ZoneID]int{}
	for _, l := range r.Hottest() {
		zone, known := ids[l.Zone]
		if !known {
			h.Outside += l.Count
			continue
		}
		if _, has := at[zone]; !has {
			at[zone] = len(h.Zones)
			h.Zones = append(h.Zones, report.HotLines{Zone: zone})
		}
		h.Samples += l.Count
		z := &h.Zones[at[zone]]
		z.Samples += l.Count
		z.Lines = append(z.Lines, report.HotLine{Function: l.Function, File: l.File, Line: l.Line, Samples: l.Count})
	}
}

// finishHot adds the functions of a zone's lines, and leaves out those with the fewest samples.
func finishHot(z *report.HotLines) {
	counts := map[string]int{}
	for _, l := range z.Lines {
		counts[l.Function] += l.Samples
	}
	for function, n := range counts {
		z.Functions = append(z.Functions, report.HotFunction{Function: function, Samples: n})
	}
	slices.SortFunc(z.Functions, func(a, b report.HotFunction) int {
		return cmp.Or(cmp.Compare(b.Samples, a.Samples), strings.Compare(a.Function, b.Function))
	})
	z.Functions = z.Functions[:min(len(z.Functions), keptFunctions)]
	z.Lines = z.Lines[:min(len(z.Lines), keptLines)]
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
