package console

import (
	"example.com/iprof/draw"
	"example.com/iprof/input"
)

// departure is whether and how the user leaves the page.
type departure int

const (
	stay departure = iota
	quit
	interruption
)

// take carries out what was typed.
func (p *page) take(strokes []stroke, s *screen) departure {
	for _, k := range strokes {
		switch {
		case k.char == interruptChar:
			return interruption
		case k.char == redrawChar:
			s.shown = nil
		case p.prompt.open:
			p.prompt.take(k, p)
		case k.key == 'Q':
			return quit
		case k.char == ':':
			p.prompt = prompt{open: true}
		case k.char == '/':
			p.prompt = prompt{open: true, typed: "select "}
		default:
			p.press(k)
		}
	}
	return stay
}

// press does what the key does in the window.
func (p *page) press(k stroke) {
	p.answer = nil
	if k.char == '?' {
		p.help = !p.help
		return
	}
	if p.help && k.key == input.KeyEscape {
		p.help = false
		return
	}
	for _, b := range p.bindings() {
		if b.Key == k.key && b.Mods == k.mods {
			b.Do(p.session, draw.PanelFor(p.session))
			return
		}
	}
}

// onPage are the window's commands that make sense on a page of text.
var onPage = map[string]bool{
	"up": true, "down": true, "page-up": true, "page-down": true, "select": true, "parent": true, "older": true, "newer": true,
	"older-10": true, "newer-10": true, "oldest": true, "live": true, "slowest": true, "previous-over": true, "next-over": true,
	"pause": true, "self": true, "hierarchical": true, "callgraph": true, "descendants": true, "tree": true, "extra": true, "sort": true,
	"average": true, "precision": true, "recursion": true, "lane": true, "previous-lane": true, "reset": true,
}

// bindings are those of the window's that are for a page of text, too; a key that the host has changed is changed here.
func (p *page) bindings() []input.Binding {
	var kept []input.Binding
	for _, b := range input.ControllerFor(p.session).Bindings() {
		if onPage[b.Name] {
			kept = append(kept, b)
		}
	}
	return kept
}
