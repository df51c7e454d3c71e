package viewer

import (
	"math"
	"slices"

	"example.com/iprof/draw"
)

// MenuItem is a line in a menu of commands.
type MenuItem struct {
	Name   string // the command's, also in a hit of kind HitCommand; a line without one cannot be chosen
	Text   string // the words of the line
	Keys   string // keys of the command
	Ticked bool   // the setting that it switches is on
}

// openItems opens a menu whose corner is at (x, y) in pixels, or as near as it fits. If x or y is NaN, the menu opens
// in the middle of the screen. It replaces an open menu. The slice is copied.
func (p *Panel) openItems(title string, items []MenuItem, x, y float32) {
	p.change(func() {
		m := &p.menu
		p.help.page = 0
		m.kind, m.title, m.items = menuItems, title, append(m.items[:0], items...)
		m.found = menuSearch{}
		m.at = point{x, y, !math.IsNaN(float64(x + y))}
		m.cursor = max(slices.IndexFunc(items, func(i MenuItem) bool { return i.Name != "" }), 0)
	})
}

// step moves the cursor by a number of lines. It skips lines that cannot be chosen.
func (m *menu) step(lines int) {
	at := max(min(m.cursor+lines, m.len()-1), 0)
	if m.kind == menuItems {
		way := 1
		if lines < 0 {
			way = -1
		}
		at = m.choosable(at, way)
		if m.items[at].Name == "" {
			at = m.choosable(at, -way)
		}
	}
	m.cursor = at
}

// choosable returns the first line from at on that can be chosen, up or down. If there is none, it returns the last
// line in that direction.
func (m *menu) choosable(at, way int) int {
	for at+way >= 0 && at+way < len(m.items) && m.items[at].Name == "" {
		at += way
	}
	return at
}

// box returns the place of a menu with a number of lines.
func (m *menu) box(c *canvas, screen rect, lines int) rect {
	width := min(m.width(c), screen.width())
	height := float32(lines)*menuLine*c.em + 48*c.em
	x, y := (screen.width()-width)/2, (screen.height()-height)/2
	if m.kind == menuItems && m.at.here {
		x, y = min(max(m.at.x, 0), screen.width()-width), min(max(m.at.y, 0), max(screen.height()-height, 0))
	}
	x, y = draw.Snap(x), draw.Snap(y)
	return rect{x, y, x + draw.Snap(width), y + draw.Snap(height)}
}

// width returns the width that the lines need.
func (m *menu) width(c *canvas) float32 {
	width := menuWidth * c.em
	if m.kind == menuLanes {
		return 480 * c.em // names of functions and files
	}
	if m.kind != menuItems {
		return width
	}
	width = c.Width(draw.FaceBold, m.title) + 180*c.em
	items := m.items
	if m.found.on { // a search does not change the width
		items = m.found.all
	}
	for _, i := range items {
		width = max(width, c.Width(draw.FaceText, i.Text)+c.Width(draw.FaceSmall, i.Keys)+90*c.em)
	}
	return width
}

// drawItem draws a line in a menu of commands.
func (m *menu) drawItem(c *canvas, row rect, i *MenuItem) {
	x := row.x0 + 12*c.em
	if i.Name == "" {
		c.left(x, row.width(), row, draw.FaceSmall, i.Text, c.TextFaint)
		c.Rect(x, row.y1-c.em, row.x1-12*c.em, row.y1-c.em+draw.Hairline(c.em), c.GridLine)
		return
	}
	if i.Ticked {
		c.check(x, row, true)
	}
	end := row.x1 - 10*c.em
	if i.Keys != "" {
		end -= c.Width(draw.FaceSmall, i.Keys) + 12*c.em
		c.chip(end, row, i.Keys, c.Raised, c.TextDim)
	}
	c.left(x+20*c.em, end-x-26*c.em, row, draw.FaceText, i.Text, c.TextNormal)
}
