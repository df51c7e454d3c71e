package instrument

import "slices"

// edits are changes to a file. Offsets are offsets in the original text.
type edits struct {
	source []byte
	list   []edit
}

type edit struct {
	begin, end int // the bytes replaced; equal for an insertion
	text       string
}

// insert puts text before the byte at offset. Insertions at one offset appear in the order of the calls.
func (e *edits) insert(offset int, text string) { e.replace(offset, offset, text) }

// replace replaces the bytes from begin to end by text. Ranges must not overlap.
func (e *edits) replace(begin, end int, text string) {
	e.list = append(e.list, edit{begin, end, text})
}

// bytes returns the changed text.
func (e *edits) bytes() []byte {
	slices.SortStableFunc(e.list, func(a, b edit) int { return a.begin - b.begin })
	var out []byte
	at := 0
	for _, c := range e.list {
		out = append(out, e.source[at:c.begin]...)
		out = append(out, c.text...)
		at = c.end
	}
	return append(out, e.source[at:]...)
}
