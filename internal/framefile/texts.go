package framefile

import "encoding/binary"

// texts numbers the texts of a chunk, so that each text stands in the chunk once. The number 0 is "".
type texts map[string]uint64

func newTexts() texts { return texts{"": 0} }

// append appends a text's number, and the text itself if it is new.
func (t texts) append(p []byte, s string) []byte {
	at, known := t[s]
	if !known {
		at = uint64(len(t))
		t[s] = at
	}
	if p = binary.AppendUvarint(p, at); !known {
		p = appendString(p, s)
	}
	return p
}

// readTexts are the texts of a chunk so far. The first is "".
type readTexts []string

// next reads a text's number, and the text if it is new.
func (t *readTexts) next(d *decoder) string {
	n := d.uvarint()
	if n == uint64(len(*t)) {
		*t = append(*t, d.string())
	}
	if n >= uint64(len(*t)) {
		d.fail()
		return ""
	}
	return (*t)[n]
}
