package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape returns s in a form that can be shown anywhere. Unprintable characters and bytes that are not UTF-8 become
// \xNN, \uNNNN or \UNNNNNNNN, and backslashes are doubled. Distinct strings stay distinct. Strings that need no
// escape, nearly all, are returned unchanged.
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

// escapeRune appends the escape of one character. raw is its bytes.
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

// printable reports whether r has ink or is a plain space. Format characters are not printable; among them are
// direction overrides and zero-width characters. A stack of hundreds of combining marks is printable, but cut limits
// it.
func printable(r rune) bool { return unicode.IsPrint(r) }

// hex appends v with the given number of hexadecimal digits.
func hex(b *strings.Builder, v uint32, digits int) {
	s := strconv.FormatUint(uint64(v), 16)
	for n := len(s); n < digits; n++ {
		b.WriteByte('0')
	}
	b.WriteString(s)
}
