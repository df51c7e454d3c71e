package viewer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A KeyEvent is the press of a key, or a typed character.
type KeyEvent struct {
	// Key is the key with its modifiers, as SetKeys names it: "A", "Shift+←", "?". It is "" for a typed character.
	Key string

	// Char is the typed character. With a Key it is the character of the key on a US layout, 0 for none: a panel reads
	// it if the window delivers no characters.
	Char rune

	Repeat bool // the key is held
	Up     bool // the key is released; a host without character events has to say so
}

// typing is the state of typed text. A command that is a character follows the character, which comes after the press
// of its key: on a German keyboard "/" is Shift+7. Windows without a character callback deliver keys only. They are
// known by a key that is released before its character comes. There, keys have their places on a US layout.
type typing struct {
	chars   bool     // the window delivers characters
	places  bool     // it delivers none
	pending KeyEvent // a key whose character decides; Key is "" for none
	swallow bool     // the next character comes from the key that opened the filter
	guessed bool     // the last key was read as a character
}

// waits makes a key wait for its character, if there may be one. bound is true if a command has the key by its place.
func (t *typing) waits(e *KeyEvent, bound bool) bool {
	mods, base := splitKey(e.Key)
	third := strings.Contains(mods, "Alt+") && !bound // with AltGr, some layouts have "[" and others
	if len(base) != 1 || e.Char == 0 && !third || t.places && !t.chars {
		return false
	}
	t.pending, t.guessed = *e, false
	return true
}

// takeLate takes the key whose character has not come before another key. Without characters its place counts.
func (t *typing) takeLate(next *KeyEvent) (late KeyEvent) {
	if t.pending.Key == "" || next.Key == "" {
		return KeyEvent{}
	}
	late, t.pending = t.pending, KeyEvent{}
	if t.chars { // a key without a character, such as a dead key
		return KeyEvent{}
	}
	t.places, late.Char = true, 0
	return late
}

// keyOfChar returns the name of the key for a character that was typed with the key at a place, "" for none. Digits
// have their places if their characters have no command, because some layouts have digits only with Shift. So has each
// key of a script without commands.
func keyOfChar(r rune, place string, commandOf map[string]string) string {
	mods, base := splitKey(place)
	digit := len(base) == 1 && unicode.IsDigit(rune(base[0]))
	switch {
	case r < unicode.MaxASCII && unicode.IsLetter(r):
		if strings.Contains(mods, "Shift+") {
			return "Shift+" + strings.ToUpper(string(r))
		}
		return strings.ToUpper(string(r))
	case digit && unicode.IsDigit(r) && commandOf[place] != "":
		return place
	case commandOf[string(r)] != "":
		return string(r)
	case !strings.Contains(mods, "Alt+") && (digit || unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r)):
		return place
	}
	return ""
}

// shown returns the name of a key as the keyboard has it. Without characters, keys have their places. So have letters
// of scripts without commands, and keys with Ctrl or Alt.
func (k *KeyName) shown(places bool) string {
	mods, base := splitKey(k.Key)
	printed, _ := utf8.DecodeLastRuneInString(k.Printed)
	foreign := unicode.IsLetter(printed) && !unicode.Is(unicode.Latin, printed)
	letter := len(base) == 1 && base[0] >= 'A' && base[0] <= 'Z'
	if k.Printed != "" && (places || foreign || letter || mods != "" && mods != "Shift+") {
		return k.Printed
	}
	return k.Key
}

// splitKey splits the name of a key into its modifiers and the rest.
func splitKey(key string) (mods, base string) {
	at := strings.LastIndexByte(key, '+') + 1
	return key[:at], key[at:]
}
