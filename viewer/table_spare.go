package viewer

import "example.com/iprof/draw"

// nameWidth is the usual width for names. The widest bars and lines in a table with room to spare are widestBar and
// widestSpark. All are in nominal pixels.
const nameWidth, widestBar, widestSpark = 340, 640, 480

// spare gives the room that names do not need to the bar and to the line of the last frames. The names of the rows in
// sight have what they need. It changes only when longer names appear.
func (t *table) spare(c *canvas, d *shown, in rect) {
	if mode := d.view.Mode; mode != t.widthOf || in != t.placed {
		t.widthOf, t.placed, t.named = mode, in, 0
	}
	for line := t.top; line < min(t.top+t.visible, d.Report.Len()); line++ {
		r, _ := d.Report.Line(line)
		width := c.Width(draw.FaceText, c.label(d, r.Zone, r.Name)) + (70+16*float32(min(r.Indent, 24)))*c.em
		t.named = max(t.named, width)
	}
	room := t.namesEnd(in) - in.x0 - min(max(t.named, nameWidth*c.em), in.width()/2)
	if room <= 0 {
		return
	}
	moved := float32(0)
	for i := range t.lanes {
		l, most := &t.lanes[i], float32(0)
		switch {
		case t.widths.of[l.column] > 0:
		case l.column == ColumnBar:
			most = widestBar * c.em
		case l.column == ColumnSpark:
			most = widestSpark * c.em
		}
		width := l.x1 - l.x0
		l.x1 -= moved
		if more := min(most-width, 0.6*room, room-moved); most > 0 && more > 0 {
			moved += draw.Snap(more)
		}
		l.x0 -= moved
	}
}
