package desk

import (
	"math"
	"slices"
	"strconv"

	"example.com/iprof/input"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// Key takes a key of the keyboard. It goes to the prompt, comparison or greeting over the screen, else to the shown
// tab.
func (d *Desk) Key(k input.Key, a input.Action, m input.Mods) {
	if d.prompt.open {
		if a != input.ActionRelease {
			d.prompt.key(k)
		}
		return
	}
	if d.contrast != nil && a != input.ActionRelease {
		if k == input.KeyEscape {
			d.contrast = nil
			return
		}
		if m&(input.ModControl|input.ModAlt) == 0 { // // the comparison covers the screen
			d.contrast.key(k)
			return
		}
	}
	if d.Greets() && m&input.ModControl == 0 {
		if a != input.ActionRelease {
			d.event("the key's action", func() { d.greetingKey(k) })
		}
		return
	}
	d.event("the key's action", func() { d.controller().Key(k, a, m) })
}

// Char takes a typed character.
func (d *Desk) Char(char rune) {
	if d.prompt.open {
		d.prompt.set(d.prompt.text + string(char))
		return
	}
	if d.contrast != nil || d.Greets() {
		return
	}
	d.event("the key's action", func() { d.controller().Char(char) })
}

// Button takes a button of the mouse, at the last place of Cursor.
func (d *Desk) Button(b input.Button, a input.Action, m input.Mods) {
	if a == input.ActionPress && d.clickBar() {
		return
	}
	if d.contrast != nil { // // the comparison covers the screen
		if a == input.ActionPress && b == input.ButtonLeft {
			d.contrast.click()
		}
		return
	}
	if d.Greets() {
		if a == input.ActionPress && !d.prompt.open {
			d.event("the click", d.greetingClick)
		}
		return
	}
	d.event("the click", func() { d.controller().Button(b, a, m) })
}

// Scroll takes the wheel.
func (d *Desk) Scroll(sideways, notches float64) {
	if d.contrast != nil {
		d.contrast.scroll(notches)
		return
	}
	d.event("the wheel", func() { d.controller().Scroll(sideways, notches) })
}

// Drop takes files that were dropped on the window.
func (d *Desk) Drop(names []string) {
	for _, name := range names {
		d.event("opening "+strconv.Quote(name), func() { d.ShowFile(name) })
	}
}

// Cursor takes the mouse's position in units of the window, and the number of pixels in a unit. A window may open under
// a resting mouse: nothing is hovered until the mouse moves.
func (d *Desk) Cursor(x, y, pixels float64) {
	bar := float64(d.BarHeight())
	d.bar.x, d.bar.y, d.bar.over = x*pixels, y*pixels, y*pixels < bar
	if d.contrast != nil {
		d.contrast.mouse = [2]float32{float32(x * pixels), float32(y * pixels)}
		nowhere := float32(math.NaN())
		d.tab.panel.SetHover(nowhere, nowhere)
		return
	}
	d.controller().Cursor(x, y-bar/pixels)
	at := [2]float64{x, y}
	if d.resting == nil {
		d.resting = &at
	}
	if *d.resting == at && !d.pointed {
		nowhere := float32(math.NaN())
		d.tab.panel.SetHover(nowhere, nowhere)
		return
	}
	d.pointed = true
	if d.Greets() {
		d.greeting.point(float32(d.bar.x), float32(d.bar.y))
	}
}

// SetScale tells the shown tab the number of pixels in a unit of Cursor.
func (d *Desk) SetScale(pixels float32) { d.controller().SetScale(pixels) }

func (d *Desk) controller() *input.Controller { return input.ControllerFor(d.tab.session) }

// listen gives a tab the commands and keys of the window.
func (d *Desk) listen(t *Tab) {
	c := input.ControllerFor(t.session)
	c.SetKeyLabels(d.options.KeyLabel)
	c.Unbind(input.KeyF2, 0) // the panel always has the focus here
	cycle := func(_ *process.Session, p *viewer.Panel) {
		p.Change(func(o *viewer.Options) { o.Mode = (o.Mode + 1) % (viewer.PanelFull + 1) })
	}
	t.panel.AddCommand(viewer.Command{
		Name: "cycle", Group: viewer.GroupDisplay, Action: "the sample's own picture", Always: true, Do: cycle,
	})
	t.panel.AddCommand(viewer.Command{
		Name: "quit", Group: viewer.GroupDisplay, Action: "quit; asks if frames are lost", Always: true, Do: d.quit,
	})
	t.panel.AddCommand(viewer.Command{
		Name: "leave", Group: viewer.GroupDisplay, Action: "back to the profiler", Always: true,
		Do: func(_ *process.Session, p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
			p.Note(d.ending())
		},
	})
	c.Bind(input.KeyF1, 0, "cycle")
	c.Bind('Q', input.ModControl, "quit")
	d.tabCommands(t, c)
	d.help(t)
	d.comment(t)
}

// ending names the way to end the viewer. Some systems end the browser with Ctrl+Q.
func (d *Desk) ending() string {
	if d.options.Browser {
		return "the viewer ends when you close its tab in the browser"
	}
	return "Ctrl+Q closes the window"
}

// quit closes the window. It asks first if a tab has frames of a remote program that are in no file.
func (d *Desk) quit(_ *process.Session, p *viewer.Panel) {
	at := slices.IndexFunc(d.tabs, func(t *Tab) bool {
		return t.link != nil && !t.saved && t.session.View().Info().Frames > 0
	})
	again := "Ctrl+Q once more"
	if d.options.Browser {
		again = "the same once more" // the browser keeps the key
	}
	if at < 0 || p.Ask("the frames of "+d.tabs[at].name+
		" are in no file: Ctrl+Shift+S saves them, "+again+" ends the viewer") {
		d.host.Close()
	}
}

// help gives a tab's panel the clipboard, source lines, an editor, and a way to save files. The panel has no access to
// these by itself.
func (d *Desk) help(t *Tab) {
	t.panel.Change(func(o *viewer.Options) {
		o.Clipboard = d.host.Clipboard
		o.Link = func(link string) string { return d.address(t, link) }
		o.Source = t.source
		o.Saver = d.saves.ask
		o.Others = d.others
		if d.host.Code != nil {
			o.Source = d.host.Code
		}
		o.Editor = func(file string, line int) {
			if d.host.Code == nil && !t.mayOpen(file) {
				t.panel.Note(t.viewer + " -source DIR opens the sources below a folder")
			} else if err := d.host.Editor(file, line); err != nil {
				t.panel.Note(err.Error())
			}
		}
	})
}
