package console

import (
	"example.com/iprof/input"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// departure says whether and how the user leaves the page.
type departure int

const (
	stay departure = iota
	quit
	interruption
)

// take handles the strokes that were typed.
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

// press runs the command that is bound to the key.
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
			if b.Command == "select" && p.foldedAt() != nil {
				p.session.View().Arrange(func(a *report.Arrangement) { a.ShowIdle = true })
				return
			}
			if b.Command == "reset" { // the answer says how to undo it
				p.answer = carryOut(p, b.Command)
				return
			}
			viewer.PanelFor(p.session).Run(b.Command)
			return
		}
	}
}

// bindings returns the window's bindings whose commands also work on a page of text. Bindings that the host changed are
// changed here, too.
func (p *page) bindings() []input.Binding {
	var kept []input.Binding
	for _, b := range input.ControllerFor(p.session).Bindings() {
		if c, ok := viewer.PanelFor(p.session).Command(b.Command); ok && c.Page {
			kept = append(kept, b)
		}
	}
	return kept
}
