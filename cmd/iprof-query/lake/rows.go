package lake

import (
	"io"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"example.com/iprof/cmd/iprof-query/tables"
	"example.com/iprof/internal/printed"
)

// schemaOf returns the schema of a table. Texts have dictionaries. Times in ms are numbers of 32 bits, of which a
// clock's noise leaves no more, with their bytes apart, which zstd packs better.
func schemaOf(t *tables.Table) *parquet.Schema {
	columns := columnsOf(t)
	fields := make([]reflect.StructField, len(columns))
	for i, c := range columns {
		of, how := reflect.TypeFor[string](), ",dict"
		switch {
		case c.Kind == tables.Real && short(c):
			of, how = reflect.TypeFor[float32](), ",split"
		case c.Kind == tables.Real:
			of, how = reflect.TypeFor[float64](), ",split"
		case c.Name == "frame":
			of, how = reflect.TypeFor[int64](), ",delta"
		case c.Kind == tables.Integer:
			of, how = reflect.TypeFor[int64](), ",dict"
		}
		if c.Null {
			how += ",optional"
		}
		fields[i] = reflect.StructField{Name: "F" + strings.Repeat("x", i), Type: of,
			Tag: reflect.StructTag(`parquet:"` + c.Name + how + `"`)}
	}
	return parquet.NewSchema(t.Name, parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()))
}

// columnsOf returns the columns of a table's files. What the names of folders say, they leave out.
func columnsOf(t *tables.Table) (columns []*tables.Column) {
	for i := range t.Columns {
		if c := &t.Columns[i]; !c.Hidden {
			columns = append(columns, c)
		}
	}
	return columns
}

// short reports whether a column has numbers of 32 bits.
func short(c *tables.Column) bool { return strings.HasSuffix(c.Name, "_ms") }

// setRows reads the rows of a table.
type setRows struct {
	set     *tables.Set
	table   *tables.Table
	columns []*tables.Column
	next    int
}

// ReadRows reads rows into the given ones.
func (r *setRows) ReadRows(rows []parquet.Row) (n int, err error) {
	end := r.table.Len(r.set)
	for ; n < len(rows) && r.next < end; n++ {
		rows[n] = r.appendRow(rows[n][:0], r.next)
		r.next++
	}
	if r.next == end {
		return n, io.EOF
	}
	return n, nil
}

// valid returns a text that engines can read: one that is not UTF-8 has \xff for such bytes.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string(printed.Of(text))
}

func (r *setRows) appendRow(row parquet.Row, at int) parquet.Row {
	for i, c := range r.columns {
		v, level := parquet.NullValue(), 0
		switch value := c.Value(r.set, at).(type) {
		case string:
			v = parquet.ByteArrayValue([]byte(valid(value)))
		case int64:
			v = parquet.Int64Value(value)
		case float64:
			if v = parquet.DoubleValue(value); short(c) {
				v = parquet.FloatValue(float32(value))
			}
		}
		if c.Null && !v.IsNull() {
			level = 1
		}
		row = append(row, v.Level(0, level, i))
	}
	return row
}
