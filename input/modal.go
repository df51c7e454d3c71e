package input

import (
	"math"

	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// text is the state of typed text. Windows without a character callback deliver keys only.
type text struct {
	chars   bool // the window delivers characters; before the first one, keys are read as on a US layout
	swallow bool // the next character comes from the key that opened the filter
	guessed bool // the last key was read as a character
}

// Char handles a typed character. The overlay uses it only while the user types the name of a zone, or words to search
// a menu or the help.
func (c *Controller) Char(r rune) (used bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := !c.text.chars
	c.text.chars = true
	if !c.focused() || !c.panel.State().Typing || c.text.swallow {
		return c.text.swallow
	}
	if first && c.text.guessed {
		c.panel.Erase()
	}
	c.panel.Type(r)
	return true
}

// takeModal handles the keys of an open menu, or of the filter while the user types a name. It leaves all other keys to
// the bindings.
func (c *Controller) takeModal(key Key, mods Mods) (do act, taken bool) {
	if !c.focused() {
		return nil, false
	}
	if key == KeyEscape && mods&anyMod == 0 && (c.panel.Dismiss() || viewer.ClearLens(c.session)) {
		return nil, true // before any binding of Escape
	}
	if g := c.panel.State().Guide; g > 0 && mods&anyMod == 0 {
		if do, taken := guideKey(key, g > 1); taken {
			return do, true
		}
	}
	b, bound := c.find(key, mods)
	if bound && b.Always {
		return nil, false
	}
	if c.panel.State().Help {
		return c.helpKey(key, mods, b.Name)
	}
	if name := c.verdictKey(key, mods); name != "" {
		command, _ := c.panel.Command(name)
		return command.Do, true
	}
	switch {
	case c.panel.State().MenuOpen:
		return c.menuKey(key, mods, b.Name), true
	case c.panel.State().Typing:
		return c.filterKey(key, mods)
	}
	c.text.swallow = bound && b.Name == "find"
	c.text.guessed = false
	return nil, false
}

// verdictKey returns the command of a key on the line of the verdict, or while the verdict is drawn, or "".
func (c *Controller) verdictKey(key Key, mods Mods) string {
	q := c.panel.State()
	if mods&anyMod != 0 || q.MenuOpen || q.Typing {
		return ""
	}
	switch key {
	case KeySpace:
		if q.Answer {
			return "next-cause"
		}
	case KeyEnter, KeyKeypadEnter:
		if hit := c.panel.HitAt(c.x, c.y); hit.Kind == viewer.HitCommand && hit.Name == "why" && !q.Answer {
			return hit.Name
		}
	}
	return ""
}

// guideKey returns the effect of a key while the guided look is shown or offered.
func guideKey(key Key, shown bool) (do act, taken bool) {
	press := func(what int) (act, bool) {
		return func(_ *process.Session, p *viewer.Panel) {
			p.Press(viewer.Hit{Kind: viewer.HitGuide, Index: what})
		}, true
	}
	switch {
	case key == KeyEnter || key == KeyKeypadEnter, shown && (key == KeyRight || key == KeySpace):
		return press(0)
	case shown && (key == KeyLeft || key == KeyBackspace):
		return press(1)
	}
	return nil, shown && key != KeyF1 && key != KeyF2
}

// helpKey returns the effect of a key while the help is shown: the key turns the page, or is part of the search words.
func (c *Controller) helpKey(key Key, mods Mods, name string) (do act, taken bool) {
	if name == "help" {
		command, _ := c.panel.Command(name)
		return command.Do, true
	}
	switch key {
	case KeyUp, KeyDown, KeyPageUp, KeyPageDown, KeyEnter, KeyKeypadEnter:
		return nil, true
	}
	return c.filterKey(key, mods)
}

// filterKey returns the effect of a key while the user types a name.
func (c *Controller) filterKey(key Key, mods Mods) (do act, taken bool) {
	c.text.guessed = false
	switch key {
	case KeyUp, KeyDown, KeyPageUp, KeyPageDown:
		return nil, false
	case KeyEnter, KeyKeypadEnter:
		return func(_ *process.Session, p *viewer.Panel) { p.CloseFilter() }, true
	case KeyBackspace:
		return func(_ *process.Session, p *viewer.Panel) { p.Erase() }, true
	}
	if !c.text.chars && key >= KeySpace && key < 127 && mods&(ModControl|ModAlt|ModSuper) == 0 {
		c.text.guessed = true
		c.panel.Type(guess(key, mods))
	}
	return nil, true
}

// guess returns the character of a key on a US layout. It covers the characters that names of zones have.
func guess(key Key, mods Mods) rune {
	switch {
	case key == '-' && mods&ModShift != 0:
		return '_'
	case key == '9' && mods&ModShift != 0:
		return '('
	case key == '0' && mods&ModShift != 0:
		return ')'
	}
	return rune(key)
}

// menuKey returns the effect of a key while a menu is open.
func (c *Controller) menuKey(key Key, mods Mods, name string) act {
	move := func(lines int) act { return func(_ *process.Session, p *viewer.Panel) { p.Scroll(lines) } }
	switch key {
	case KeyUp:
		return move(-1)
	case KeyDown:
		return move(1)
	case KeyPageUp, KeyHome:
		return move(-math.MaxInt32)
	case KeyPageDown, KeyEnd:
		return move(math.MaxInt32)
	case KeyEnter, KeyKeypadEnter, KeySpace:
		if key == KeySpace && c.panel.State().Typing {
			break
		}
		if hit := c.panel.State().Choice; hit.Kind == viewer.HitCommand {
			c.panel.Press(hit)
			if command, _ := c.panel.Command(hit.Name); command.Do != nil {
				return command.Do
			}
			return func(_ *process.Session, p *viewer.Panel) { p.Run(hit.Name) } // a zone, a column or a file
		}
		return func(s *process.Session, p *viewer.Panel) { choose(s, p, p.State().Choice) }
	}
	if c.panel.State().Typing && name != "menu" {
		do, _ := c.filterKey(key, mods)
		return do
	}
	switch name {
	case "columns", "pick-lane":
		command, _ := c.panel.Command(name)
		return command.Do
	case "menu", "row-menu", "frames":
		c.panel.Press(viewer.Hit{Kind: viewer.HitMenuAway})
	}
	return nil
}

// choose performs the effect of a hit on a menu. It reports whether the hit was on a menu.
func choose(s *process.Session, p *viewer.Panel, hit viewer.Hit) bool {
	switch hit.Kind {
	case viewer.HitLane:
		if hit.Name == "" { // otherwise the entry opens a group
			s.SetLane(hit.Lane)
		}
	case viewer.HitColumn, viewer.HitMenuAway, viewer.HitGuide:
	default:
		return false
	}
	return p.Press(hit)
}
