package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// menuKind is the kind of the open menu.
type menuKind uint8

const (
	menuNone menuKind = iota
	menuColumns
	menuLanes
	menuItems
)

// menu is a list over the screen. The user chooses a line with the keys or the mouse.
type menu struct {
	kind   menuKind
	cursor int
	lanes  []laneLine
	groups []laneLine // of lanes
	inside []laneLine // of an open group
	open   openGroups // go statements whose lanes are listed
	title  string     // of the items
	items  []MenuItem
	at     point // where the items were opened
	found  menuSearch
}

// len returns the number of lines.
func (m *menu) len() int {
	switch m.kind {
	case menuColumns:
		return len(choices)
	case menuItems:
		return len(m.items)
	}
	return len(m.lanes) + 1
}

// hit returns the hit of a line.
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
		h.Lane = m.lanes[line-1].id
		if m.lanes[line-1].n > 0 {
			h.Name = m.lanes[line-1].name
		}
	}
	return h
}

// choices are the columns that can be chosen. Those of a baseline and of the extra report appear and disappear with
// these.
var choices = func() (c []process.Column) {
	for _, w := range wishes {
		extra := w.column >= process.ColumnExtraSelf && w.column <= process.ColumnExtraPercent
		if w.column != ColumnDelta && w.column != ColumnDeltaPercent && !extra {
			c = append(c, w.column)
		}
	}
	return c
}()

// menuWidth is the width of a menu in nominal pixels.
const menuWidth = 300

// menuLine is the height of a line in nominal pixels.
const menuLine = 22

// drawMenu draws the open menu. If not all lines fit, it draws those around the cursor.
func (p *Panel) drawMenu(screen rect) {
	c, m := &p.canvas, &p.menu
	if m.kind == menuNone || m.len() == 0 {
		return
	}
	m.takeLanes(p.shown.Lanes)
	m.cursor = min(m.cursor, m.len()-1)
	if m.kind != menuItems || !m.at.here {
		c.Rect(screen.x0, screen.y0, screen.x1, screen.y1, draw.Fade(c.Background, 0.6))
	}
	c.add(screen, hitOf(HitMenuAway, 0))
	line := menuLine * c.em
	fit := max(int((screen.height()-70*c.em)/line), 1)
	first, end := draw.Window(m.len(), fit, m.cursor)
	box := m.box(c, screen, end-first)
	c.Round(box.x0-c.em, box.y0+3*c.em, box.x1+c.em, box.y1+3*c.em, 7*c.em, draw.Fade(c.Background, 0.5))
	in := c.card(box)
	title, hint := "Columns", "Enter toggles, Esc closes"
	if end-first < m.len() {
		hint = "Enter toggles, more: ↑ ↓"
	}
	switch m.kind {
	case menuLanes:
		title, hint = "Goroutines", "Enter chooses, Esc closes"
	case menuItems:
		title, hint = m.title, "Esc closes"
		switch {
		case m.found.on && m.found.query != "":
			title, hint = m.found.query, "Backspace, Esc closes"
		case m.found.on:
			hint = "type to search, more: ↑ ↓"
		case end-first < m.len():
			hint = "more: ↑ ↓"
		}
	}
	head := rect{in.x0, box.y0 + 6*c.em, in.x1, box.y0 + 30*c.em}
	room := in.width() - c.right(in.x1, head, draw.FaceSmall, hint, c.TextFaint) - 12*c.em
	c.left(in.x0, room, head, draw.FaceBold, title, c.TextBright)
	for i := first; i < end; i++ {
		top := box.y0 + 36*c.em + float32(i-first)*line
		p.menuLine(rect{box.x0 + 5*c.em, draw.Snap(top), box.x1 - 5*c.em, draw.Snap(top + line)}, i)
	}
}

// menuLine draws one line.
func (p *Panel) menuLine(row rect, line int) {
	c, m := &p.canvas, &p.menu
	switch {
	case line == m.cursor && m.hit(line) != hitOf(HitCommand, line):
		c.Rect(row.x0, row.y0, row.x1, row.y1, c.Selected)
		c.Rect(row.x0, row.y0+3*c.em, row.x0+3*c.em, row.y1-3*c.em, c.Accent)
	case c.hovers(row):
		c.Rect(row.x0, row.y0, row.x1, row.y1, c.Hovered)
	}
	c.add(row, m.hit(line))
	if m.kind == menuItems {
		m.drawItem(c, row, &m.items[line])
		return
	}
	x := row.x0 + 12*c.em
	if m.kind == menuColumns {
		w := describe(choices[line])
		on := p.table.chosen.has(choices[line])
		c.check(x, row, on)
		x += 22 * c.em
		x += max(c.left(x, 110*c.em, row, draw.FaceText, columnName(w), c.TextNormal)+10*c.em, 0)
		c.left(x, row.x1-x-8*c.em, row, draw.FaceSmall, w.Words, c.TextDim)
		return
	}
	p.laneLine(row, line-1)
}

// check draws a box, ticked if on.
func (c *canvas) check(x float32, row rect, on bool) {
	y := draw.Snap((row.y0 + row.y1) / 2)
	c.Border(x, y-6*c.em, x+12*c.em, y+6*c.em, 3*c.em, c.TextFaint)
	if on {
		c.Round(x+3*c.em, y-3*c.em, x+9*c.em, y+3*c.em, 2*c.em, c.Accent)
	}
}

// openColumns opens the column chooser over the screen, or closes it.
func (p *Panel) openColumns() { p.openMenu(menuColumns) }

// openLanes opens the lane picker over the screen, or closes it.
func (p *Panel) openLanes() { p.openMenu(menuLanes) }

func (p *Panel) openMenu(k menuKind) {
	p.change(func() {
		if p.menu.kind == k {
			k = menuNone
		}
		p.menu.kind, p.menu.cursor, p.help.page = k, 0, 0
	})
}

// Dismiss ends the guided look, or else closes the help, or else the open menu, or else the ruler, or else clears the
// filter. It reports whether there was one of them. Any goroutine may call it.
func (p *Panel) Dismiss() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.serial++
	a := p.arrangement()
	switch {
	case p.guide.step > 0:
		p.guide.step = 0
	case p.help.page > 0:
		p.help.page = 0
	case p.menu.kind != menuNone:
		p.menu.kind = menuNone
	case p.timeline.ruler.on || p.timeline.ruler.armed:
		p.timeline.ruler = ruler{}
	case p.table.typing || a.Filter != "" || a.CallersOnly:
		p.table.typing = false
		p.source.Arrange(func(a *process.Arrangement) { a.Filter, a.CallersOnly = "", false })
	default:
		return false
	}
	return true
}

// closeMenu closes the open menu. Any goroutine may call it.
func (p *Panel) closeMenu() { p.change(func() { p.menu.kind = menuNone }) }
