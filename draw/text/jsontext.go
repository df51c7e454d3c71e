package text

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"example.com/iprof/internal/printed"
)

// base64Mark is the prefix of texts that are written in base64.
const base64Mark = "base64:"

// jsonText is a string of any bytes that reads back equal.
type jsonText string

// MarshalJSON quotes the text, with characters that are not printable as \u escapes.
func (t jsonText) MarshalJSON() ([]byte, error) {
	s := string(t)
	if !utf8.ValidString(s) || strings.HasPrefix(s, base64Mark) {
		s = base64Mark + base64.StdEncoding.EncodeToString([]byte(s))
	}
	b, err := json.Marshal(s)
	return printed.JSON(b), err
}
