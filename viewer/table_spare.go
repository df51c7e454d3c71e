package viewer

import "example.com/iprof/draw"

// nameWidth is the usual width for names, in nominal pixels.
const nameWidth = 340

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
	room := t.namesEnd(in) - in.x0 - max(t.named, nameWidth*c.em)
	if room <= 0 {
		return
	}
	moved := float32(0)
	for i := range t.lanes {
		l := &t.lanes[i]
		l.x1 -= moved
		if own := t.widths.of[l.column] > 0; !own && (l.column == ColumnBar || l.column == ColumnSpark) {
			moved += draw.Snap(min(0.6*room, room-moved))
		}
		l.x0 -= moved
	}
}
