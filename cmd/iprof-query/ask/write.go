package ask

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/iprof/draw/text"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/printed"
)

// Writer writes an answer. Close ends it.
type Writer interface {
	Answer
	Close() error
}

// NewText returns a writer of aligned columns, for people. Names are hostile: they are escaped and cut.
func NewText(w io.Writer) Writer { return &aligned{out: bufio.NewWriter(w)} }

// measured is the number of rows that decide how wide columns are, and mostCells the greatest width.
const (
	measured  = 500
	mostCells = 100
)

type aligned struct {
	out   *bufio.Writer
	rows  [][]string // those whose widths are not known yet; the first has the names
	wide  []int      // nil: not known
	right []bool     // columns of numbers
	count int
}

func (t *aligned) Columns(names []string) error {
	t.right = make([]bool, len(names))
	row := make([]string, len(names))
	for i, n := range names {
		row[i] = shown(n)
		t.right[i] = true
	}
	t.rows = [][]string{row}
	return nil
}

func (t *aligned) Row(values []any) error {
	row := make([]string, len(values))
	for i, v := range values {
		row[i] = shown(v)
		switch v.(type) {
		case string, []byte:
			t.right[i] = t.right[i] && t.wide != nil
		}
	}
	t.count++
	if t.wide != nil {
		return t.line(row)
	}
	if t.rows = append(t.rows, row); len(t.rows) > measured {
		return t.measure()
	}
	return nil
}

// measure decides the widths, and writes the rows so far.
func (t *aligned) measure() error {
	t.wide = make([]int, len(t.right))
	for _, row := range t.rows {
		for i, cell := range row {
			t.wide[i] = max(t.wide[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range t.rows {
		if err := t.line(row); err != nil {
			return err
		}
	}
	t.rows = nil
	return nil
}

func (t *aligned) line(row []string) error {
	for i, cell := range row {
		space := strings.Repeat(" ", max(0, t.wide[i]-utf8.RuneCountInString(cell)))
		if t.right[i] {
			cell = space + cell
		} else if i < len(row)-1 {
			cell += space
		}
		if i > 0 {
			t.out.WriteString("  ")
		}
		t.out.WriteString(cell)
	}
	return t.out.WriteByte('\n')
}

func (t *aligned) Close() error {
	if t.wide == nil && t.rows != nil {
		if err := t.measure(); err != nil {
			return err
		}
	}
	if t.count == 0 {
		t.out.WriteString("no rows\n")
	}
	return t.out.Flush()
}

// shown returns a value for people: at most three decimals, but three digits of small numbers.
func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		if a := math.Abs(v); a > 0 && a < 0.1 || a >= 1e15 {
			return strconv.FormatFloat(v, 'g', 3, 64)
		}
		return strconv.FormatFloat(v, 'f', 3, 64)
	case []byte:
		return text.Cut(string(printed.Of(string(v))), mostCells)
	}
	return text.Cut(string(printed.Of(fmt.Sprint(v))), mostCells)
}

// NewCSV returns a writer of comma-separated values with all digits. Null is an empty field. Control characters are
// escaped.
func NewCSV(w io.Writer) Writer { return &commas{csv.NewWriter(w), nil} }

type commas struct {
	out *csv.Writer
	row []string
}

func (c *commas) Columns(names []string) error {
	for _, n := range names {
		c.row = append(c.row, string(printed.Of(n)))
	}
	return c.out.Write(c.row)
}

func (c *commas) Row(values []any) error {
	for i, v := range values {
		switch v := v.(type) {
		case nil:
			c.row[i] = ""
		case float64:
			c.row[i] = strconv.FormatFloat(v, 'g', -1, 64)
		case []byte:
			c.row[i] = string(printed.Of(string(v)))
		default:
			c.row[i] = string(printed.Of(fmt.Sprint(v)))
		}
	}
	return c.out.Write(c.row)
}

func (c *commas) Close() error {
	c.out.Flush()
	return c.out.Error()
}

// NewJSON returns a writer of one JSON object: format, version, columns (names) and rows (lists of values).
func NewJSON(w io.Writer) Writer { return &object{out: bufio.NewWriter(w)} }

type object struct {
	out  *bufio.Writer
	some bool
}

func (o *object) Columns(names []string) error {
	list := make([]asjson.Text, len(names))
	for i, n := range names {
		list[i] = asjson.Text(n)
	}
	b, err := json.Marshal(list)
	if err == nil {
		_, err = fmt.Fprintf(o.out, `{"format":"iprof query","version":1,"columns":%s,"rows":[`, b)
	}
	return err
}

func (o *object) Row(values []any) error {
	row := make([]any, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case string:
			row[i] = asjson.Text(v)
		case []byte:
			row[i] = asjson.Text(v)
		case float64:
			if !math.IsInf(v, 0) {
				row[i] = v
			}
		default:
			row[i] = v
		}
	}
	b, err := json.Marshal(row)
	if err != nil {
		return err
	}
	if o.some {
		o.out.WriteByte(',')
	}
	o.some = true
	o.out.WriteByte('\n')
	_, err = o.out.Write(b)
	return err
}

func (o *object) Close() error {
	o.out.WriteString("\n]}\n")
	return o.out.Flush()
}
