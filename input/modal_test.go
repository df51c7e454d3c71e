package input

import (
	"slices"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

func TestTypingAZonesName(t *testing.T) {
	c := newTest(t)
	c.strike(KeySlash, 0)
	c.Char('/') // the key's own character
	for _, r := range "Ph" {
		c.strike(Key(r&^32), 0)
		c.Char(r)
	}
	if got := c.panel.State().Filter; got != "ph" {
		t.Errorf("typed: got %q; want \"ph\"", got)
	}
	if c.strike(KeyBackspace, 0); c.panel.State().Filter != "p" || !c.panel.State().Typing {
		t.Errorf("Backspace: got %q, typing %v; want \"p\", typing", c.panel.State().Filter, c.panel.State().Typing)
	}
	if c.strike(KeyEnter, 0); c.panel.State().Typing || c.panel.State().Filter != "p" {
		t.Error("Enter: got still typing, or no filter; want the filter kept")
	}
	if c.strike(KeyEscape, 0); c.panel.State().Filter != "" || !c.panel.Options().Focused {
		t.Error("Esc: got the filter, or the focus gone; want only the filter gone")
	}
	if c.Char('x') {
		t.Error("a character while nothing is typed: got it used; want it the program's")
	}
}

func TestTypingWithoutCharacterEvents(t *testing.T) {
	c := newTest(t)
	c.strike('F', ModControl)
	for _, k := range "AI" {
		c.strike(Key(k), 0)
	}
	c.strike('-', ModShift)
	if got := c.panel.State().Filter; got != "ai_" {
		t.Errorf("typed by keys: got %q; want \"ai_\"", got)
	}
	if c.strike(KeyEscape, 0); c.panel.State().Typing || c.panel.State().Filter != "" {
		t.Error("Esc while typing: got it open; want it closed and empty")
	}
}

func TestMenuTakesTheKeys(t *testing.T) {
	c := newTest(t)
	c.strike('K', 0)
	has := func() bool { // none are the usual ones
		columns := c.panel.Options().Columns
		return len(columns) == 0 || slices.Contains(columns, report.ColumnHier)
	}
	before := has()
	c.strike(KeyDown, 0) // waited %, beside self
	c.strike(KeyDown, 0)
	c.strike(KeyEnter, 0)
	if has() == before {
		t.Error("third line, Enter: got the column as before; want it toggled")
	}
	if !c.strike('5', 0) || c.session.View().Get().Mode == report.ReportCallTree {
		t.Error("5 in a menu: got the mode changed, or the key passed on; want neither")
	}
	if c.strike(KeyEscape, 0); c.panel.State().MenuOpen || !c.panel.Options().Focused {
		t.Error("Esc: got the menu open, or the focus gone; want the menu closed")
	}
	c.strike('L', ModControl)
	c.layOut()
	x, y := c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.MenuAway })
	if c.tap(x, y); c.panel.State().MenuOpen {
		t.Error("click beside the menu: got it open; want it closed")
	}
}

func TestEscapeClosesBeforeItQuits(t *testing.T) {
	c := newTest(t)
	quit := 0
	c.panel.AddCommand(viewer.Command{Name: "quit", Action: "quit", Always: true,
		Do: func(*process.Session, *viewer.Panel) { quit++ }})
	c.Bind(KeyEscape, 0, "quit")
	c.strike('L', ModControl)
	c.strike(KeyEscape, 0)
	c.session.View().Arrange(func(a *report.Arrangement) { a.Filter = "a" })
	c.strike(KeyEscape, 0)
	if quit != 0 || c.panel.State().MenuOpen || c.panel.State().Filter != "" {
		t.Errorf("Esc twice: got quit %d times, menu open %v, filter %q; want the menu and the filter gone", quit,
			c.panel.State().MenuOpen, c.panel.State().Filter)
	}
	if c.strike(KeyEscape, 0); quit != 1 {
		t.Errorf("Esc with nothing open: got quit %d times; want once", quit)
	}
}

// In the list of keys typing searches, and runs no command.
func TestTypingSearchesTheHelp(t *testing.T) {
	c := newTest(t)
	c.strike(KeySlash, ModShift)
	c.Char('?')
	if q := c.panel.State(); q.Help || q.Typing {
		t.Fatalf("first page: got %+v; want the signs, which are not searched", q)
	}
	c.strike(KeySlash, ModShift)
	c.Char('?')
	paused := c.session.Paused()
	for _, r := range "zo m" {
		c.strike(Key(r), 0)
		c.Char(r)
	}
	c.strike(KeyBackspace, 0)
	c.strike(KeyBackspace, 0)
	if c.session.Paused() != paused || c.panel.State().CardOpen || !c.panel.State().Help {
		t.Error("typing: got a command run, or the help closed; want neither")
	}
	var l draw.List
	c.panel.Draw(&l, testWidth, testHeight, 1)
	found := false
	for _, w := range l.AppendWords(nil) {
		found = found || w.Text == "zo"
	}
	if !found {
		t.Errorf("got %v; want the words that are searched for", l.AppendWords(nil))
	}
	if c.strike(KeyEscape, 0); c.panel.State().Help || !c.panel.Options().Focused {
		t.Error("Escape: got the help, or the focus gone; want the help closed")
	}
}
