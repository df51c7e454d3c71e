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
		columns = append(columns, fmt.Sprintf("%q %v", c.Name, c.Kind))
	}
	return table{m}, ctx.Declare(fmt.Sprintf("create table %q (%s)", m.of.Name, strings.Join(columns, ", ")))
}

// table is a table of SQLite.
type table struct{ module }

func (table) Disconnect() error { return nil }
func (table) Destroy() error    { return nil }

// ops are the comparisons of the column frame that choose rows. Their letters tell Filter what its values are.
var ops = map[vtab.ConstraintOp]string{vtab.OpEQ: "=", vtab.OpGT: ">", vtab.OpGE: "g", vtab.OpLT: "<", vtab.OpLE: "l"}

// BestIndex chooses the rows of some frames if the query says which.
func (t table) BestIndex(info *vtab.IndexInfo) error {
	t.db.used[t.of] = true
	n := float64(t.of.Len(t.db.set))
	info.EstimatedCost, info.EstimatedRows = n+10, int64(n)
	if !t.of.ByFrame() {
		return nil
	}
	frame, one := t.of.Column("frame"), false
	for i := range info.Constraints {
		c := &info.Constraints[i]
		op := ops[c.Op]
		if !c.Usable || c.Column != frame || op == "" {
			continue
		}
		c.ArgIndex = len(info.IdxStr)
		info.IdxStr += op
		one = one || c.Op == vtab.OpEQ
	}
	switch {
	case one:
		info.EstimatedCost, info.EstimatedRows = 20, 10
	case info.IdxStr != "":
		info.EstimatedCost, info.EstimatedRows = n/4+10, int64(n/4)
	}
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
	c.left = []tables.Rows{{From: 0, To: c.of.Len(c.db.set)}}
	first, last := int64(math.MinInt64), int64(math.MaxInt64)
	for i, op := range how {
		first, last = narrowed(first, last, op, values[i])
	}
	switch {
	case how != "" && first > last:
		c.left = nil
	case how != "":
		c.left = c.of.Between(c.db.set, first, last)
	}
	c.skip()
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

// skip leaves out empty ranges.
func (c *cursor) skip() {
	for len(c.left) > 0 && c.left[0].From >= c.left[0].To {
		c.left = c.left[1:]
	}
}

func (c *cursor) Next() error {
	c.left[0].From++
	c.skip()
	return nil
}

func (c *cursor) Eof() bool { return len(c.left) == 0 }

func (c *cursor) Column(column int) (vtab.Value, error) {
	return c.of.Columns[column].Value(c.db.set, c.left[0].From), nil
}

func (c *cursor) Rowid() (int64, error) { return int64(c.left[0].From), nil }
func (c *cursor) Close() error          { return nil }
