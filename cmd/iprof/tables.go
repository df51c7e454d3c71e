package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/tables"
)

// fileOf returns what each command says of a capture in JSON.
func fileOf(c *opened) *asjson.File {
	return &asjson.File{Kind: c.Kind().String(), Program: asjson.Text(c.Program), GoVersion: asjson.Text(c.GoVersion),
		Machine: asjson.Text(c.Machine), Time: c.Start, Frames: c.Frames, Complete: &c.Complete,
		Disturbed: c.disturbed()}
}

// disturbed counts the disturbed frames of all frames, nil if they were not judged.
func (c *opened) disturbed() *asjson.Disturbed {
	if c.unjudged {
		return nil
	}
	if c.Sums != nil {
		return &asjson.Disturbed{Frames: c.Sums.Disturbed, Among: int(c.Frames)}
	}
	return asjson.DisturbedOf(c.Session.AppendFrames(nil, math.MaxInt))
}

// writeTable writes a table.
func (c *opened) writeTable(w io.Writer, t *tables.Table) error {
	if c.pick.json {
		f := fileOf(c)
		f.Table = tableJSON(t)
		return asjson.Write(w, f)
	}
	describeCapture(w, c)
	return printTable(w, t)
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
	if err := leftOut(w, "rows", len(t.Rows), t.Left); err != nil {
		return err
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
	words := []string{row.Group.String(), row.ID, name}
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

// tableJSON returns a table for JSON.
func tableJSON(t *tables.Table) *asjson.Table {
	out := &asjson.Table{Of: t.Kind.Name, By: t.By, Sorted: t.Sorted, Frames: t.Frames, Left: t.Left,
		Rows: []asjson.TableRow{}}
	for _, note := range t.Notes {
		out.Notes = append(out.Notes, asjson.Text(note))
	}
	for i := range t.Rows {
		row := &t.Rows[i]
		j := asjson.TableRow{ID: asjson.Text(row.ID), Group: row.Group.String(), Name: asjson.Text(row.Name),
			Text:  asjson.Text(row.Text),
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
	return out
}
