package viewer_test

import (
	"image/color"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/viewer"
)

// inks counts the vertices of each colour in a settled picture.
func inks(t *testing.T, p *viewer.Panel) map[color.NRGBA]int {
	t.Helper()
	settled(t, p, 1280, 720, 1)
	var l draw.List
	p.Draw(&l, 1280, 720, 1)
	found := map[color.NRGBA]int{}
	for i := range l.V {
		v := &l.V[i]
		found[color.NRGBA{v.R, v.G, v.B, v.A}]++
	}
	return found
}

// The colour of changing numbers and the marks of collections can be switched off, and on again.
func TestHeatAndCollectionsCanBeSwitchedOff(t *testing.T) {
	collection := draw.PaletteOf(draw.ThemeDark).Collection
	p := panelOf(newDemo(), viewer.PanelFull)
	all := inks(t, p)
	if all[collection] == 0 {
		t.Fatal("got no marks of collections in the demo; want some")
	}
	p.Run("collector")
	if got := inks(t, p)[collection]; got != 0 || !p.Options().HideCollector {
		t.Errorf("collections: got %d vertices of their marks; want none", got)
	}
	p.Run("collector")
	_, p = replayed(t)
	all = inks(t, p)
	p.Run("heat")
	cool := inks(t, p)
	if len(cool) >= len(all) || !p.Options().HideHeat {
		t.Errorf("heat: got %d colours, with heat %d; want fewer", len(cool), len(all))
	}
	p.Run("heat")
	if got := inks(t, p); len(got) != len(all) {
		t.Errorf("heat and collections on again: got %d colours; want %d", len(got), len(all))
	}
}
