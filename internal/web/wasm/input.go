//go:build js && wasm

package main

import (
	"path"
	"strconv"
	"strings"
	"syscall/js"
	"unicode/utf8"

	"example.com/iprof/input"
)

// on calls a function for an event, at once. It must not wait.
func on(target js.Value, event string, do func(e js.Value)) {
	f := js.FuncOf(func(_ js.Value, args []js.Value) any {
		do(args[0])
		return nil
	})
	target.Call("addEventListener", event, f, js.ValueOf(map[string]any{"passive": false}))
}

// listen passes the page's events on.
func (p *page) listen() {
	window, canvas := js.Global(), p.screen.canvas
	on(window, "keydown", p.key)
	on(window, "keyup", func(e js.Value) {
		key, mods := keyOf(e), modsOf(e)
		p.enqueue(func() { p.desk.Key(key, input.ActionRelease, mods) })
	})
	for _, event := range []string{"resize", "focus", "visibilitychange"} {
		on(window, event, func(js.Value) { p.enqueue(func() {}) })
	}
	on(canvas, "contextmenu", func(e js.Value) { e.Call("preventDefault") })
	on(canvas, "wheel", p.wheel)
	p.mouse(canvas)
	p.listenForFiles(window)
	canvas.Call("focus")
}

// key takes a key. Keys with Ctrl that have no command are the browser's, and so are most function keys.
func (p *page) key(e js.Value) {
	key, mods := keyOf(e), modsOf(e)
	if key == 0 {
		return
	}
	browsers := key >= input.KeyF1+2 && key <= input.KeyF1+11 ||
		mods&(input.ModControl|input.ModSuper) != 0 && !p.desk.Uses(key, mods)
	if !browsers {
		e.Call("preventDefault")
	}
	action, later := input.ActionPress, p.enqueue
	if e.Get("repeat").Bool() {
		action, later = input.ActionRepeat, p.repeated
	}
	text := e.Get("key").String()
	later(func() {
		p.desk.Key(key, action, mods)
		if r, size := utf8.DecodeRuneInString(text); size == len(text) && types(r, mods) {
			p.desk.Char(r)
		}
	})
}

// types reports whether a key with modifiers types a character: with AltGr, which may be Ctrl and Alt, and with the
// Option key of a Mac some layouts have brackets.
func types(r rune, mods input.Mods) bool {
	switch mods &^ input.ModShift {
	case 0, input.ModControl | input.ModAlt:
		return true
	case input.ModAlt:
		return strings.ContainsRune("[]/?", r)
	}
	return false
}

func modsOf(e js.Value) (mods input.Mods) {
	for name, bit := range map[string]input.Mods{"shiftKey": input.ModShift, "ctrlKey": input.ModControl,
		"altKey": input.ModAlt, "metaKey": input.ModSuper} {
		if e.Get(name).Truthy() {
			mods |= bit
		}
	}
	return mods
}

// keys are the keys that are no letters and digits, by the browser's names for their places.
var keys = map[string]input.Key{"Space": input.KeySpace, "Minus": input.KeyMinus, "Slash": input.KeySlash,
	"Equal": input.KeyEqual, "BracketLeft": input.KeyLeftBracket, "BracketRight": input.KeyRightBracket,
	"Escape": input.KeyEscape, "Enter": input.KeyEnter, "Tab": input.KeyTab, "Backspace": input.KeyBackspace,
	"Insert": input.KeyInsert, "Delete": input.KeyDelete, "ArrowRight": input.KeyRight, "ArrowLeft": input.KeyLeft,
	"ArrowDown": input.KeyDown, "ArrowUp": input.KeyUp, "PageUp": input.KeyPageUp, "PageDown": input.KeyPageDown,
	"Home": input.KeyHome, "End": input.KeyEnd, "NumpadEnter": input.KeyKeypadEnter, "Comma": ',', "Period": '.',
	"Semicolon": ';', "Quote": '\'', "Backquote": '`', "Backslash": '\\', "ShiftLeft": input.KeyLeftShift,
	"ShiftRight": input.KeyRightShift, "ControlLeft": input.KeyLeftControl, "ControlRight": input.KeyRightControl,
	"AltLeft": input.KeyLeftAlt, "AltRight": input.KeyRightAlt, "MetaLeft": input.KeyLeftSuper,
	"MetaRight": input.KeyRightSuper, "ContextMenu": input.KeyMenu, " ": input.KeySpace}

