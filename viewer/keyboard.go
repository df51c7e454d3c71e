package viewer

import (
	"math"

	"example.com/iprof/process"
	"example.com/iprof/viewer/hit"
)

// Key takes a key or a character, and reports whether the panel used it. A hidden panel uses only the keys of commands
// that show it, and a panel without the focus only those of commands that are always on. Commands run on the calling
// goroutine. Any goroutine may call it.
func (p *Panel) Key(e KeyEvent) (used bool) {
	p.pointer.mu.Lock()
	late := p.text.takeLate(&e)
	places := p.text.places && !p.text.chars
	p.pointer.mu.Unlock()
	showPlaces(p, places)
	if late.Key != "" {
		used = p.Key(late)
	}
	if e.Up {
		return used
	}
	p.pointer.mu.Lock()
	take := p.takeKey
	if e.Key == "" {
		take = p.character
	}
	do, used := take(&e)
	p.pointer.mu.Unlock()
	if do != nil {
		p.Act(do)
	}
	return used
}

// takeKey decides whether the panel uses a key, and returns its effect, which runs without the lock. It may leave the
// key to its character.
func (p *Panel) takeKey(e *KeyEvent) (do action, used bool) {
	p.text.swallow = false
	command, bound := p.boundTo(e.Key)
	if !p.State().Typing && p.text.waits(e, bound) {
		return nil, bound && p.accepts(&command)
	}
	if do, taken := p.takeModal(e); taken {
		return do, true
	}
	switch {
	case !bound || !p.accepts(&command):
		return nil, false
	case e.Repeat && !command.Repeat:
		return nil, true
	}
	return command.Do, true
}

// character decides whether the panel uses a typed character, and returns its effect. It is text while the user types
// the name of a zone, or words to search a menu or the help. Else it is the key of a command, if its key waits for it.
func (p *Panel) character(e *KeyEvent) (do action, used bool) {
	first, pressed := !p.text.chars, p.text.pending
	p.text.chars, p.text.pending = true, KeyEvent{}
	q, turns := p.State(), p.commandOf[string(e.Char)] == "help"
	switch {
	case p.text.swallow:
		p.text.swallow = false
		return nil, true
	case p.listens() && q.Typing && !(q.Help && turns):
		if first && p.text.guessed {
			p.erase()
		}
		p.typeRune(e.Char)
		return nil, true
	case q.Help && turns:
		pressed = KeyEvent{Key: string(e.Char)}
	case pressed.Key == "":
		return nil, false
	default:
		pressed.Key, pressed.Char = keyOfChar(e.Char, pressed.Key, p.commandOf), 0
	}
	do, used = p.takeKey(&pressed)
	p.text.swallow = false
	return do, used
}

// split returns a key without its modifiers, and whether it has none.
func (e *KeyEvent) split() (key string, plain bool) {
	mods, key := splitKey(e.Key)
	return key, mods == "" && key != "?"
}

// isEnter reports whether a key is one of the two Enter keys.
func isEnter(key string) bool { return key == "Enter" || key == keypadEnter }

// takeModal handles the keys of what lies over the screen, and of the filter while the user types a name. It leaves all
// other keys to their commands.
func (p *Panel) takeModal(e *KeyEvent) (do action, taken bool) {
	if !p.listens() {
		return nil, false
	}
	key, plain := e.split()
	if key == "Esc" && plain && (p.dismiss() || clearLens(p.view)) {
		return nil, true // before a command of Escape
	}
	if step := p.State().Guide; step > 0 && plain {
		if do, taken := p.guide.Key(key, step > offered); taken {
			return do, true
		}
	}
	command, bound := p.boundTo(e.Key)
	if bound && command.Always {
		return nil, false
	}
	q := p.State()
	if q.Help {
		if do, taken := p.help.Key(e, command.Name); taken {
			return do, true
		}
		return p.filterKey(e)
	}
	if name := p.answer.Key(key, plain, &q, p.HitAt(p.pointer.x, p.pointer.y)); name != "" {
		command, _ := p.Command(name)
		return command.Do, true
	}
	switch {
	case q.MenuOpen:
		if do, taken := p.menu.Key(e, command.Name, q.Typing); taken {
			return do, true
		}
		do, _ := p.filterKey(e)
		return do, true
	case q.Typing:
		return p.filterKey(e)
	}
	p.text.swallow = bound && command.Name == "find"
	p.text.guessed = false
	return nil, false
}

