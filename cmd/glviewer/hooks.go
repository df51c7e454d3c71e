package main

import (
	"cmp"
	"os"
	"slices"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof/input"
	"example.com/iprof/internal/desk"
	"example.com/iprof/internal/editor"
	"example.com/iprof/internal/remote"
)

// host returns the window as the host of the desk.
func (v *application) host() desk.Host {
	return desk.Host{
		Wake: glfw.PostEmptyEvent, // a paused window sleeps
		Title: func(title string) {
			v.window.SetTitle(title)
			v.next = time.Time{}
		},
		Close:     func() { v.window.SetShouldClose(true) },
		Size:      v.window.GetFramebufferSize,
		Scale:     v.contentScale,
		Clipboard: glfw.SetClipboardString,
		Picture:   v.grab,
		Editor:    editor.Open,
		Dial:      v.dial,
		Sample:    v.beginSample,
		Record:    v.startProgram,
	}
}

// dial returns the program at an address. The token of the command line is for the program that -connect names. Without
// -connect it is for the first that the user adds in the window.
func (v *application) dial(address string) (desk.Program, string, error) {
	var p *remote.Program
	var err error
	if token := v.started.tokens[address]; token != "" {
		p, err = remote.New(address, token)
	} else {
		if len(v.trusted) == 0 {
			v.trusted = append(slices.Clone(v.programs), address)[:max(len(v.programs), 1)]
		}
		var tokens remote.Tokens
		tokens, err = remote.ParseTokens(cmp.Or(v.token, os.Getenv("IPROF_TOKEN")), v.trusted)
		if err == nil {
			p, err = tokens.Program(address)
		}
	}
	if err != nil {
		return nil, "", err
	}
	p.Limits = v.limits
	return p, p.Address, nil
}

// connect passes the window's events on. They go to the controller of the shown tab. That works in builds with the tag
// iprof_off, too: the viewer shows captures there.
func (v *application) connect() {
	v.window.SetRefreshCallback(func(*glfw.Window) { v.redraw() }) // PollEvents blocks while the window is resized
	v.window.SetKeyCallback(func(_ *glfw.Window, k glfw.Key, _ int, a glfw.Action, m glfw.ModifierKey) {
		v.Key(input.Key(k), input.Action(a), input.Mods(m))
	})
	v.window.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, a glfw.Action, m glfw.ModifierKey) {
		v.Button(input.Button(b), input.Action(a), input.Mods(m))
	})
	v.window.SetScrollCallback(func(_ *glfw.Window, dx, dy float64) { v.Scroll(dx, dy) })
	v.window.SetCharCallback(func(_ *glfw.Window, char rune) { v.Char(char) })
	v.window.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) {
		units, _ := v.window.GetSize()
		width, _ := v.window.GetFramebufferSize()
		v.Cursor(x, y, float64(width)/float64(max(units, 1)))
	})
	v.window.SetDropCallback(func(_ *glfw.Window, names []string) { v.Drop(names) })
}
