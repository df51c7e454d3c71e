package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/tables"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// mostListed is the number of rows that a table has without -limit.
const mostListed = 100

// tableOf returns the command that lists a kind of table.
func tableOf(name string) entry {
	return entry{name, tables.Find(name).Words, ofFile, "", func(args []string) int { return listTable(name, args) }}
}

// listTable is the command of a table.
func listTable(name string, args []string) int {
	kind := tables.Find(name)
	f, pick := newFlags(name), selection{limit: mostListed}
	pick.addTo(f, kind.By)
	output := f.String("o", "-", "write to `FILE`; - is standard output")
	asJSON := f.Bool("json", false, "write one JSON object")
	if err := parseFlags(f, args); err != nil {
		return usageStatus(err)
	}
	if f.NArg() != 1 {
		stderr.Printf("usage: iprof %s [flags] CAPTURE, as: iprof %[1]s game.iprof\n", name)
		return 2
	}
	by := openTwice(pick.judges())
	return showFile(by, f.Arg(0), *output, func(w io.Writer, s *process.Session, c *opened) error {
		c.pick, c.HasFrame = pick, false
		return c.writeSums(w, s, kind, *asJSON)
	})
}

// writeSums writes the table that the user chose.
func (c *opened) writeSums(w io.Writer, s *process.Session, kind *tables.Kind, asJSON bool) error {
	t, err := c.table(s, kind)
	if err != nil {
		return err
	}
	return c.writeTable(w, s, t, asJSON)
}

// writeBlamed writes what the verdicts blame.
func (c *opened) writeBlamed(w io.Writer, s *process.Session, asJSON bool) error {
	p, limit := &c.pick, c.pick.limit
	p.limit = 0
	list, left, err := c.verdictsOf(s)
	if err != nil {
		return err
	}
	var things []tables.Thing
	for i := range list {
		v := &list[i]
		kind, zone, name := v.Blames()
		if name == "" && zone <= 0 {
			name = kind.String()
		}
		things = append(things, tables.Thing{Zone: zone, Name: name, Frame: v.Index,
			Values: [6]float64{v.Target().Excess, v.Time}})
	}
	t, err := tables.List(&tables.Choice{Kind: tables.Verdicts, By: p.by, Zone: p.zone, IDs: p.ids, Sort: p.column,
		Limit: limit}, tables.ZonesOf(s), uint64(len(list)), things)
	if err != nil {
		return err
	}
	if left > 0 {
		t.Notes = append(t.Notes, printed.Count(left, "older frame")+" left out")
	}
	return c.writeTable(w, s, t, asJSON)
}

// writeTable writes a table.
func (c *opened) writeTable(w io.Writer, s *process.Session, t *tables.Table, asJSON bool) error {
	if asJSON {
		return writeTableJSON(w, s, c, t)
	}
	describeCapture(w, s, c)
	return printTable(w, t)
}

// table makes the table that the user chose.
func (c *opened) table(s *process.Session, kind *tables.Kind) (*tables.Table, error) {
	p := &c.pick
	l := report.Lens{Kind: report.LensAll}
	if !c.unjudged { // else the ids choose
		var err error
		if l, err = c.lens(s); err != nil {
			return nil, err
		}
	}
	return tables.Read(c.whole, &tables.Choice{Kind: kind, By: p.by, Zone: p.zone, Lane: p.lane, IDs: p.ids,
		Sort: p.column, Limit: p.limit, Takes: c.takes(s, l)})
}

// takes returns a function that reports whether a lens chooses a frame of the capture, which is asked for the frames in
// their order. It is nil for all frames.
func (c *opened) takes(s *process.Session, l report.Lens) func(number, index uint64) bool {
	if l.Kind == report.LensOff || l.Kind == report.LensAll && !l.Undisturbed {
		return nil
	}
	if c.file == nil {
		chosen := map[uint64]bool{}
		for _, f := range l.Choose(s.AppendFrames(nil, math.MaxInt)) {
			chosen[f.Index] = true
		}
		return func(_, index uint64) bool { return chosen[index] }
	}
	numbers := c.chosen(s, l)
	return func(number, _ uint64) bool {
		for len(numbers) > 0 && numbers[0] < number {
			numbers = numbers[1:]
		}
		return len(numbers) > 0 && numbers[0] == number
	}
}

