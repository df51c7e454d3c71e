package viewer

import (
	"path"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// toggleGrouped groups the rows of the flat reports by package, or ends the grouping.
func (p *Panel) toggleGrouped() {
	p.arrange(func(a *process.Arrangement) { a.Grouping = process.GroupingPackage - a.Grouping })
}

// toggleFold folds or unfolds a package by its number in a hit of kind HitPackage. A number below 0 is the package of
// the cursor's zone. It reports whether there is such a package. Any goroutine may call it.
func (p *Panel) toggleFold(place int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.shown.Report.Packages) == 0 {
		return false
	}
	if fold := p.shown.cursorFold(); place < 0 && fold != nil {
		place = fold.ID
	} else if place < 0 {
		place = p.table.arranger.PackageOf(p.shown.cursorZone())
	}
	p.serial++
	return p.table.arranger.Fold(place)
}

// packageRow draws the row of a package.
func (t *table) packageRow(c *canvas, d *shown, row, in rect, p *process.PackageRow, most float64) {
	r := &p.Record
	sign := draw.IconDown
	if p.Folded {
		sign = draw.IconRight
	}
	switch {
	case p == d.cursorFold():
		c.cursorRow(row)
	case c.hovers(row):
		c.Rect(row.x0, row.y0, row.x1, row.y1, c.Hovered)
	}
	c.add(row, hitOf(HitPackage, p.ID))
	x := in.x0 + 4*c.em
	c.Icon(sign, x, (row.y0+row.y1)/2-5*c.em, c.TextDim)
	x += 14 * c.em
	end := t.namesEnd(in)
	name := r.Name
	if c.Width(draw.FaceBold, name) > end-x {
		name = path.Base(name)
	}
	face, col := draw.FaceBold, c.TextBright
	if !d.Report.Grouped() { // idle rows
		face, col = draw.FaceText, c.TextFaint
	}
	x += c.left(x, end-x, row, face, name, col)
	c.buffer = append(draw.AppendFixed(c.buffer[:0], float64(p.Rows), 0), " zones"...)
	if width := c.ASCIIWidth(draw.FaceSmall, c.buffer); x+width+8*c.em < end {
		c.ASCII(x+8*c.em, c.baseline(row.y0, row.y1, draw.FaceSmall), draw.FaceSmall, c.buffer, c.TextFaint)
	}
	for _, l := range t.lanes {
		switch l.column {
		case ColumnSpark:
		case ColumnBar:
			drawBar(c, rect{l.x0 + 24*c.em, row.y0, l.x1 - 2*c.em, row.y1}, r, c.TextDim, most)
		case ColumnDelta, ColumnDeltaPercent:
			if p.Delta.Known && l.column == ColumnDelta {
				c.delta(l.x1, row, &p.Delta, false)
			}
		default:
			t.value(c, d, row, l, r)
		}
	}
}
