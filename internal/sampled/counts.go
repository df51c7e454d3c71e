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

// Counts counts samples by zone and line. The zero value has none.
type Counts struct {
	Samples, Outside int // in zones, and outside zones

	zones map[report.ZoneID]*count
}

// count counts the samples of a zone.
type count struct {
	samples, byStack int
	lines            map[Line]int
}

// Add counts n samples at a line in a zone, or outside zones if zone is 0. known says that events, not the stack, gave
// the zone.
func (c *Counts) Add(zone report.ZoneID, at Line, n int, known bool) {
	if zone <= 0 {
		c.Outside += n
		return
	}
	c.Samples += n
	if c.zones == nil {
		c.zones = map[report.ZoneID]*count{}
	}
	z := c.zones[zone]
	if z == nil {
		z = &count{lines: map[Line]int{}}
		c.zones[zone] = z
	}
	z.samples += n
	if !known {
		z.byStack += n
	}
	z.lines[at] += n
}

// Hottest lists the zones with the most samples, with their hottest lines and functions.
func (c *Counts) Hottest(most int) (list []report.HotLines) {
	for zone, z := range c.zones {
		list = append(list, report.HotLines{Zone: zone, Samples: z.samples, ByStack: z.byStack})
	}
	slices.SortFunc(list, func(a, b report.HotLines) int {
		return cmp.Or(cmp.Compare(b.Samples, a.Samples), cmp.Compare(a.Zone, b.Zone))
	})
	list = list[:min(len(list), most)]
	for i := range list {
		c.zones[list[i].Zone].take(&list[i])
	}
	return list
}

// take lists the lines and the functions with the most samples.
func (c *count) take(h *report.HotLines) {
	functions := map[string]int{}
	for at, n := range c.lines {
		if at.Line > 0 { // see Sample.Line
			h.Lines = append(h.Lines, report.HotLine{Function: at.Function, File: at.File, Line: at.Line, Samples: n})
		}
		functions[at.Function] += n
	}
	slices.SortFunc(h.Lines, func(a, b report.HotLine) int {
		return cmp.Or(cmp.Compare(b.Samples, a.Samples), strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			strings.Compare(a.Function, b.Function))
	})
	h.Lines = slices.Clip(h.Lines[:min(len(h.Lines), keptLines)])
	for name, n := range functions {
		h.Functions = append(h.Functions, report.HotFunction{Function: name, Samples: n})
	}
	slices.SortFunc(h.Functions, func(a, b report.HotFunction) int {
		return cmp.Or(cmp.Compare(b.Samples, a.Samples), strings.Compare(a.Function, b.Function))
	})
	h.Functions = slices.Clip(h.Functions[:min(len(h.Functions), keptFunctions)])
}