// printTable writes a table as text: numbers, then what they are of.
func printTable(w io.Writer, t *tables.Table) error {
	var cells [][]string
	heads := make([]string, len(t.Columns))
	widths := make([]int, len(t.Columns))
	for i, name := range t.Columns {
		heads[i] = strings.ReplaceAll(name, "_", " ")
		widths[i] = len(heads[i])
	}
	for i := range t.Rows {
		row := make([]string, len(t.Columns))
		for k, v := range t.Rows[i].Values {
			row[k] = numberIn(t.Columns[k], v)
			widths[k] = max(widths[k], len(row[k]))
		}
		cells = append(cells, row)
	}
	line := func(row []string, what string) error {
		for i, cell := range row {
			fmt.Fprintf(w, "%*s  ", widths[i], cell)
		}
		_, err := fmt.Fprintln(w, what)
		return err
	}
	if err := line(heads, t.By); err != nil {
		return err
	}
	for i, row := range cells {
		if err := line(row, wordsOf(&t.Rows[i])); err != nil {
			return err
		}
	}
	if t.Left > 0 {
		fmt.Fprintf(w, "rows %d of %d\n", len(t.Rows), len(t.Rows)+t.Left)
	}
	for _, note := range t.Notes {
		fmt.Fprintln(w, shownText(note))
	}
	return nil
}

// numberIn writes a number of a column.
func numberIn(column string, v float64) string {
	switch {
	case v != v:
		return "-"
	case strings.HasSuffix(column, "_ms"):
		return strconv.FormatFloat(v, 'f', 3, 64)
	case strings.HasSuffix(column, "_percent"):
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 32)
}

// wordsOf says what a row is of.
func wordsOf(row *tables.Row) string {
	name := shownText(row.Name)
	if len(row.Path) > 0 {
		var names []string
		for _, zone := range row.Path {
			names = append(names, shownText(zone))
		}
		name = strings.Join(names, " > ")
	}
	words := []string{row.ID, name}
	if row.Place != "" {
		words = append(words, "at "+shownText(row.Place))
	}
	if row.Line > 0 {
		words = append(words, fmt.Sprintf("%s:%d", shownText(row.File), row.Line), shownText(row.Text))
	}
	if row.EndedBy != "" {
		words = append(words, "ended by "+shownText(row.EndedBy))
	}
	if row.Lane != "" && row.Lane != row.Name {
		words = append(words, "in "+shownText(row.Lane))
	}
	if row.HasFrame && row.ID == "" {
		words = append(words, fmt.Sprintf("frame f%d", row.Frame))
	}
	return strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), "  ")
}

// writeTableJSON writes a table as JSON.
func writeTableJSON(w io.Writer, s *process.Session, c *opened, t *tables.Table) error {
	out := &asjson.Table{Of: t.Kind.Name, By: t.By, Sorted: t.Sorted, Frames: t.Frames, Left: t.Left,
		Rows: []asjson.TableRow{}}
	for _, note := range t.Notes {
		out.Notes = append(out.Notes, asjson.Text(note))
	}
	for i := range t.Rows {
		row := &t.Rows[i]
		j := asjson.TableRow{ID: asjson.Text(row.ID), Name: asjson.Text(row.Name), Text: asjson.Text(row.Text),
			Place: asjson.Text(row.Place), EndedBy: asjson.Text(row.EndedBy), Lane: asjson.Text(row.Lane),
			Values: map[string]asjson.Known{},
			Site:   asjson.Site{Function: asjson.Text(row.Function), File: asjson.Text(row.File), Line: row.Line}}
		for _, zone := range row.Path {
			j.Path = append(j.Path, asjson.Text(zone))
		}
		if row.HasZone {
			j.Zone = &row.Zone
		}
		if row.Lane != "" {
			j.LaneID = &row.LaneID
		}
		if row.HasFrame {
			j.Frame = &row.Frame
		}
		for k, v := range row.Values {
			j.Values[t.Columns[k]] = asjson.Known(v)
		}
		out.Rows = append(out.Rows, j)
	}
	f := fileOf(s, c)
	f.Table = out
	return asjson.Write(w, f)
}
