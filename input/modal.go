package input

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// text is what is known of where typed characters come from.
type text struct {
	chars   bool // the window delivers characters; otherwise keys stand for those of a US layout
	swallow bool // the next character belongs to the key that opened the filter
	guessed bool // the last key was taken for a character
}

// Char handles a character typed. It is used while a zone's name is being typed.
func (c *Controller) Char(r rune) (used bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := !c.text.chars
	c.text.chars = true
	if !c.Captured() || !c.panel.Typing() || c.text.swallow {
		return c.text.swallow
	}
	if first && c.text.guessed {
		c.panel.Erase()
	}
	c.panel.Type(r)
	return true
}

// takeModal gives keys to the filter while a name is typed, or to an open menu. What both leave alone is bound as ever.
func (c *Controller) takeModal(key Key, mods Mods) (do command, taken bool) {
	if !c.Captured() {
		return nil, false
	}
	if key == KeyEscape && mods&telling == 0 && (c.panel.Dismiss() || clearLens(c.session)) {
		return nil, true // whatever else it is bound to
	}
	b, bound := c.find(key, mods)
	if bound && b.Always {
		return nil, false
	}
	switch {
	case c.panel.MenuOpen():
		return c.menuKey(key, b.Name), true
	case c.panel.Typing():
		return c.filterKey(key, mods)
	}
	c.text.swallow = bound && b.Name == "find"
	c.text.guessed = false
	return nil, false
}

// filterKey is what a key does while a name is typed.
func (c *Controller) filterKey(key Key, mods Mods) (do command, taken bool) {
	c.text.guessed = false
	switch key {
	case KeyUp, KeyDown, KeyPageUp, KeyPageDown:
		return nil, false
	case KeyEnter, KeyKeypadEnter:
		return closeFilter, true
	case KeyBackspace:
		return func(_ *process.Session, p *draw.Panel) { p.Erase() }, true
	}
	if !c.text.chars && key >= KeySpace && key < 127 && mods&(Control|Alt|Super) == 0 {
		c.text.guessed = true
		c.panel.Type(guess(key, mods))
	}
	return nil, true
}

// guess is the character of a key on a US layout, as far as names have it.
func guess(key Key, mods Mods) rune {
	switch {
	case key == '-' && mods&Shift != 0:
		return '_'
	case key == '9' && mods&Shift != 0:
		return '('
	case key == '0' && mods&Shift != 0:
		return ')'
	}
	return rune(key)
}

// closeFilter keeps the filter, with the cursor on a row that it shows.
func closeFilter(s *process.Session, p *draw.Panel) {
	p.CloseFilter()
	if record := p.Step(s.View(), 0); record >= 0 {
		s.SetCursor(record)
	}
}

// menuKey is what a key does while a menu is open.
func (c *Controller) menuKey(key Key, name string) command {
	move := func(lines int) command { return func(_ *process.Session, p *draw.Panel) { p.MoveMenu(lines) } }
	switch key {
	case KeyUp:
		return move(-1)
	case KeyDown:
		return move(1)
	case KeyPageUp, KeyHome:
		return move(-farAway)
	case KeyPageDown, KeyEnd:
		return move(farAway)
	case KeyEnter, KeyKeypadEnter, KeySpace:
		if hit := c.panel.MenuHit(); hit.Kind == draw.HitCommand {
			c.panel.CloseMenu()
			return c.doNamed(hit.Name)
		}
		return func(s *process.Session, p *draw.Panel) { choose(s, p, p.MenuHit()) }
	}
	switch name {
	case "columns":
		return openColumns
	case "pick-lane":
		return openLanes
	case "menu", "row-menu", "frames":
		c.panel.CloseMenu()
	}
	return nil
}

// choose does what a line of a menu stands for. It reports whether the hit was one.
func choose(s *process.Session, p *draw.Panel, hit draw.Hit) bool {
	switch hit.Kind {
	case draw.HitColumn:
		p.ToggleColumn(process.Column(hit.Index))
	case draw.HitLane:
		s.SetLane(hit.Lane)
		p.CloseMenu()
	case draw.HitMenuAway:
		p.CloseMenu()
	default:
		return false
	}
	return true
}
