package runreport

import (
	"cmp"
	"slices"
	"strings"

	"example.com/iprof/capture"
	"example.com/iprof/process/report"
)

const (
	keptLines     = 16 // of a zone
	keptFunctions = 8  // of a zone
)

// Keep puts what the samples say into the recording, as it outlives the notes: the hottest lines of the zones, and what
// they waited. The error is that of the file.
func (r *Run) Keep(path string) error {
	h := r.hot()
	if len(h.Zones) == 0 && len(h.Waited) == 0 {
		return nil
	}
	return capture.AddHot(path, h)
}

// hot returns the hottest lines by zone, and the shares of self time that were spent waiting.
func (r *Run) hot() *report.HotZones {
	h := &report.HotZones{Waited: map[report.ZoneID]float64{}}
	for _, z := range r.sum().rows {
		if z.waited > 0 && z.self > 0 {
			h.Waited[z.zone] = min(1, z.waited/z.self)
		}
	}
	ids := map[string]report.ZoneID{}
	for id := range r.Dump.Zones {
		if z := &r.Dump.Zones[id]; !z.Idle && z.Function != "" && !r.own[report.ZoneID(id)] {
			ids[z.Function] = report.ZoneID(id)
		}
	}
	at := map[report.ZoneID]int{}
	for _, l := range r.samples() {
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
	slices.SortStableFunc(h.Zones, func(a, b report.HotLines) int { return cmp.Compare(b.Samples, a.Samples) })
	h.Zones = h.Zones[:min(len(h.Zones), report.MostHotZones)]
	for i := range h.Zones {
		finishHot(&h.Zones[i])
	}
	return h
}

// finishHot adds the functions and the texts of a zone's lines, and leaves out those with the fewest samples.
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
	for i := range z.Lines {
		z.Lines[i].Text = sourceLine(z.Lines[i].File, z.Lines[i].Line)
	}
}
