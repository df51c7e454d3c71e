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
	menuItems
)

// menu is a list over the screen, from which keys or the mouse choose.
type menu struct {
	kind   menuKind
	cursor int
	lanes  []process.LaneInfo
	title  string // of items
	items  []MenuItem
	at     point // where items were opened
}

// len is the number of lines.
func (m *menu) len() int {
	switch m.kind {
	case menuColumns:
		return len(choices)
	case menuItems:
		return len(m.items)
	}
	return len(m.lanes) + 1
}

// hit is what choosing a line means.
func (m *menu) hit(line int) Hit {
	switch m.kind {
	case menuColumns:
		return hitOf(HitColumn, int(choices[line]))
	case menuItems:
		h := hitOf(HitCommand, line)
		h.Name = m.items[line].Name
		return h
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

// menuLine is the height of a line in nominal pixels.
const menuLine = 22

// drawMenu draws the open menu, as many lines as fit round its cursor.
func (p *Panel) drawMenu(screen rect) {
	c, m := &p.canvas, &p.menu
	if m.kind == menuNone || m.len() == 0 {
		return
	}
	m.lanes = p.source.AppendLanes(m.lanes[:0])
	m.cursor = min(m.cursor, m.len()-1)
	if m.kind != menuItems || !m.at.here {
		c.Rect(screen.x0, screen.y0, screen.x1, screen.y1, fade(c.background, 0.6))
	}
	c.add(screen, hitOf(HitMenuAway, 0))
	line := menuLine * c.em
	fit := max(int((screen.height()-70*c.em)/line), 1)
	first, end := window(m.len(), fit, m.cursor)
	box := m.box(c, screen, end-first)
	c.Round(box.x0-c.em, box.y0+3*c.em, box.x1+c.em, box.y1+3*c.em, 7*c.em, fade(c.background, 0.5))
	in := c.card(box)
	title, hint := "Columns", "Enter toggles, Esc closes"
	if end-first < m.len() {
		hint = "Enter toggles, more: ↑ ↓"
	}
	switch m.kind {
	case menuLanes:
		title, hint = "Lanes", "Enter chooses, Esc closes"
	case menuItems:
		title, hint = m.title, "Esc closes"
		if end-first < m.len() {
			hint = "more: ↑ ↓"
		}
	}
	head := rect{in.x0, box.y0 + 6*c.em, in.x1, box.y0 + 30*c.em}
	room := in.width() - c.right(in.x1, head, FaceSmall, hint, c.textFaint) - 12*c.em
	c.left(in.x0, room, head, FaceBold, title, c.textBright)
	for i := first; i < end; i++ {
		top := box.y0 + 36*c.em + float32(i-first)*line
		p.menuLine(rect{box.x0 + 5*c.em, snap(top), box.x1 - 5*c.em, snap(top + line)}, i)
	}
}

// menuLine draws one line.
func (p *Panel) menuLine(row rect, line int) {
	c, m := &p.canvas, &p.menu
	switch {
	case line == m.cursor && m.hit(line) != hitOf(HitCommand, line):
		c.Rect(row.x0, row.y0, row.x1, row.y1, c.selected)
		c.Rect(row.x0, row.y0+3*c.em, row.x0+3*c.em, row.y1-3*c.em, c.accent)
	case c.hovers(row):
		c.Rect(row.x0, row.y0, row.x1, row.y1, c.hovered)
	}
	c.add(row, m.hit(line))
	if m.kind == menuItems {
		m.drawItem(c, row, &m.items[line])
		return
	}
	x := row.x0 + 12*c.em
	if m.kind == menuColumns {
		w := columns[choices[line]]
		on := p.table.chosen.has(choices[line])
		c.check(x, row, on)
		x += 22 * c.em
		x += max(c.left(x, 110*c.em, row, FaceText, w.named(), c.textNormal)+10*c.em, 0)
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

// OpenColumns opens the column chooser over the screen, or closes it.
func (p *Panel) OpenColumns() { p.openMenu(menuColumns) }

// OpenLanes opens the lane picker over the screen, or closes it.
func (p *Panel) OpenLanes() { p.openMenu(menuLanes) }

func (p *Panel) openMenu(k menuKind) {
	p.change(func() {
		if p.menu.kind == k {
			k = menuNone
		}
		p.menu.kind, p.menu.cursor, p.help.page = k, 0, 0
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
	p.serial++
	f := &p.table.rows.filter
	switch {
	case p.help.page > 0:
		p.help.page = 0
	case p.menu.kind != menuNone:
		p.menu.kind = menuNone
	case f.typing || len(f.text) > 0 || f.callers:
		f.typing, f.text, f.callers = false, f.text[:0], false
	default:
		return false
	}
	return true
}

// CloseMenu closes the open menu.
func (p *Panel) CloseMenu() { p.change(func() { p.menu.kind = menuNone }) }

// MoveMenu moves the open menu's cursor by so many lines; it stops at the ends.
func (p *Panel) MoveMenu(lines int) {
	p.change(func() { p.menu.step(lines) })
}

// MenuHit returns what the line of the open menu's cursor chooses: what a click on it would hit.
func (p *Panel) MenuHit() Hit {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.menu.kind == menuNone {
		return hitOf(HitNone, 0)
	}
	return p.menu.hit(max(min(p.menu.cursor, p.menu.len()-1), 0))
}
