package ask

import (
	"fmt"
	"math"
	"strings"

	"modernc.org/sqlite/vtab"

	"example.com/iprof/cmd/iprof-query/tables"
)

// module makes the table of SQLite that reads a table of the set.
type module struct {
	db *DB
	of *tables.Table
}

// Create declares the table.
func (m module) Create(ctx vtab.Context, args []string) (vtab.Table, error) {
	return m.Connect(ctx, args)
}

// Connect is Create.
func (m module) Connect(ctx vtab.Context, _ []string) (vtab.Table, error) {
	var columns []string
	for _, c := range m.of.Columns {
		hidden := ""
		if c.Hidden {
			hidden = " hidden"
		}
		columns = append(columns, fmt.Sprintf("%q %v%s", c.Name, c.Kind, hidden))
	}
	return table{m}, ctx.Declare(fmt.Sprintf("create table %q (%s)", m.of.Name, strings.Join(columns, ", ")))
}

// table is a table of SQLite.
type table struct{ module }

func (table) Disconnect() error { return nil }
func (table) Destroy() error    { return nil }

// ops are the comparisons of the column frame that choose rows. Their letters tell Filter what its values are; f is the
// file.
var ops = map[vtab.ConstraintOp]string{vtab.OpEQ: "=", vtab.OpGT: ">", vtab.OpGE: "g", vtab.OpLT: "<", vtab.OpLE: "l"}

// BestIndex chooses the rows of a file, and of some frames, if the query says which.
func (t table) BestIndex(info *vtab.IndexInfo) error {
	t.db.used[t.of] = true
	rows := float64(t.of.Len(t.db.set))
	frame := t.of.Column("frame")
	if !t.of.ByFrame() {
		frame = -1
	}
	for i := range info.Constraints {
		c := &info.Constraints[i]
		op := ops[c.Op]
		switch {
		case !c.Usable || op == "":
			continue
		case c.Column == 0 && c.Op == vtab.OpEQ:
			op = "f"
			rows /= float64(t.db.set.Captures())
		case c.Column != frame:
			continue
		case c.Op == vtab.OpEQ:
			rows = min(rows, 10)
		default:
			rows /= 2
		}
		c.ArgIndex = len(info.IdxStr)
		info.IdxStr += op
	}
	info.EstimatedCost, info.EstimatedRows = rows+10, int64(rows)
	return nil
}

// Open begins to read.
func (t table) Open() (vtab.Cursor, error) { return &cursor{table: t}, nil }

// cursor reads some ranges of rows.
type cursor struct {
	table
	left []tables.Rows // the first begins with the current row
}

// Filter chooses the rows.
func (c *cursor) Filter(_ int, how string, values []vtab.Value) error {
	by := tables.Choice{First: math.MinInt64, Last: math.MaxInt64}
	for i, op := range how {
		if file, is := values[i].(string); op == 'f' && is {
			by.OfFile, by.File = true, strings.Clone(file)
		} else if op != 'f' {
			by.First, by.Last = narrowed(by.First, by.Last, op, values[i])
		}
	}
	if c.left = nil; by.First <= by.Last {
		c.left = c.of.Choose(c.db.set, by)
	}
	return nil
}

// narrowed returns a range of frames with one condition more. SQLite checks it again, so a value that is no whole
// number may choose too many.
func narrowed(first, last int64, op rune, value vtab.Value) (int64, int64) {
	v, whole := value.(int64)
	if !whole {
		return first, last
	}
	switch {
	case op == '=':
		return max(first, v), min(last, v)
	case op == '>' && v == math.MaxInt64, op == '<' && v == math.MinInt64:
		return 1, 0 // none
	case op == '>':
		return max(first, v+1), last
	case op == 'g':
		return max(first, v), last
	case op == '<':
		return first, min(last, v-1)
	}
	return first, min(last, v)
}

// Next goes to the next row.
func (c *cursor) Next() error {
	if c.left[0].From++; c.left[0].From == c.left[0].To {
		c.left = c.left[1:]
	}
	return nil
}

func (c *cursor) Eof() bool { return len(c.left) == 0 }

func (c *cursor) Column(column int) (vtab.Value, error) {
	return c.of.Columns[column].Value(c.db.set, c.left[0].From), nil
}

func (c *cursor) Rowid() (int64, error) { return int64(c.left[0].From), nil }
func (c *cursor) Close() error          { return nil }