// keyLabel returns what the layout prints on a key, nil if the browser does not say it.
func (p *page) keyLabel() func(input.Key) string {
	keyboard := js.Global().Get("navigator").Get("keyboard")
	if !keyboard.Truthy() {
		return nil
	}
	read := func() bool {
		labels, err := await(keyboard.Call("getLayoutMap"))
		if err != nil || labels.Get("size").Int() == 0 {
			return false
		}
		p.labels = labels
		return true
	}
	if !read() {
		return nil
	}
	on(js.Global(), "focus", func(js.Value) { go read() }) // the user may have changed the layout
	codes := map[input.Key]string{}
	for code, key := range keys {
		codes[key] = code
	}
	return func(key input.Key) string {
		code := codes[key]
		switch {
		case key >= 'A' && key <= 'Z':
			code = "Key" + string(rune(key))
		case key >= '0' && key <= '9':
			code = "Digit" + string(rune(key))
		}
		if printed := p.labels.Call("get", code); printed.Type() == js.TypeString {
			return printed.String()
		}
		return ""
	}
}

// keyOf returns the key, 0 for a key without effect. The browser names the places of keys, which GLFW numbers. Letters
// are those of the user's layout. An on-screen keyboard names only characters.
func keyOf(e js.Value) input.Key {
	code := e.Get("code").String()
	if text := strings.ToUpper(e.Get("key").String()); len(text) == 1 && text[0] >= 'A' && text[0] <= 'Z' {
		return input.Key(text[0])
	}
	if code == "" {
		code = e.Get("key").String()
	}
	if key, ok := keys[code]; ok {
		return key
	}
	if letter, ok := strings.CutPrefix(code, "Key"); ok && len(letter) == 1 {
		return input.Key(letter[0])
	}
	if digit, ok := strings.CutPrefix(code, "Digit"); ok && len(digit) == 1 {
		return input.Key(digit[0])
	}
	if number, ok := strings.CutPrefix(code, "F"); ok {
		if n, err := strconv.Atoi(number); err == nil && n >= 1 && n <= 25 {
			return input.KeyF1 + input.Key(n-1)
		}
	}
	if len(code) == 1 {
		return input.Key(strings.ToUpper(code)[0])
	}
	return 0
}

// wheel turns pixels and lines into notches. A pinch on a touchpad comes as a wheel with the control key.
func (p *page) wheel(e js.Value) {
	e.Call("preventDefault")
	notch := [...]float64{100, 3, 1}[min(max(e.Get("deltaMode").Int(), 0), 2)]
	dx, dy := -e.Get("deltaX").Float()/notch, -e.Get("deltaY").Float()/notch
	if e.Get("ctrlKey").Truthy() && dy > -0.5 && dy < 0.5 {
		dy *= 10 // a pinch comes in small steps
	}
	p.turned(dx, dy)
}

// listenForFiles opens files dropped on the page, or chosen.
func (p *page) listenForFiles(window js.Value) {
	on(window, "dragover", func(e js.Value) { e.Call("preventDefault") })
	on(window, "drop", func(e js.Value) {
		e.Call("preventDefault")
		p.take(e.Get("dataTransfer").Get("files"))
	})
	chosen := js.Global().Get("document").Call("getElementById", "files")
	on(chosen, "change", func(js.Value) { p.take(chosen.Get("files")) })
}

// take reads files of the user's, and opens them.
func (p *page) take(files js.Value) {
	for i := range files.Length() {
		file := files.Index(i)
		go func() {
			data, err := await(file.Call("arrayBuffer"))
			if err != nil {
				return
			}
			name := "/files/" + path.Base(path.Clean("/"+file.Get("name").String()))
			js.Global().Get("iprofFiles").Call("put", name, data)
			p.enqueue(func() { p.desk.Drop([]string{name}) })
		}()
	}
}
