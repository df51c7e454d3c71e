package input

import (
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

func TestTypingAZonesName(t *testing.T) {
	c := newTest(t)
	c.strike(KeySlash, 0)
	c.Char('/') // the key's own character
	for _, r := range "Ph" {
		c.strike(Key(r&^32), 0)
		c.Char(r)
	}
	if got := c.panel.Filter(); got != "ph" {
		t.Errorf("typed: got %q; want \"ph\"", got)
	}
	if c.strike(KeyBackspace, 0); c.panel.Filter() != "p" || !c.panel.Typing() {
		t.Errorf("Backspace: got %q, typing %v; want \"p\", typing", c.panel.Filter(), c.panel.Typing())
	}
	if c.strike(KeyEnter, 0); c.panel.Typing() || c.panel.Filter() != "p" {
		t.Error("Enter: got still typing, or no filter; want the filter kept")
	}
	if c.strike(KeyEscape, 0); c.panel.Filter() != "" || !c.panel.Focused() {
		t.Error("Esc: got the filter, or the focus gone; want only the filter gone")
	}
	if c.Char('x') {
		t.Error("a character while nothing is typed: got it used; want it the program's")
	}
}

func TestTypingWithoutCharacterEvents(t *testing.T) {
	c := newTest(t)
	c.strike('F', Control)
	for _, k := range "AI" {
		c.strike(Key(k), 0)
	}
	c.strike('-', Shift)
	if got := c.panel.Filter(); got != "ai_" {
		t.Errorf("typed by keys: got %q; want \"ai_\"", got)
	}
	if c.strike(KeyEscape, 0); c.panel.Typing() || c.panel.Filter() != "" {
		t.Error("Esc while typing: got it open; want it closed and empty")
	}
}

func TestMenuTakesTheKeys(t *testing.T) {
	c := newTest(t)
	c.strike('K', 0)
	before := c.panel.HasColumn(process.ColumnHier)
	c.strike(KeyDown, 0)
	c.strike(KeyEnter, 0)
	if c.panel.HasColumn(process.ColumnHier) == before {
		t.Error("second line, Enter: got the column as before; want it toggled")
	}
	if !c.strike('5', 0) || c.session.View().Mode == process.CallTree {
		t.Error("5 in a menu: got the mode changed, or the key passed on; want neither")
	}
	if c.strike(KeyEscape, 0); c.panel.MenuOpen() || !c.panel.Focused() {
		t.Error("Esc: got the menu open, or the focus gone; want the menu closed")
	}
	c.strike('L', Control)
	c.layOut()
	x, y := c.place(t, func(h draw.Hit) bool { return h.Kind == draw.HitMenuAway })
	if c.tap(x, y); c.panel.MenuOpen() {
		t.Error("click beside the menu: got it open; want it closed")
	}
}

func TestEscapeClosesBeforeItQuits(t *testing.T) {
	c := newTest(t)
	quit := 0
	c.Bind(Binding{Key: KeyEscape, Name: "quit", Action: "quit", Always: true, Do: func(*process.Session, *draw.Panel) { quit++ }})
	c.strike('L', Control)
	c.strike(KeyEscape, 0)
	c.panel.SetFilter("a")
	c.strike(KeyEscape, 0)
	if quit != 0 || c.panel.MenuOpen() || c.panel.Filter() != "" {
		t.Errorf("Esc twice: got quit %d times, menu open %v, filter %q; want the menu and the filter gone", quit, c.panel.MenuOpen(), c.panel.Filter())
	}
	if c.strike(KeyEscape, 0); quit != 1 {
		t.Errorf("Esc with nothing open: got quit %d times; want once", quit)
	}
}
