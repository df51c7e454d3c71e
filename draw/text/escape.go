package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape returns s as it may be shown anywhere: unprintable characters and stray bytes as \xNN, \uNNNN or \UNNNNNNNN,
// backslashes doubled. Distinct strings stay distinct. Strings that need nothing, nearly all, are returned as they are.
func escape(s string) string {
	clean := 0
	for clean < len(s) && s[clean] >= ' ' && s[clean] < 0x7f && s[clean] != '\\' {
		clean++
	}
	if clean == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:clean])
	for s = s[clean:]; s != ""; {
		r, size := utf8.DecodeRuneInString(s)
		escapeRune(&b, r, s[:size])
		s = s[size:]
	}
	return b.String()
}

// escapeRune appends one character, whose bytes are raw.
func escapeRune(b *strings.Builder, r rune, raw string) {
	switch {
	case r == '\\':
		b.WriteString(`\\`)
	case r == utf8.RuneError && len(raw) == 1, r < 0x80 && !unicode.IsPrint(r):
		b.WriteString(`\x`)
		hex(b, uint32(raw[0]), 2)
	case printable(r):
		b.WriteString(raw)
	case r < 0x10000:
		b.WriteString(`\u`)
		hex(b, uint32(r), 4)
	default:
		b.WriteString(`\U`)
		hex(b, uint32(r), 8)
	}
}

// printable reports whether r is a character with ink or a plain space. Format characters are not: among them are the
// direction overrides and the zero-width ones. Neither is a combining mark's stack of hundreds a danger here: it is cut.
func printable(r rune) bool { return unicode.IsPrint(r) }

// hex appends v with the given number of digits.
func hex(b *strings.Builder, v uint32, digits int) {
	s := strconv.FormatUint(uint64(v), 16)
	for n := len(s); n < digits; n++ {
		b.WriteByte('0')
	}
	b.WriteString(s)
}
