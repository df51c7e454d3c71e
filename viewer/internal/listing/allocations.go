package listing

import (
	"strconv"

	"example.com/iprof/draw"
	"example.com/iprof/draw/text"
	"example.com/iprof/internal/allocated"
	"example.com/iprof/process"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/internal/list"
)

// allocationColumns are the columns of the list of allocations.
var allocationColumns = []list.Column{
	{Heading: "zone", Tip: "the innermost zone in which they were allocated", Width: 190},
	{Heading: "bytes", Tip: "of their slots in the heap", Width: 90, Number: true},
	{Heading: "objects", Tip: "how many, each counted", Width: 80, Number: true},
	{Heading: "freed", Tip: "of those, freed by the end of the trace", Width: 80, Number: true},
	{Heading: "type", Tip: "what they are; the row leads to the zone in the\nframe with the most bytes"},
}

// Allocations lists the objects of the newest trace of allocations by zone and type.
func Allocations(v *process.View) *Content {
	t := allocated.Of(v.Session().Sources().Allocated)
	c := &Content{Title: "allocations", Columns: allocationColumns, By: 1,
		None: "no allocations were traced: Alt+N traces them"}
	if t == nil {
		return c
	}
	for i, r := range t.ByType(-1) {
		zone := r.Zone()
		name := "outside zones"
		if zone > 0 {
			name = text.Name(v.Session().Zone(zone).Name)
		}
		if r.Uncertain {
			name = "~" + name
		}
		c.Rows = append(c.Rows, list.Row{Frame: NoFrame, At: i,
			Keys: []float64{0, float64(r.Bytes), float64(r.Objects), float64(r.Freed), 0},
			Words: []string{name, string(draw.AppendBytes(nil, float64(r.Bytes))),
				strconv.FormatUint(r.Objects, 10), strconv.FormatUint(r.Freed, 10), text.Name(r.TypeName())}})
		c.Calls = append(c.Calls, timeline.Call{Frame: r.Frame, Scope: timeline.Scope{Zone: zone}})
	}
	c.Note = t.String()
	return c
}
