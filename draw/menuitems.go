package draw

import (
	"math"
	"slices"
)

// MenuItem is a line of a menu that the host or package input makes.
type MenuItem struct {
	Name   string // of the command, which HitCommand tells; a line without one cannot be chosen
	Text   string // what it does, in words
	Keys   string // that do the same
	Ticked bool   // what it switches is on
}

// OpenMenu opens a menu with its corner at (x, y) in pixels, or as near as it fits; in the middle of the screen where x is no
// number. An open menu is replaced. The slice is copied.
func (p *Panel) OpenMenu(title string, items []MenuItem, x, y float32) {
	p.change(func() {
		m := &p.menu
		p.help.page = 0
		m.kind, m.title, m.items = menuItems, title, append(m.items[:0], items...)
		m.at = point{x, y, !math.IsNaN(float64(x + y))}
		m.cursor = max(slices.IndexFunc(items, func(i MenuItem) bool { return i.Name != "" }), 0)
	})
}

// step moves the cursor by so many lines, past those that cannot be chosen.
func (m *menu) step(lines int) {
	at := max(min(m.cursor+lines, m.len()-1), 0)
	if m.kind == menuItems {
		way := 1
		if lines < 0 {
			way = -1
		}
		for at+way >= 0 && at+way < len(m.items) && m.items[at].Name == "" {
			at += way
		}
		if m.items[at].Name == "" {
			return
		}
	}
	m.cursor = at
}

// menuBox is where a menu of so many lines lies: at the place it was opened at, or in the middle.
func (m *menu) box(c *canvas, screen rect, lines int) rect {
	width := min(m.width(c), screen.width())
	height := float32(lines)*menuLine*c.em + 48*c.em
	x, y := (screen.width()-width)/2, (screen.height()-height)/2
	if m.kind == menuItems && m.at.here {
		x, y = min(max(m.at.x, 0), screen.width()-width), min(max(m.at.y, 0), max(screen.height()-height, 0))
	}
	x, y = snap(x), snap(y)
	return rect{x, y, x + snap(width), y + snap(height)}
}

// width is the width that the lines need.
func (m *menu) width(c *canvas) float32 {
	width := menuWidth * c.em
	if m.kind != menuItems {
		return width
	}
	width = c.Width(FaceBold, m.title) + 180*c.em
	for _, i := range m.items {
		width = max(width, c.Width(FaceText, i.Text)+c.Width(FaceSmall, i.Keys)+90*c.em)
	}
	return width
}

// drawItem draws a line of a menu of commands.
func (m *menu) drawItem(c *canvas, row rect, i *MenuItem) {
	x := row.x0 + 12*c.em
	if i.Name == "" {
		c.left(x, row.width(), row, FaceSmall, i.Text, c.textFaint)
		c.Rect(x, row.y1-c.em, row.x1-12*c.em, row.y1-c.em+ringWidth(c.em), c.gridLine)
		return
	}
	if i.Ticked {
		c.check(x, row, true)
	}
	end := row.x1 - 10*c.em
	if i.Keys != "" {
		end -= c.Width(FaceSmall, i.Keys) + 12*c.em
		c.chip(end, row, i.Keys, c.raised, c.textDim)
	}
	c.left(x+20*c.em, end-x-26*c.em, row, FaceText, i.Text, c.textNormal)
}
