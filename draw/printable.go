package draw

import (
	"unicode"
	"unicode/utf8"
)

// Printable returns s with unsafe characters written as escapes: those that could leave the line or turn the text
// direction.
func Printable(s string) string {
	safe := true
	for i := 0; i < len(s) && safe; i++ {
		safe = s[i] >= ' ' && s[i] < 0x7f
	}
	if safe {
		return s
	}
	var out []byte
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		if broken(r, size) || !unicode.IsPrint(r) {
			var b [10]byte
			out = append(out, escape(&b, r, s[:size])...)
		} else {
			out = append(out, s[:size]...)
		}
		s = s[size:]
	}
	return string(out)
}
