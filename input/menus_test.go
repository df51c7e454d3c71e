package input

import (
	"slices"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// rightTap clicks the right button at a place.
func (c *Controller) rightTap(x, y float64) {
	c.Cursor(x, y)
	c.Button(Right, Press, 0)
	c.Button(Right, Release, 0)
}

func TestRightClickOnARowOffersWhatCanBeDone(t *testing.T) {
	c := newTest(t)
	c.rightTap(c.place(t, record(2)))
	if !c.panel.MenuOpen() || c.session.View().Cursor != 2 {
		t.Fatalf("right click: got menu %v, cursor %d; want the menu of row 2", c.panel.MenuOpen(), c.session.View().Cursor)
	}
	r, _ := cursorRecord(c.session)
	c.pick(t, "pin")
	if v := c.session.View(); c.panel.MenuOpen() || len(v.Pin) == 0 || v.Pin[len(v.Pin)-1] != r.Zone {
		t.Errorf("pin: got menu %v, pinned %v; want it closed and the path to zone %d", c.panel.MenuOpen(), v.Pin, r.Zone)
	}
	c.strike('I', Shift)
	for name, check := range map[string]func() bool{
		"filter-name":    func() bool { return c.panel.Filter() == strings.ToLower(r.Name) },
		"select":         func() bool { return c.session.View().Mode == process.CallGraph },
		"descendants-of": func() bool { return c.session.View().Mode == process.CallGraphDescendants },
		"callers":        func() bool { return c.panel.CallersOnly() && c.session.View().Mode == process.CallGraph },
		"card":           func() bool { return c.panel.CardOpen() },
		"group":          func() bool { return c.panel.Grouped() },
		"own-lane":       func() bool { return c.session.View().Lane != 0 },
		"menu":           func() bool { return c.panel.MenuOpen() },
	} {
		c.session.SetView(process.View{})
		c.layOut()
		c.rightTap(c.place(t, record(2)))
		r, _ = cursorRecord(c.session)
		c.pick(t, name)
		if !check() {
			t.Errorf("%s on %q: got view %+v; want it done", name, r.Name, c.session.View())
		}
		if c.panel.CardOpen() {
			c.panel.ToggleCard()
		}
		if c.panel.Grouped() {
			c.panel.ToggleGrouped()
		}
		for c.panel.Dismiss() {
		}
	}
}

func TestMenuOfFramesSetsTheLens(t *testing.T) {
	c := newTest(t)
	for name, want := range map[string]process.LensKind{"all-frames": process.LensAll, "over-frames": process.LensOver,
		"within-frames": process.LensWithin, "slow-frames": process.LensSlowest, "one-frame": process.LensOff} {
		c.session.SetView(process.View{})
		c.layOut()
		c.rightTap(c.place(t, column(9)))
		c.pick(t, name)
		if got := c.session.View().Lens.Kind; got != want {
			t.Errorf("%s: got lens %v; want %v", name, got, want)
		}
	}
}

// Every command can be had with the mouse: the menu of all has a line for each.
func TestMenuOfAllHasEveryCommand(t *testing.T) {
	c := newTest(t)
	c.strike(KeyTab, 0)
	seen := map[string]bool{}
	for range 200 {
		hit := c.panel.MenuHit()
		if hit.Kind != draw.HitCommand || hit.Name == "" {
			t.Fatalf("menu: got %+v; want commands", hit)
		}
		seen[hit.Name] = true
		c.strike(KeyDown, 0)
	}
	for _, b := range append(append([]Binding(nil), defaults...), keyless...) {
		if !seen[b.Name] && b.Name != "menu" {
			t.Errorf("menu: got no line for %q; want one", b.Name)
		}
	}
	c.strike(KeyHome, 0)
	for c.panel.MenuHit().Name != "tree" {
		c.strike(KeyDown, 0)
	}
	c.strike(KeyEnter, 0)
	if c.panel.MenuOpen() || c.session.View().Mode != process.CallTree {
		t.Errorf("Enter: got menu %v, mode %v; want it closed, the tree", c.panel.MenuOpen(), c.session.View().Mode)
	}
	c.strike(KeyTab, 0)
	c.strike(KeyTab, 0)
	if c.panel.MenuOpen() {
		t.Error("Tab twice: got the menu open; want it closed")
	}
}

func TestMenuOpensWithinTheScreen(t *testing.T) {
	c := newTest(t)
	c.rightTap(testWidth-3, testHeight-3)
	c.layOut()
	x, y := c.place(t, func(h draw.Hit) bool { return h.Kind == draw.HitCommand })
	if x > testWidth-60 || y > testHeight-60 {
		t.Errorf("menu at the corner: got its first line at %v, %v; want it pushed inside", x, y)
	}
}

func TestFoldedPackagesOpenWithEnter(t *testing.T) {
	c := newTest(t)
	c.strike('G', 0)
	c.layOut()
	c.strike('G', Shift)
	if c.layOut(); !c.panel.CursorFolded() {
		t.Fatal("Shift+G: got the cursor's package open; want it folded")
	}
	before := c.session.View().Cursor
	c.strike(KeyDown, 0)
	c.layOut()
	c.strike(KeyUp, 0)
	c.layOut()
	if !c.panel.CursorFolded() {
		t.Errorf("down and up: got cursor %d, from %d; want it on the folded package again", c.session.View().Cursor, before)
	}
	c.strike(KeyEnter, 0)
	c.layOut()
	if c.panel.CursorFolded() || c.session.View().Mode != process.SelfTime {
		t.Errorf("Enter: got folded %v, mode %v; want it unfolded in the same report", c.panel.CursorFolded(), c.session.View().Mode)
	}
}

func TestSavingAsksTheHost(t *testing.T) {
	c := newTest(t)
	if c.panel.Save(draw.SavePicture) {
		t.Error("no host: got true; want false")
	}
	var got []draw.Save
	c.panel.SetSaver(func(what draw.Save) {
		got = append(got, what)
		c.SetScale(1) // a host may use the controller
		c.panel.Note("saved")
	})
	c.strike('S', Control)
	c.strike('E', Control)
	c.strike(KeyTab, 0)
	for c.panel.MenuHit().Name != "save-report" {
		c.strike(KeyDown, 0)
	}
	c.pick(t, "save-report")
	if len(got) != 3 || got[0] != draw.SavePicture || got[1] != draw.SaveReport || got[2] != draw.SaveReport {
		t.Errorf("saved: got %v; want a picture and two reports", got)
	}
	c.panel.SetSaver(nil)
}

func TestRightClickOnAHeadingOffersColumns(t *testing.T) {
	c := newTest(t)
	c.rightTap(c.place(t, func(h draw.Hit) bool { return h.Kind == draw.HitHeader }))
	if hit := c.panel.MenuHit(); hit.Kind != draw.HitColumn {
		t.Errorf("heading: got %+v; want the columns", hit)
	}
}

func TestPinIsTheWholePath(t *testing.T) {
	tree := []process.TreeNode{{Zone: 0, Path: 0, Parent: -1}, {Zone: 4, Path: 7, Parent: 0}, {Zone: 2, Path: 9, Parent: 1}, {Zone: 2, Path: 3, Parent: 0}}
	for _, test := range []struct {
		path int32
		want []int32
	}{{9, []int32{4, 2}}, {3, []int32{2}}, {-1, []int32{2}}, {55, []int32{2}}} {
		if got := pathTo(tree, process.Record{Zone: 2, Path: test.path}); !slices.Equal(got, test.want) {
			t.Errorf("path %d: got %v; want %v", test.path, got, test.want)
		}
	}
}
