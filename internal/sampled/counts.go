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
	lines            map[place]int
}

type place struct {
	function, file string
	line           int
}

// Add counts samples at a line in a zone, or outside zones if zone is 0. known says that events, not the stack, gave
// the zone.
func (c *Counts) Add(zone report.ZoneID, at report.HotLine, known bool) {
	if zone <= 0 {
		c.Outside += at.Samples
		return
	}
	c.Samples += at.Samples
	if c.zones == nil {
		c.zones = map[report.ZoneID]*count{}
	}
	z := c.zones[zone]
	if z == nil {
		z = &count{lines: map[place]int{}}
		c.zones[zone] = z
	}
	z.samples += at.Samples
	if !known {
		z.byStack += at.Samples
	}
	z.lines[place{at.Function, at.File, at.Line}] += at.Samples
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
		if at.line > 0 { // see Sample.Line
			h.Lines = append(h.Lines, report.HotLine{Function: at.function, File: at.file, Line: at.line, Samples: n})
		}
		functions[at.function] += n
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