// Key returns the command of a key on the line of the verdict, or while the verdict is drawn, or "".
func (a *answerPart) Key(key string, plain bool, q *State, under Hit) string {
	if !plain || q.MenuOpen || q.Typing {
		return ""
	}
	switch {
	case key == "Space" && q.Answer:
		return "next-cause"
	case isEnter(key) && under.Kind == hit.Command && under.Name == "why" && !q.Answer:
		return under.Name
	}
	return ""
}

// Key returns the effect of a key while the guided look is shown or offered.
func (g *guidePart) Key(key string, shown bool) (do action, taken bool) {
	switch {
	case isEnter(key), shown && (key == "→" || key == "Space"):
		return func(*process.Session, *Panel) { g.press(guideOn) }, true
	case shown && (key == "←" || key == "Backspace"):
		return func(*process.Session, *Panel) { g.press(guideBack) }, true
	}
	return nil, shown && key != "F1" && key != "F2"
}

// Key returns the effect of a key while the help is shown: the key of the command help turns the page. Other keys may
// be part of the search words.
func (h *helpPart) Key(e *KeyEvent, name string) (do action, taken bool) {
	if name == "help" {
		command, _ := h.Command(name)
		return command.Do, true
	}
	switch key, _ := e.split(); key {
	case "↑", "↓", "PgUp", "PgDn", "Enter", keypadEnter:
		return nil, true
	}
	return nil, false
}

// filterKey returns the effect of a key while the user types a name.
func (p *Panel) filterKey(e *KeyEvent) (do action, taken bool) {
	p.text.guessed = false
	switch key, _ := e.split(); key {
	case "↑", "↓", "PgUp", "PgDn":
		return nil, false
	case "Enter", keypadEnter:
		return onPanel((*Panel).closeFilter), true
	case "Backspace":
		return onPanel((*Panel).erase), true
	}
	if !p.text.chars && e.Char != 0 {
		p.text.guessed = true
		p.typeRune(e.Char)
	}
	return nil, true
}

// Key returns the effect of a key while a menu is open. While the user types, other keys are part of the query.
func (m *menuPart) Key(e *KeyEvent, name string, typing bool) (do action, taken bool) {
	move := func(lines int) (action, bool) { return onPanel(func(p *Panel) { p.scroll(lines) }), true }
	switch key, _ := e.split(); {
	case key == "↑":
		return move(-1)
	case key == "↓":
		return move(1)
	case key == "PgUp", key == "Home":
		return move(-math.MaxInt32)
	case key == "PgDn", key == "End":
		return move(math.MaxInt32)
	case isEnter(key), key == "Space" && !typing:
		return m.enter(), true
	}
	if typing && name != "menu" {
		return nil, false
	}
	switch name {
	case "columns", "pick-lane":
		command, _ := m.Command(name)
		return command.Do, true
	case "menu", "row-menu", "frames":
		m.close()
	}
	return nil, true
}

// enter returns the effect of the line under the cursor.
func (m *menuPart) enter() action {
	m.mu.Lock()
	h := m.choice()
	m.mu.Unlock()
	if h.Kind != hit.Command {
		return onPanel(func(p *Panel) { p.choose(h) })
	}
	m.close()
	if command, _ := m.Command(h.Name); command.Do != nil {
		return command.Do
	}
	return onPanel(func(p *Panel) { p.Run(h.Name) }) // a zone, a column or a file
}
