package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// widths are the widths of columns that the user has dragged, in nominal pixels. They last as long as the panel.
type widths struct {
	of     [numColumns]float32 // 0: the usual width
	byUser [numColumns]bool    // dragged; others with a width are only held

	headed [numColumns]float32 // widths of headings

	column process.Column // that is dragged now
	offset float32        // of its border from the mouse, pixels
}

// chosenWidth returns the width of a column in nominal pixels. More is what numbers with more decimals need.
func (t *table) chosenWidth(w *wish, more float32) float32 {
	if own := t.widths.of[w.column]; own > 0 {
		return own
	}
	return w.width + more
}

// laneOf returns the column in the last Draw, or nil.
func (t *table) laneOf(column process.Column) *lane {
	for i := range t.lanes {
		if t.lanes[i].column == column {
			return &t.lanes[i]
		}
	}
	return nil
}

// borders draws the borders between the headings while the mouse is over them. A drag on one changes the width of the
// column at its right.
func (t *table) borders(c *canvas, r rect) {
	near := c.hovers(r)
	for i := range t.lanes {
		l := &t.lanes[i]
		x := draw.Snap(l.x0 + borderAt*c.em)
		box := rect{x - 4*c.em, r.y0, x + 4*c.em, r.y1}
		if c.hovers(box) {
			c.Rect(x-c.em, r.y0+3*c.em, x+c.em, r.y1-2*c.em, c.Accent)
		} else if near {
			c.Rect(x, r.y0+5*c.em, x+draw.Hairline(c.em), r.y1-4*c.em, c.TextFaint)
		}
		c.add(box, hitOf(HitBorder, int(l.column)))
	}
}

// borderAt is the distance of a border from the left end of its column, in nominal pixels. Numbers end at the right.
const borderAt = 8

// StartColumn begins to drag the border at the left of a column, with the mouse at x, in pixels. Columns that are not
// on the screen are ignored. Any goroutine may call it.
func (p *Panel) StartColumn(column process.Column, x float32) {
	p.change(func() {
		if l := p.table.laneOf(column); l != nil && finite(x) {
			p.table.widths.column, p.table.widths.offset = column, l.x0-x
		}
	})
}

// DragColumn moves the border of StartColumn to the mouse at x, in pixels. The column keeps room for its heading, and
// the names keep theirs. From then on no column changes its width by itself. Any goroutine may call it.
func (p *Panel) DragColumn(x float32) {
	p.change(func() {
		c, t := &p.canvas, &p.table
		w := &t.widths
		l := t.laneOf(w.column)
		if l == nil || !finite(x) || c.em <= 0 {
			return
		}
		most := l.x1 - l.x0 + max(t.namesEnd(t.placed)-t.placed.x0-nameRoom*c.em, 0)
		width := min(max(l.x1-x-w.offset, t.leastWidth(w.column)*c.em), most)
		for i := range t.lanes {
			own := &t.lanes[i]
			w.of[own.column] = (own.x1 - own.x0) / c.em
		}
		w.of[w.column], w.byUser[w.column] = width/c.em, true
	})
}

// ResetColumn gives a column its usual width again. Once the user has dragged no other, all columns have theirs. Any
// goroutine may call it.
func (p *Panel) ResetColumn(column process.Column) {
	p.change(func() {
		w := &p.table.widths
		if column >= numColumns {
			return
		}
		w.of[column], w.byUser[column] = 0, false
		if w.byUser == ([numColumns]bool{}) {
			w.of = [numColumns]float32{}
		}
	})
}

// leastWidth returns the least width of a column, in nominal pixels: that of its heading, and of an ordinary number.
func (t *table) leastWidth(column process.Column) float32 {
	switch column {
	case ColumnBar:
		return 60
	case ColumnSpark:
		return 110
	}
	return max(60, t.widths.headed[column]+30)
}
