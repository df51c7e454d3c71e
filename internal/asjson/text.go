package asjson

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"example.com/iprof/internal/printed"
)

// base64Mark is the prefix of texts that are written in base64.
const base64Mark = "base64:"

// Text is a string of any bytes that reads back equal.
type Text string

// MarshalJSON quotes the text, with characters that are not printable as \u escapes.
func (t Text) MarshalJSON() ([]byte, error) {
	s := string(t)
	if !utf8.ValidString(s) || strings.HasPrefix(s, base64Mark) {
		s = base64Mark + base64.StdEncoding.EncodeToString([]byte(s))
	}
	b, err := json.Marshal(s)
	return printed.JSON(b), err
}

// UnmarshalJSON undoes MarshalJSON.
func (t *Text) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if rest, marked := strings.CutPrefix(s, base64Mark); marked {
		raw, err := base64.StdEncoding.DecodeString(rest)
		*t = Text(raw)
		return err
	}
	*t = Text(s)
	return nil
}

func texts(from []string) []Text { return convert(from, func(s string) Text { return Text(s) }) }

// plain returns a name in a sentence for people.
func plain(name string) string {
	if strings.Trim(name, " ") == "" {
		return "(unnamed)"
	}
	return printed.Distinct(name)
}
