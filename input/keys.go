package input

import (
	"strconv"
	"strings"

	"example.com/iprof/viewer"
)

// Key is a key of the keyboard. It has GLFW's number, which names the key's place on a US layout.
type Key int

// The keys that the default bindings use, and the modifiers, which a Poller reads. Letters and digits are their upper
// case ASCII codes.
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
	KeyLeftShift    Key = 340
	KeyLeftControl  Key = 341
	KeyLeftAlt      Key = 342
	KeyLeftSuper    Key = 343
	KeyRightShift   Key = 344
	KeyRightControl Key = 345
	KeyRightAlt     Key = 346
	KeyRightSuper   Key = 347
	KeyMenu         Key = 348
)

// Mods is the set of held modifier keys. The bits are GLFW's.
type Mods int

// The modifiers that a binding can require. Caps lock and num lock are ignored.
const (
	ModShift   Mods = 1
	ModControl Mods = 2
	ModAlt     Mods = 4
	ModSuper   Mods = 8

	anyMod = ModShift | ModControl | ModAlt | ModSuper
)

// Action is a change of a key or a button. The numbers are GLFW's.
type Action int

// The actions of keys. Buttons have no ActionRepeat.
const (
	ActionRelease Action = 0
	ActionPress   Action = 1
	ActionRepeat  Action = 2
)

// Button is a mouse button: see [viewer.Button].
type Button = viewer.Button

// The buttons.
const (
	ButtonLeft   = viewer.ButtonLeft
	ButtonRight  = viewer.ButtonRight
	ButtonMiddle = viewer.ButtonMiddle
)

// modNames are the names of modifiers, in the order of the help.
var modNames = [...]struct {
	bit  Mods
	name string
}{{ModControl, "Ctrl+"}, {ModAlt, "Alt+"}, {ModSuper, "Super+"}, {ModShift, "Shift+"}}

// keyOf returns the key of a name: "A", "Shift+←", "?". ok is false if there is no such key.
func keyOf(name string) (key Key, mods Mods, ok bool) {
	if name == "?" {
		return KeySlash, ModShift, true
	}
	for _, m := range modNames {
		if rest, has := strings.CutPrefix(name, m.name); has {
			mods, name = mods|m.bit, rest
		}
	}
	for _, of := range keyNames {
		if of.name == name {
			return of.key, mods, true
		}
	}
	if len(name) == 1 {
		return Key(name[0]), mods, true
	}
	digits, function := strings.CutPrefix(name, "F")
	number, err := strconv.Atoi(digits)
	return KeyF1 + Key(number-1), mods, function && err == nil && number >= 1 && number <= 25
}

// keyNames names the keys without a character.
var keyNames = [...]struct {
	key  Key
	name string
}{
	{KeySpace, "Space"}, {KeyEscape, "Esc"}, {KeyEnter, "Enter"}, {KeyTab, "Tab"}, {KeyBackspace, "Backspace"},
	{KeyInsert, "Ins"}, {KeyDelete, "Del"}, {KeyRight, "→"}, {KeyLeft, "←"}, {KeyDown, "↓"}, {KeyUp, "↑"},
	{KeyPageUp, "PgUp"}, {KeyPageDown, "PgDn"}, {KeyHome, "Home"}, {KeyEnd, "End"}, {KeyKeypadEnter, "KeypadEnter"},
	{KeyMenu, "Menu"},
}

// keyName returns the name of a key with its modifiers: "A", "Shift+←", "?". No other key has it.
func keyName(key Key, mods Mods) string {
	if key == KeySlash && mods == ModShift {
		return "?"
	}
	return modsName(mods) + bareName(key)
}

// modsName returns the names of modifiers: "Ctrl+Shift+".
func modsName(mods Mods) (name string) {
	for _, m := range modNames {
		if mods&m.bit != 0 {
			name += m.name
		}
	}
	return name
}

func bareName(key Key) string {
	for _, of := range keyNames {
		if of.key == key {
			return of.name
		}
	}
	if key >= KeyF1 && key < KeyF1+25 {
		return "F" + strconv.Itoa(int(key-KeyF1)+1)
	}
	if key > ' ' && key < 127 {
		return string(rune(key))
	}
	return "Key" + strconv.Itoa(int(key))
}

// charOf returns the character of a key on a US layout, 0 for none. It covers the characters that names of zones have.
func charOf(key Key, mods Mods) rune {
	switch shift := mods&ModShift != 0; {
	case key < KeySpace, key > 126, mods&(ModControl|ModAlt|ModSuper) != 0:
		return 0
	case key == '-' && shift:
		return '_'
	case key == '9' && shift:
		return '('
	case key == '0' && shift:
		return ')'
	}
	return rune(key)
}
