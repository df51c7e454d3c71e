package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// below draws callers and callees side by side, as far as there is room.
func (z *zoneCard) below(c *canvas, d *shown, r rect) {
	rows := 0
	for g := range [...]process.Group{process.GroupParent, process.GroupChild} {
		rows = max(rows, d.around(process.Group(g*2)))
	}
	fit := int(r.height()/(zoneRow*c.em)) - 1
	rows = min(max(rows, 1), fit)
	if rows < 1 {
		return
	}
	middle := (r.x0 + r.x1) / 2
	z.kin(c, d, rect{r.x0, r.y0, middle - 8*c.em, r.y1}, "called by", process.GroupParent, rows)
	z.kin(c, d, rect{middle + 8*c.em, r.y0, r.x1, r.y1}, "calls", process.GroupChild, rows)
}

// around returns the number of records of one group in the call graph of the cursor's zone.
func (d *shown) around(g process.Group) (n int) {
	for i := range d.Around.Report.Records {
		if d.Around.Report.Records[i].Group == g {
			n++
		}
	}
	return n
}

// kin draws the callers or the callees of the zone, with their hierarchical times in its call graph.
func (z *zoneCard) kin(c *canvas, d *shown, r rect, heading string, g process.Group, rows int) {
	line := zoneRow * c.em
	c.left(r.x0, r.width(), rect{r.x0, r.y0, r.x1, r.y0 + line}, draw.FaceSmall, heading, c.TextFaint)
	y := r.y0 + line
	over := d.zoneUnderMouse()
	for i := range d.Around.Report.Records {
		record := &d.Around.Report.Records[i]
		if record.Group != g {
			continue
		}
		if rows--; rows < 0 {
			return
		}
		row := rect{r.x0 - 4*c.em, y, r.x1 + 4*c.em, y + line}
		if record.Zone == over {
			c.Round(row.x0, row.y0, row.x1, row.y1, 4*c.em, c.Hovered)
		}
		c.add(row, Hit{Kind: HitZone, Zone: record.Zone, Path: record.Path})
		col, ms := c.ColorOf(record.Name, record.Idle), record.Values[process.ColumnHier]
		c.entry(row.inset(4*c.em, 0), record.Estimated.Sign(), record.Name, col, ms)
		y += line
	}
	if y == r.y0+line {
		c.left(r.x0, r.width(), rect{r.x0, y, r.x1, y + line}, draw.FaceSmall, "none", c.TextFaint)
	}
}
