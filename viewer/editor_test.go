package viewer_test

import (
	"testing"

	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// A click on the place in the card asks the host for its editor, which the panel never starts by itself.
func TestTheCardOpensTheEditor(t *testing.T) {
	d := newDemo()
	p := panelOf(d, viewer.PanelFull)
	d.paused, d.view.Age, d.view.Cursor = true, 93, 7
	p.Run("card")
	link := func() bool {
		laidOut(p, 1280, 720)
		for h := range scan(p, 1280, 720) {
			if h.Kind == hit.Command && h.Name == "open-site" {
				return true
			}
		}
		return false
	}
	if p.Run("open-site"); link() {
		t.Error("without an editor: got a link; want none")
	}
	file, line := "", 0
	p.Change(func(o *viewer.Options) { o.Editor = func(f string, l int) { file, line = f, l } })
	if !link() {
		t.Fatal("got no link; want one")
	}
	p.Run("open-site")
	if want := d.Zone(d.view.Focus); file != want.File || line <= 12 {
		t.Errorf("got %s:%d; want the place of the cursor's zone", file, line)
	}
}
