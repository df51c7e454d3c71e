package console

import (
	"strings"
	"unicode/utf8"

	"example.com/iprof/input"
)

// stroke is one key as a terminal reports it: what the window's keys are bound by, and the character it types, 0 for none.
type stroke struct {
	key  input.Key
	mods input.Mods
	char rune
}

// The keys that windows have no number for.
const (
	interruptChar = 3  // Ctrl+C
	redrawChar    = 12 // Ctrl+L
)

// decoder turns a terminal's bytes into strokes. A sequence may arrive in pieces, so what may yet go on is kept.
type decoder struct{ pending string }

// add decodes bytes. With none, time has passed: an escape that was not followed by anything was the Escape key.
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

// decode returns the first stroke of s and its length in bytes. When s may be the beginning of a longer one, complete is
// false, and the stroke is what s is if nothing follows.
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

// plainStroke is a key that is one character.
func plainStroke(r rune) stroke {
	switch {
	case r == '\r' || r == '\n':
		return stroke{key: input.KeyEnter}
	case r == 127 || r == 8:
		return stroke{key: input.KeyBackspace}
	case r == '\t':
		return stroke{key: input.KeyTab}
	case r == '?':
		return stroke{key: input.KeySlash, mods: input.Shift, char: r}
	case 'a' <= r && r <= 'z':
		return stroke{key: input.Key(r - 'a' + 'A'), char: r}
	case 'A' <= r && r <= 'Z':
		return stroke{key: input.Key(r), mods: input.Shift, char: r}
	case r < 127:
		return stroke{key: input.Key(r), char: r}
	case r == utf8.RuneError:
		return stroke{}
	}
	return stroke{char: r}
}

// decodeEscape decodes what begins with an escape: ESC [ parameters final, or ESC O final.
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

// finals are the keys by the last character of their sequence, tildes those by its first parameter.
var (
	finals = map[byte]input.Key{'A': input.KeyUp, 'B': input.KeyDown, 'C': input.KeyRight, 'D': input.KeyLeft,
		'H': input.KeyHome, 'F': input.KeyEnd, 'M': input.KeyEnter}
	tildes = map[string]input.Key{"1": input.KeyHome, "7": input.KeyHome, "4": input.KeyEnd, "8": input.KeyEnd,
		"2": input.KeyInsert, "3": input.KeyDelete, "5": input.KeyPageUp, "6": input.KeyPageDown}
)

// sequence is the key of a sequence, none when it is not known.
func sequence(parameters string, final byte) stroke {
	first, second, _ := strings.Cut(parameters, ";")
	key := finals[final]
	if final == '~' {
		key = tildes[first]
	}
	if key == 0 {
		return stroke{}
	}
	return stroke{key: key, mods: modsOf(second)}
}

// modsOf reads the parameter of a modified key: one more than a set of bits.
func modsOf(parameter string) (mods input.Mods) {
	if len(parameter) != 1 || parameter[0] < '2' || parameter[0] > '9' {
		return 0
	}
	bits := parameter[0] - '1'
	for i, m := range []input.Mods{input.Shift, input.Alt, input.Control, input.Super} {
		if bits&(1<<i) != 0 {
			mods |= m
		}
	}
	return mods
}
