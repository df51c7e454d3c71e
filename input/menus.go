package input

import (
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// keyless are commands that menus offer and no key does.
var keyless = []Binding{
	{Name: "descendants-of", Action: "all that it calls", Do: openAs(process.CallGraphDescendants)},
	{Name: "filter-name", Action: "only rows of this name", Do: filterToCursor},
	{Name: "callers", Action: "only its callers", Do: callersOnly},
	{Name: "copy-site", Action: "copy its place in the source", Do: copySite},
	{Name: "usual-columns", Action: "the usual columns", Do: usualColumns},
	{Name: "as-reported", Action: "sorted as reported", Do: asReported},
	{Name: "one-frame", Action: "one frame, or the moving average", Do: func(s *process.Session, _ *draw.Panel) { clearLens(s) }},
	{Name: "all-frames", Action: "mean of all frames", Do: setLens(process.Lens{Kind: process.LensAll})},
	{Name: "over-frames", Action: "mean of frames over budget", Do: setLens(process.Lens{Kind: process.LensOver})},
	{Name: "within-frames", Action: "mean of frames within budget", Do: setLens(process.Lens{Kind: process.LensWithin})},
	{Name: "slow-frames", Action: "mean of the 16 slowest frames", Do: setLens(process.Lens{Kind: process.LensSlowest})},
}

// named is the binding of a command, with a key or without.
func (c *Controller) named(name string) (Binding, bool) {
	if at := c.command(name); at >= 0 {
		return c.bindings[at], true
	}
	for _, b := range keyless {
		if b.Name == name {
			return b, true
		}
	}
	return Binding{}, false
}

// doNamed is what a command does; nothing where there is none of that name.
func (c *Controller) doNamed(name string) command {
	b, ok := c.named(name)
	if !ok {
		return nil
	}
	return b.Do
}

// item is the line of a menu for a command.
func (c *Controller) item(name, text string, ticked bool) draw.MenuItem {
	b, _ := c.named(name)
	i := draw.MenuItem{Name: name, Text: text, Ticked: ticked}
	if text == "" {
		i.Text = b.Action
	}
	if b.Key != 0 {
		i.Keys = keyName(b.Key, b.Mods)
	}
	return i
}

// openRowMenu opens what can be done with the cursor's row, at a place on the screen or in the middle.
func (c *Controller) openRowMenu(x, y float32) {
	r, ok := cursorRecord(c.session)
	if !ok {
		return
	}
	v := c.session.View()
	c.panel.OpenMenu(r.Name, []draw.MenuItem{
		c.item("select", "open its call graph", false),
		c.item("descendants-of", "", false),
		c.item("callers", "", c.panel.CallersOnly()),
		c.item("parent", "go to its largest caller", false),
		c.item("card", "", c.panel.CardOpen()),
		{},
		c.item("pin", "", false),
		c.item("unpin", "", len(v.Pin) == 0),
		c.item("own-lane", "", v.Lane != 0),
		c.item("filter-name", "", false),
		{},
		c.item("copy-row", "", false),
		c.item("copy-site", "", false),
		c.item("copy", "", false),
		{},
		c.item("group", "", c.panel.Grouped()),
		c.item("columns", "columns …", false),
		c.item("usual-columns", "", false),
		c.item("as-reported", "", false),
		c.item("menu", "more …", false),
	}, x, y)
}

// openFramesMenu opens which frames are to be looked at.
func (c *Controller) openFramesMenu(x, y float32) {
	kind := c.session.View().Lens.Kind
	items := []draw.MenuItem{
		c.item("one-frame", "", kind == process.LensOff),
		c.item("all-frames", "", kind == process.LensAll),
		c.item("over-frames", "", kind == process.LensOver),
		c.item("within-frames", "", kind == process.LensWithin),
		c.item("slow-frames", "", kind == process.LensSlowest),
		{Text: "or drag over the history: a range of frames"},
		c.item("live", "", c.session.View().Age == 0 && !c.session.Paused()),
		c.item("slowest", "", false),
		c.item("previous-over", "frame over budget before", false),
		c.item("next-over", "frame over budget after", false),
		c.item("baseline", "compare with what is shown", false),
		c.item("compare", "", c.panel.Comparing()),
		c.item("budget", "", false),
	}
	c.panel.OpenMenu("Frames", items, x, y)
}

// openMenu opens all commands there are.
func (c *Controller) openMenu(x, y float32) {
	var items []draw.MenuItem
	done := map[string]bool{"menu": true}
	for _, b := range append(append([]Binding(nil), c.bindings...), keyless...) {
		if done[b.Name] {
			continue
		}
		done[b.Name] = true
		items = append(items, c.item(b.Name, b.Words, false))
	}
	c.panel.OpenMenu("All commands", items, x, y)
}

// nowhere is a place that is none: menus open in the middle.
var nowhere = float32(math.NaN())

// openLater stands in the keymap for a command that opens a menu: it needs a controller, which bindMenus knows.
func openLater(*process.Session, *draw.Panel) {}

// bindMenus gives the commands that open menus their controller.
func (c *Controller) bindMenus() {
	for i := range c.bindings {
		var open func(x, y float32)
		switch c.bindings[i].Name {
		case "menu":
			open = c.openMenu
		case "row-menu":
			open = c.openRowMenu
		case "frames":
			open = c.openFramesMenu
		default:
			continue
		}
		c.bindings[i].Do = func(*process.Session, *draw.Panel) {
			c.mu.Lock()
			defer c.mu.Unlock()
			open(nowhere, nowhere)
		}
	}
}

// pressRight opens the menu of what the right button hit.
func (c *Controller) pressRight(hit draw.Hit) {
	switch hit.Kind {
	case draw.HitRecord, draw.HitCaret:
		c.session.SetCursor(hit.Index)
		c.openRowMenu(c.x, c.y)
	case draw.HitIcicle, draw.HitLegend, draw.HitZone, draw.HitTimeline:
		if hit.Zone < 0 {
			c.openMenu(c.x, c.y)
			return
		}
		c.pressZone(hit.Zone, false)
		c.openRowMenu(c.x, c.y)
	case draw.HitGraph, draw.HitAxis, draw.HitSlow:
		c.openFramesMenu(c.x, c.y)
	case draw.HitHeader:
		c.panel.OpenColumns()
	default:
		if c.panel.MenuOpen() {
			c.panel.CloseMenu()
			return
		}
		c.openMenu(c.x, c.y)
	}
}
