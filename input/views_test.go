package input

import (
	"testing"

	"example.com/iprof/viewer"
)

func TestKeysChangeTheScale(t *testing.T) {
	c := newTest(t)
	c.strike(KeyEqual, ModControl)
	c.strike(KeyEqual, ModControl)
	if got := c.panel.Options().Scale; got != 1.25 {
		t.Errorf("twice larger: got %v; want 1.25", got)
	}
	if c.strike('0', ModControl); c.panel.Options().Scale != 1 {
		t.Errorf("Ctrl+0: got %v; want 1", c.panel.Options().Scale)
	}
	var copied string
	c.panel.Change(func(o *viewer.Options) { o.Clipboard = func(text string) { copied = text } })
	if c.strike('C', 0); copied == "" {
		t.Error("C: got nothing on the clipboard; want the table")
	}
}
