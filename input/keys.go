package input

import "strings"

// Key is a key of the keyboard by its place on a US layout, numbered as in GLFW.
type Key int

// The keys that the default bindings use. Letters and digits are their upper case ASCII codes.
const (
	KeySpace        Key = 32
	KeyMinus        Key = 45
	KeySlash        Key = 47
	KeyEqual        Key = 61
	KeyLeftBracket  Key = 91
	KeyRightBracket Key = 93
	KeyEscape       Key = 256
	KeyEnter        Key = 257
	KeyTab          Key = 258
	KeyBackspace    Key = 259
	KeyInsert       Key = 260
	KeyDelete       Key = 261
	KeyRight        Key = 262
	KeyLeft         Key = 263
	KeyDown         Key = 264
	KeyUp           Key = 265
	KeyPageUp       Key = 266
	KeyPageDown     Key = 267
	KeyHome         Key = 268
	KeyEnd          Key = 269
	KeyF1           Key = 290 // F2 is KeyF1+1, and so on to F25
	KeyF2           Key = 291
	KeyKeypadEnter  Key = 335
	KeyMenu         Key = 348
)

// Mods are the modifier keys held, bits as in GLFW.
type Mods int

// The modifiers that tell bindings apart. Caps lock and num lock do not.
const (
	Shift   Mods = 1
	Control Mods = 2
	Alt     Mods = 4
	Super   Mods = 8

	telling = Shift | Control | Alt | Super
)

// Action is what happened to a key or button, numbered as in GLFW.
type Action int

// The actions.
const (
	Release Action = 0
	Press   Action = 1
	Repeat  Action = 2
)

// Button is a mouse button, numbered as in GLFW.
type Button int

// The buttons.
const (
	Left   Button = 0
	Right  Button = 1
	Middle Button = 2
)

// keyNames are what help prints for keys that print nothing themselves.
var keyNames = map[Key]string{
	KeySpace: "Space", KeyEscape: "Esc", KeyEnter: "Enter", KeyTab: "Tab", KeyBackspace: "Backspace",
	KeyInsert: "Ins", KeyDelete: "Del", KeyRight: "→", KeyLeft: "←", KeyDown: "↓", KeyUp: "↑",
	KeyPageUp: "PgUp", KeyPageDown: "PgDn", KeyHome: "Home", KeyEnd: "End", KeyKeypadEnter: "Enter", KeyMenu: "Menu",
}

// keyName is the chord as help prints it: "A", "Shift+←", "?".
func keyName(key Key, mods Mods) string {
	if key == KeySlash && mods == Shift {
		return "?"
	}
	var b strings.Builder
	for _, m := range []struct {
		bit  Mods
		name string
	}{{Control, "Ctrl+"}, {Alt, "Alt+"}, {Super, "Super+"}, {Shift, "Shift+"}} {
		if mods&m.bit != 0 {
			b.WriteString(m.name)
		}
	}
	b.WriteString(bareName(key))
	return b.String()
}

func bareName(key Key) string {
	if name, ok := keyNames[key]; ok {
		return name
	}
	if key >= KeyF1 && key < KeyF1+25 {
		n := int(key-KeyF1) + 1
		if n < 10 {
			return "F" + string(rune('0'+n))
		}
		return "F" + string(rune('0'+n/10)) + string(rune('0'+n%10))
	}
	if key > ' ' && key < 127 {
		return string(rune(key))
	}
	return "?"
}
