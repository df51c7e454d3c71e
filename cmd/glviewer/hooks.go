package main

import (
	"bufio"
	"math"
	"os"

	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof/input"
	"example.com/iprof/viewer"
)

// connect passes the window's events on. They go to the controller, which works in builds with the tag iprof_off, too:
// the viewer shows captures there. It also gives the panel the clipboard, source lines, and a way to save files. The
// panel has no access to these by itself.
func (v *application) connect(c *input.Controller) {
	v.window.SetKeyCallback(func(_ *glfw.Window, k glfw.Key, _ int, a glfw.Action, m glfw.ModifierKey) {
		c.Key(input.Key(k), input.Action(a), input.Mods(m))
	})
	v.window.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, a glfw.Action, m glfw.ModifierKey) {
		c.Button(input.Button(b), input.Action(a), input.Mods(m))
	})
	v.window.SetScrollCallback(func(_ *glfw.Window, dx, dy float64) { c.Scroll(dx, dy) })
	v.window.SetCharCallback(func(_ *glfw.Window, char rune) { c.Char(char) })
	v.window.SetCursorPosCallback(v.pointTo)
	v.panel.Change(func(o *viewer.Options) {
		o.Clipboard, o.Source, o.Saver = glfw.SetClipboardString, readSource, v.saves.ask
		o.Editor = func(file string, line int) {
			if err := openEditor(file, line); err != nil {
				v.panel.Note(err.Error())
			}
		}
	})
}

// pointTo passes the mouse's position on. A window may open under a resting mouse: nothing is hovered until the mouse
// moves.
func (v *application) pointTo(_ *glfw.Window, x, y float64) {
	input.ControllerFor(v.session).Cursor(x, y)
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

const (
	sourceLines = 16       // the most lines that readSource returns
	longestLine = 64 << 10 // bytes; readSource stops at a longer line
)

// readSource returns some lines of a file, beginning with the given line number. It returns none if the file cannot be
// read.
func readSource(file string, line int) (lines []string) {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, longestLine)
	for n := 1; n < line+sourceLines && s.Scan(); n++ {
		if n >= line {
			lines = append(lines, s.Text())
		}
	}
	return lines
}
