package console

import (
	"strings"
	"unicode/utf8"

	"example.com/iprof/input"
)

// stroke is one key as a terminal reports it: the key and modifiers that the window's bindings use, and the character
// that it types, 0 without one.
type stroke struct {
	key  input.Key
	mods input.Mods
	char rune
}

// The characters of keys that package input has no number for.
const (
	interruptChar = 3  // Ctrl+C
	redrawChar    = 12 // Ctrl+L
)

// decoder turns a terminal's bytes into strokes. A sequence may arrive in pieces, so an incomplete one is kept for the
// next call.
type decoder struct{ pending string }

// add decodes bytes. A call without bytes means that time has passed; then a pending escape was the Escape key.
func (d *decoder) add(bytes []byte) (strokes []stroke) {
	d.pending += string(bytes)
	for d.pending != "" {
		s, size, complete := decode(d.pending)
		if !complete && len(bytes) > 0 && len(d.pending) < 32 {
			return strokes
		}
		d.pending = d.pending[size:]
		if s != (stroke{}) {
			strokes = append(strokes, s)
		}
	}
	return strokes
}

// decode returns the first stroke of s and its length in bytes. If s may be the beginning of a longer sequence,
// complete is false, and the stroke is the meaning of s alone.
func decode(s string) (k stroke, size int, complete bool) {
	if s[0] == 0x1b {
		return decodeEscape(s)
	}
	if !utf8.FullRuneInString(s) {
		return stroke{}, len(s), false
	}
	r, size := utf8.DecodeRuneInString(s)
	return plainStroke(r), size, true
}

// plainStroke returns the stroke of one character.
func plainStroke(r rune) stroke {
	switch {
	case r == '\r' || r == '\n':
		return stroke{key: input.KeyEnter}
	case r == 127 || r == 8:
		return stroke{key: input.KeyBackspace}
	case r == '\t':
		return stroke{key: input.KeyTab}
	case r == '?':
		return stroke{key: input.KeySlash, mods: input.ModShift, char: r}
	case 'a' <= r && r <= 'z':
		return stroke{key: input.Key(r - 'a' + 'A'), char: r}
	case 'A' <= r && r <= 'Z':
		return stroke{key: input.Key(r), mods: input.ModShift, char: r}
	case r < ' ': // a letter with Ctrl
		return stroke{key: input.Key(r + '@'), mods: input.ModControl, char: r}
	case r < 127:
		return stroke{key: input.Key(r), char: r}
	case r == utf8.RuneError:
		return stroke{}
	}
	return stroke{char: r}
}

// decodeEscape decodes an escape sequence: ESC [ parameters final, or ESC O final.
func decodeEscape(s string) (k stroke, size int, complete bool) {
	if len(s) == 1 {
		return stroke{key: input.KeyEscape}, 1, false
	}
	if s[1] != '[' && s[1] != 'O' {
		return stroke{key: input.KeyEscape}, 1, true
	}
	end := 2
	for end < len(s) && (s[end] < '@' || s[end] > '~') {
		if s[end] < ' ' {
			return stroke{}, end, true
		}
		end++
	}
	if end == len(s) {
		return stroke{}, len(s), false
	}
	return sequence(s[2:end], s[end]), end + 1, true
}

// keyOf returns the key of a sequence. Its last character names the key, or its first parameter if it ends in a tilde.
// 0 is an unknown key.
func keyOf(parameter string, final byte) input.Key {
	const finals, tildes = "ABCDHFM", "17482356"
	if final == '~' {
		at := -1
		if len(parameter) == 1 {
			at = strings.Index(tildes, parameter)
		}
		return [...]input.Key{0, input.KeyHome, input.KeyHome, input.KeyEnd, input.KeyEnd, input.KeyInsert,
			input.KeyDelete, input.KeyPageUp, input.KeyPageDown}[at+1]
	}
	return [...]input.Key{0, input.KeyUp, input.KeyDown, input.KeyRight, input.KeyLeft, input.KeyHome, input.KeyEnd,
		input.KeyEnter}[strings.IndexByte(finals, final)+1]
}

// sequence returns the stroke of a sequence. It is the zero stroke for an unknown one.
func sequence(parameters string, final byte) stroke {
	first, second, _ := strings.Cut(parameters, ";")
	key := keyOf(first, final)
	if key == 0 {
		return stroke{}
	}
	return stroke{key: key, mods: modsOf(second)}
}

// modsOf decodes the parameter of a modified key, which is a bit set plus one.
func modsOf(parameter string) (mods input.Mods) {
	if len(parameter) != 1 || parameter[0] < '2' || parameter[0] > '9' {
		return 0
	}
	bits := parameter[0] - '1'
	for i, m := range []input.Mods{input.ModShift, input.ModAlt, input.ModControl, input.ModSuper} {
		if bits&(1<<i) != 0 {
			mods |= m
		}
	}
	return mods
}
