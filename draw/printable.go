package draw

import (
	"unicode"
	"unicode/utf8"
)

// printable returns s with all that could leave its line, or change the direction of what follows, spelt out.
func printable(s string) string {
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
