package main

import (
	"math"
	"slices"
	"strconv"

	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof/input"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// connect passes the window's events on. They go to the controller of the tab that is shown, which works in builds with
// the tag iprof_off, too: the viewer shows captures there.
func (v *application) connect() {
	v.window.SetRefreshCallback(func(*glfw.Window) { v.redraw() }) // PollEvents blocks while the window is resized
	v.window.SetKeyCallback(func(_ *glfw.Window, k glfw.Key, _ int, a glfw.Action, m glfw.ModifierKey) {
		if v.prompt.open {
			if a != glfw.Release {
				v.prompt.key(k)
			}
			return
		}
		if v.contrast != nil && a != glfw.Release && v.contrastKey(k) {
			return
		}
		v.event("the key's action", func() { v.controller().Key(input.Key(k), input.Action(a), input.Mods(m)) })
	})
	v.window.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, a glfw.Action, m glfw.ModifierKey) {
		if a == glfw.Press && v.clickBar() {
			return
		}
		v.event("the click", func() { v.controller().Button(input.Button(b), input.Action(a), input.Mods(m)) })
	})
	v.window.SetScrollCallback(func(_ *glfw.Window, dx, dy float64) {
		v.event("the wheel", func() { v.controller().Scroll(dx, dy) })
	})
	v.window.SetCharCallback(func(_ *glfw.Window, char rune) {
		if v.prompt.open {
			v.prompt.set(v.prompt.text + string(char))
			return
		}
		v.event("the key's action", func() { v.controller().Char(char) })
	})
	v.window.SetCursorPosCallback(v.pointTo)
	v.window.SetDropCallback(func(_ *glfw.Window, names []string) {
		for _, name := range names {
			v.event("opening "+strconv.Quote(name), func() { v.showFile(name) })
		}
	})
}

// listen gives a tab the commands and keys of the window.
func (v *application) listen(t *tab) {
	c := input.ControllerFor(t.session)
	c.Unbind(input.KeyF2, 0) // the panel always has the focus here
	cycle := func(_ *process.Session, p *viewer.Panel) {
		p.Change(func(o *viewer.Options) { o.Mode = (o.Mode + 1) % (viewer.PanelFull + 1) })
	}
	t.panel.AddCommand(viewer.Command{
		Name: "cycle", Group: viewer.GroupDisplay, Action: "the sample's own picture", Always: true, Do: cycle,
	})
	t.panel.AddCommand(viewer.Command{
		Name: "quit", Group: viewer.GroupDisplay, Action: "quit; asks if frames are lost", Always: true, Do: v.quit,
	})
	t.panel.AddCommand(viewer.Command{
		Name: "leave", Group: viewer.GroupDisplay, Action: "back to the profiler", Always: true,
		Do: func(_ *process.Session, p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
			p.Note("Ctrl+Q closes the window")
		},
	})
	c.Bind(input.KeyF1, 0, "cycle")
	c.Bind('Q', input.ModControl, "quit")
	v.tabCommands(t, c)
	v.help(t)
}

// quit closes the window. It asks first if a tab has frames of a program elsewhere that are in no file.
func (v *application) quit(_ *process.Session, p *viewer.Panel) {
	at := slices.IndexFunc(v.tabs, func(t *tab) bool {
		return t.link != nil && !t.saved && t.session.Info().Frames > 0
	})
	if at < 0 || p.Ask("the frames of "+v.tabs[at].name+
		" are in no file: Ctrl+Shift+S saves them, Ctrl+Q once more closes the window") {
		v.window.SetShouldClose(true)
	}
}

func (v *application) controller() *input.Controller { return input.ControllerFor(v.session) }

// help gives a tab's panel the clipboard, source lines, an editor, and a way to save files. The panel has no access to
// these by itself.
func (v *application) help(t *tab) {
	t.panel.Change(func(o *viewer.Options) {
		o.Clipboard, o.Source, o.Saver = glfw.SetClipboardString, t.source, v.saves.ask
		o.Editor = func(file string, line int) {
			if !t.mayOpen(file) {
				t.panel.Note("glviewer -source DIR opens the sources below a folder")
			} else if err := openEditor(file, line); err != nil {
				t.panel.Note(err.Error())
			}
		}
	})
}

// pointTo passes the mouse's position on. A window may open under a resting mouse: nothing is hovered until the mouse
// moves.
func (v *application) pointTo(_ *glfw.Window, x, y float64) {
	units, _ := v.window.GetSize()
	width, _ := v.window.GetFramebufferSize()
	pixels := float64(width) / float64(max(units, 1))
	bar := float64(v.barHeight())
	v.chrome.x, v.chrome.over = x*pixels, y*pixels < bar
	v.controller().Cursor(x, y-bar/pixels)
	at := [2]float64{x, y}
	if v.resting == nil {
		v.resting = &at
	}
	if *v.resting == at && !v.pointed {
		nowhere := float32(math.NaN())
		v.panel.SetHover(nowhere, nowhere)
		return
	}
	v.pointed = true
}
