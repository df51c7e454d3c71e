package html

import (
	"encoding/json"
	"math"
	"strconv"

	"example.com/iprof/internal/printed"
)

// mostName is the greatest length of a text on the page in bytes. A longer text is cut and ends in "...".
const mostName = 2048

// appendList appends a JSON array.
func appendList[E any](b []byte, list []E, one func([]byte, *E) []byte) []byte {
	b = append(b, '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, &list[i])
	}
	return append(b, ']')
}

// appendText appends a JSON string that is safe inside a script element.
func appendText(b []byte, s string) []byte {
	quoted, err := json.Marshal(visible(s)) // escapes <, > and &
	if err != nil {
		return append(b, `""`...) // strings do not fail
	}
	return append(b, quoted...)
}

// visible returns s with control characters, direction overrides and bytes that are not UTF-8 as escapes, cut to
// mostName bytes.
func visible(s string) string {
	more := ""
	if len(s) > mostName {
		s, more = s[:mostName], "..."
	}
	return printed.Distinct(s) + more
}

func appendFlag(b []byte, v bool) []byte {
	if v {
		return append(b, '1')
	}
	return append(b, '0')
}

// appendFloat appends v with every digit, or 0 if JSON cannot represent it.
func appendFloat(b []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(b, '0')
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}

// appendShort appends milliseconds, rounded to microseconds, which is finer than a bar.
func appendShort(b []byte, v float32) []byte {
	return appendFloat(b, math.Round(float64(v)*1000)/1000)
}
