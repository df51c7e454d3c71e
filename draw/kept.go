package draw

import (
	"image/color"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// mostKept is the greatest number of value columns in kept rows.
const mostKept = 16

// keptSheet has the rows of the last report in a list, before their units are converted. A row that did not change is
// copied.
type keptSheet struct {
	owner *List // the list with these rows; it differs in a copy of the list
	look  sheetLook
	rows  []keptRow // by line
	laid  int       // number of parts of rows that were laid out instead of copied
}

// sheetLook has the inputs that all rows of a sheet depend on.
type sheetLook struct {
	atlas               *Atlas
	generation          int
	em, line, wide, top float32
	fields, precision   int
	columns             [mostKept]report.Column
}

// keptRow is a row in parts: its name with the signs beside it, and each value.
type keptRow struct {
	look  rowLook
	name  []Vertex
	cells [mostKept]keptCell
}

// keptCell is a value. It does not keep longer texts.
type keptCell struct {
	text  [12]byte
	n     int8 // bytes of the text; 0: nothing is kept
	color color.NRGBA
	v     []Vertex
}

func (c *keptCell) is(text []byte, col color.NRGBA) bool {
	return c.n > 0 && c.color == col && string(c.text[:c.n]) == string(text)
}

func (c *keptCell) keep(text []byte, col color.NRGBA, v []Vertex) {
	if c.n = 0; len(text) <= len(c.text) {
		c.n, c.color, c.v = int8(copy(c.text[:], text)), col, append(c.v[:0], v...)
	}
}

// rowLook has everything that a row shows, except for its values.
type rowLook struct {
	name, site   string
	ground, dot  color.NRGBA
	indent       int
	depth        int
	mark         report.Sign
	estimated    gather.Estimated
	costly, idle bool
}

// keep returns the kept rows of the list, if they have this look. It is nil if the host draws the text.
func (s *sheet) keep() *keptSheet {
	if s.sink != nil || s.fields > mostKept {
		return nil
	}
	k := s.kept
	if k == nil || k.owner != s.List {
		k = &keptSheet{owner: s.List}
		s.kept = k
	}
	look := sheetLook{atlas: s.atlas(), generation: s.atlas().Generation, em: s.em, line: s.line, wide: s.wide,
		top: s.y, fields: s.fields, precision: s.precision}
	for f := range s.fields {
		look.columns[f] = s.column(f)
	}
	if look != k.look {
		k.look, k.rows = look, k.rows[:0]
	}
	return k
}

// row returns the row of a line, which is a kept line or the next one. It returns nil if the list keeps no rows.
func (k *keptSheet) row(line int) *keptRow {
	switch {
	case k == nil:
		return nil
	case line < len(k.rows):
	case line < cap(k.rows):
		k.rows = k.rows[:line+1] // with the memory of an earlier row
		k.rows[line].forget()
	default:
		k.rows = append(k.rows, keptRow{})
	}
	return &k.rows[line]
}

// forget drops the contents and keeps the memory.
func (k *keptRow) forget() {
	k.look, k.name = rowLook{}, k.name[:0]
	for i := range k.cells {
		k.cells[i].n = 0
	}
}
