package draw

import (
	"example.com/iprof/process"
)

// menuKind says what an open menu chooses.
type menuKind uint8

const (
	menuNone menuKind = iota
	menuColumns
	menuLanes
)

// menu is a list over the screen, from which keys or the mouse choose.
type menu struct {
	kind   menuKind
	cursor int
	lanes  []process.LaneInfo
}

// len is the number of lines.
func (m *menu) len() int {
	if m.kind == menuColumns {
		return len(choices)
	}
	return len(m.lanes) + 1
}

// hit is what choosing a line means.
func (m *menu) hit(line int) Hit {
	if m.kind == menuColumns {
		return hitOf(HitColumn, int(choices[line]))
	}
	h := hitOf(HitLane, line)
	if line > 0 {
		h.Lane = m.lanes[line-1].ID
	}
	return h
}

// choices are the columns that can be chosen: all but those that come and go with a baseline.
var choices = func() (c []process.Column) {
	for _, w := range wishes {
		if w.column != ColumnDelta && w.column != ColumnDeltaPercent && (w.column < process.ColumnExtraSelf || w.column > process.ColumnExtraPercent) {
			c = append(c, w.column)
		}
	}
	return c
}()

// menuWidth is the width of a menu in nominal pixels.
const menuWidth = 300

// drawMenu draws the open menu in the middle of the screen, as many lines as fit round its cursor.
func (p *Panel) drawMenu(screen rect) {
	c, m := &p.canvas, &p.menu
	if m.kind == menuNone {
		return
	}
	m.lanes = p.source.AppendLanes(m.lanes[:0])
	m.cursor = min(m.cursor, m.len()-1)
	c.Rect(screen.x0, screen.y0, screen.x1, screen.y1, fade(c.background, 0.6))
	c.add(screen, hitOf(HitMenuAway, 0))
	line := 22 * c.em
	fit := max(int((screen.height()-80*c.em)/line), 1)
	first, end := window(m.len(), fit, m.cursor)
	width, height := min(menuWidth*c.em, screen.width()), float32(end-first)*line+48*c.em
	x, y := snap((screen.width()-width)/2), snap((screen.height()-height)/2)
	box := rect{x, y, x + snap(width), y + snap(height)}
	in := c.card(box)
	title, hint := "Columns", "Enter toggles, Esc closes"
	if m.kind == menuLanes {
		title, hint = "Lanes", "Enter chooses, Esc closes"
	}
	head := rect{in.x0, y + 6*c.em, in.x1, y + 30*c.em}
	c.left(in.x0, in.width(), head, FaceBold, title, c.textBright)
	c.right(in.x1, head, FaceSmall, hint, c.textFaint)
	for i := first; i < end; i++ {
		top := y + 36*c.em + float32(i-first)*line
		p.menuLine(rect{box.x0 + 5*c.em, snap(top), box.x1 - 5*c.em, snap(top + line)}, i)
	}
}

// menuLine draws one line.
func (p *Panel) menuLine(row rect, line int) {
	c, m := &p.canvas, &p.menu
	switch {
	case line == m.cursor:
		c.Rect(row.x0, row.y0, row.x1, row.y1, c.selected)
		c.Rect(row.x0, row.y0+3*c.em, row.x0+3*c.em, row.y1-3*c.em, c.accent)
	case c.hovers(row):
		c.Rect(row.x0, row.y0, row.x1, row.y1, c.hovered)
	}
	c.add(row, m.hit(line))
	x := row.x0 + 12*c.em
	if m.kind == menuColumns {
		w := columns[choices[line]]
		on := p.table.chosen.has(choices[line])
		c.check(x, row, on)
		x += 22 * c.em
		x += max(c.left(x, 100*c.em, row, FaceText, w.heading, c.textNormal)+10*c.em, 0)
		c.left(x, row.x1-x-8*c.em, row, FaceSmall, w.words, c.textDim)
		return
	}
	name, busy, id := "all lanes", 0.0, uint64(0)
	if line > 0 {
		l := &m.lanes[line-1]
		name, busy, id = l.Name, l.Self, l.ID
	}
	c.check(x, row, p.shown.view.Lane == id)
	x += 22 * c.em
	end := row.x1 - 10*c.em
	if line > 0 {
		end -= c.right(end, row, FaceSmall, "ms", c.textFaint) + 5*c.em
		end -= c.number(end, row, FaceMono, busy, c.precision, c.textNormal) + 10*c.em
	}
	c.left(x, end-x, row, FaceText, name, c.textNormal)
}

// check draws a box that is ticked or not.
func (c *canvas) check(x float32, row rect, on bool) {
	y := snap((row.y0 + row.y1) / 2)
	c.Border(x, y-6*c.em, x+12*c.em, y+6*c.em, 3*c.em, c.textFaint)
	if on {
		c.Round(x+3*c.em, y-3*c.em, x+9*c.em, y+3*c.em, 2*c.em, c.accent)
	}
}

// laneChip draws the name of the lane that the report is of, if it is one lane, and returns where it ends.
func laneChip(c *canvas, d *shown, r rect, x, limit float32) float32 {
	name := d.info.Lane
	if d.view.Lane == 0 || name == "" {
		return x
	}
	width := min(c.Width(FaceSmall, name), 110*c.em) + 14*c.em
	if x+width > limit {
		return x
	}
	y := (r.y0 + r.y1) / 2
	box := rect{x, y - 10*c.em, x + width, y + 10*c.em}
	ground := c.raised
	if c.hovers(box) {
		ground = c.tab
	}
	c.Round(box.x0, box.y0, box.x1, box.y1, 4*c.em, ground)
	c.left(x+7*c.em, width-14*c.em, r, FaceSmall, name, c.textNormal)
	c.add(box, hitOf(HitLanes, 0))
	return box.x1 + 5*c.em
}

// OpenColumns opens the column chooser over the screen, or closes it.
func (p *Panel) OpenColumns() { p.openMenu(menuColumns) }

// OpenLanes opens the lane picker over the screen, or closes it.
func (p *Panel) OpenLanes() { p.openMenu(menuLanes) }

func (p *Panel) openMenu(k menuKind) {
	p.change(func() {
		if p.menu.kind == k {
			k = menuNone
		}
		p.menu.kind, p.menu.cursor = k, 0
	})
}

// MenuOpen reports whether a menu is open: the keys that move and choose are then its own.
func (p *Panel) MenuOpen() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.menu.kind != menuNone
}

// Dismiss takes away one thing that lies over the display: the help, the menu, or the filter. It reports whether there was one.
func (p *Panel) Dismiss() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := &p.table.rows.filter
	switch {
	case p.help.page > 0:
		p.help.page = 0
	case p.menu.kind != menuNone:
		p.menu.kind = menuNone
	case f.typing || len(f.text) > 0:
		f.typing, f.text = false, f.text[:0]
	default:
		return false
	}
	return true
}

// CloseMenu closes the open menu.
func (p *Panel) CloseMenu() { p.change(func() { p.menu.kind = menuNone }) }

// MoveMenu moves the open menu's cursor by so many lines; it stops at the ends.
func (p *Panel) MoveMenu(lines int) {
	p.change(func() { p.menu.cursor = max(min(p.menu.cursor+lines, p.menu.len()-1), 0) })
}

// MenuHit returns what the line of the open menu's cursor chooses: what a click on it would hit.
func (p *Panel) MenuHit() Hit {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.menu.kind == menuNone {
		return hitOf(HitNone, 0)
	}
	return p.menu.hit(min(p.menu.cursor, p.menu.len()-1))
}
