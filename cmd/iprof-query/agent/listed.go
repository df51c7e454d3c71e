package agent

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.com/iprof/internal/tables"
)

// listedRow is a row of a table of package tables. Its numbers follow under the names of their columns.
type listedRow struct {
	ID string `json:"id,omitempty"`
	place
	Thing   named  `json:"text_name,omitempty"` // what is no zone and no lane
	Path    named  `json:"path_name,omitempty"`
	Lane    named  `json:"lane_name,omitempty"`
	Text    named  `json:"line_text_name,omitempty"`
	Place   named  `json:"place_name,omitempty"`
	EndedBy named  `json:"ended_by_name,omitempty"`
	Frame   string `json:"frame,omitempty"`

	columns []string
	values  []float64
}

// listedFields are the fields of a listedRow, without its method.
type listedFields listedRow

// MarshalJSON writes the fields, then the numbers.
func (r *listedRow) MarshalJSON() ([]byte, error) {
	text, err := encode((*listedFields)(r))
	if err != nil {
		return nil, err
	}
	text = text[:len(text)-1]
	for i, name := range r.columns {
		value, _ := number(r.values[i]).MarshalJSON()
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, "%q:%s", name, value)
	}
	return append(text, '}'), nil
}

// listTable answers with a table of package tables, of all chosen frames.
func (c *capture) listTable(kind *tables.Kind, in *listArguments) (*answer, error) {
	ids, err := tables.ParseIDs(in.ID)
	if err != nil {
		return nil, inTools(err)
	}
	l, err := c.lens(in.Frames)
	if err != nil {
		return nil, err
	}
	info, err := c.in.Stat()
	if err != nil {
		return nil, err
	}
	t, err := tables.Read(io.NewSectionReader(c.in, 0, info.Size()), &tables.Choice{Kind: kind, By: in.By,
		Zone: in.Name, Lane: in.Lane, IDs: ids, Sort: in.Sort, Limit: mostListed, Takes: c.Takes(l)})
	if err != nil {
		return nil, inTools(err)
	}
	a := &answer{head: &listedHead{kind.Name, t.By, t.Sorted, t.Frames, strings.Join(t.Notes, "; ")},
		all: len(t.Rows) + t.Left, next: []string{"id=" + exampleOf(t) + " with other lists: only of that one"}}
	for i := range t.Rows {
		a.rows = append(a.rows, listedRowOf(&t.Rows[i], t.Columns))
	}
	return a, nil
}

// mostListed is more rows than an answer has room for.
const mostListed = 200

// listedHead is the head of a table.
type listedHead struct {
	What   string `json:"what"`
	By     string `json:"by"`
	Sorted string `json:"sorted_by"`
	Frames uint64 `json:"of_frames"`
	Note   string `json:"note,omitempty"`
}

// exampleOf returns the id of the first row, or the form of one.
func exampleOf(t *tables.Table) string {
	if len(t.Rows) > 0 && t.Rows[0].ID != "" {
		return t.Rows[0].ID
	}
	return "f140"
}

func listedRowOf(row *tables.Row, columns []string) *listedRow {
	r := &listedRow{ID: row.ID, Path: named(strings.Join(row.Path, " > ")), Lane: named(row.Lane),
		Text: named(row.Text), Place: named(row.Place), EndedBy: named(row.EndedBy), columns: columns,
		values: row.Values}
	switch {
	case row.HasZone:
		r.Name = named(row.Name)
	case row.Name != row.Lane:
		r.Thing = named(row.Name)
	}
	if row.HasZone && row.ID != zoneID(row.Zone) {
		r.Zone = zoneID(row.Zone)
	}
	if row.File != "" {
		r.Function = named(row.Function[strings.LastIndexByte(row.Function, '/')+1:])
		r.Source = source(row.File + ":" + strconv.Itoa(row.Line))
	}
	if row.HasFrame {
		r.Frame = frameID(row.Frame)
	}
	return r
}

// inTools writes an error about a flag of a command for an argument of a tool.
func inTools(err error) error {
	return errors.New(strings.NewReplacer("-sort:", "sort:", "-limit", "limit",
		"as -json and the rows have them", "as the rows have them", "iprof top -by zone", "top").Replace(err.Error()))
}
