package card

import (
	"strconv"

	"example.com/iprof/draw"
	"example.com/iprof/draw/text"
	"example.com/iprof/internal/allocated"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
)

// cardObjects are the lines of a card on what the zone allocated, where that was traced.
type cardObjects struct {
	of    *allocated.Table
	zone  report.ZoneID
	words string
	tip   string
	lines []string
}

// mostObjects is the number of types that the card lists.
const mostObjects = 4

// take finds the lines, unless nothing has changed since the last Draw.
func (o *cardObjects) take(a *report.Around) {
	t := allocated.Of(a.Allocated)
	if o.of == t && o.zone == a.Zone {
		return
	}
	if *o = (cardObjects{of: t, zone: a.Zone, lines: o.lines[:0]}); t == nil {
		return
	}
	list := t.ByType(a.Zone)
	for i := range list[:min(len(list), mostObjects)] {
		o.lines = append(o.lines, string(list[i].AppendText(nil, text.Name)))
	}
	if len(list) == 0 {
		o.lines = append(o.lines, "nothing")
	}
	o.words = "allocated by the zone itself, of " + strconv.Itoa(len(list)) + " types"
	o.tip = "what the zone itself allocated while that was traced:\n" + t.String()
}

// draw draws the lines, as far as there is room. It returns the place below them.
func (o *cardObjects) draw(c *canvas.Canvas, a *report.Around, r canvas.Rect) float32 {
	if o.take(a); o.of == nil || r.Height() < 4*zoneRow*c.Em {
		return r.Y0
	}
	line := canvas.Box(r.X0, r.Y0, r.X1, r.Y0+zoneRow*c.Em)
	c.Left(line.X0, line.Width(), line, draw.FaceSmall, o.words, c.TextFaint)
	c.Explain(line, "allocations", o.tip)
	for i := 0; i < len(o.lines) && line.Y1+2*zoneRow*c.Em <= r.Y1; i++ {
		line = below(line)
		c.Left(line.X0, line.Width(), line, draw.FaceSmall, o.lines[i], c.TextNormal)
	}
	return line.Y1
}
