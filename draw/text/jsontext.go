package text

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// base64Mark is the prefix of texts that are written in base64.
const base64Mark = "base64:"

// jsonText is a string of any bytes that reads back equal.
type jsonText string

// MarshalJSON quotes the text. encoding/json escapes the result for HTML.
func (t jsonText) MarshalJSON() ([]byte, error) {
	s := string(t)
	if !utf8.ValidString(s) || strings.HasPrefix(s, base64Mark) {
		s = base64Mark + base64.StdEncoding.EncodeToString([]byte(s))
	}
	b := make([]byte, 0, len(s)+8)
	b = append(b, '"')
	for _, r := range s {
		b = appendJSONRune(b, r)
	}
	return append(b, '"'), nil
}

// appendJSONRune appends one character, as \u escapes if it is not printable.
func appendJSONRune(b []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(b, '\\', byte(r))
	case unicode.IsPrint(r):
		return utf8.AppendRune(b, r)
	case r < 0x10000:
		return fmt.Appendf(b, `\u%04x`, r)
	}
	r -= 0x10000
	return fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
}
