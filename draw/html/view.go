package html

import (
	"math"
	"strconv"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
)

// mostLines is the greatest number of lines of the report's table.
const mostLines = 1000

// view writes the report of the program's view as it was shown: with its order, filter, packages and baseline.
func (p *page) view() {
	r := p.d.Report
	if r == nil || r.Len() == 0 {
		return
	}
	p.put(`<section id="view" aria-label="the report that was shown"><details open data-k="view"><summary><h2>`,
		`The report that is shown in the program</h2></summary><p class="note" dir="auto">`, esc(r.Title), "</p>")
	folded := r.IdleFolded()
	lines := folded.Len()
	if folded != r {
		lines-- // the row of those that wait is the summary of a table of its own
	}
	p.viewTable(folded, 0, min(lines, mostLines))
	p.moreLine(lines-mostLines, "lines")
	if folded != r {
		rec, _ := folded.Line(lines)
		p.put(`<details data-k="waits"><summary>`, esc(rec.Name), " (", intOf(folded.Package(lines).Rows),
			" zones)</summary>")
		p.viewTable(r, lines, min(r.Len(), lines+mostLines))
		p.moreLine(r.Len()-lines-mostLines, "lines")
		p.put("</details>")
	}
	p.put("</details></section>\n")
}

// viewTable writes some lines of a report.
func (p *page) viewTable(r *report.Report, from, to int) {
	columns := viewColumns(r)
	p.put(`<div class="scroll long"><table><caption>the view of the program</caption><thead><tr>`,
		`<th scope="col" class="name">zone</th>`)
	units, named := make([]report.TimeUnit, len(columns)), false
	for i, c := range columns {
		units[i] = r.UnitOf(c)
		named = named || units[i].MS > 0 && units[i] != report.Milliseconds
	}
	for i, c := range columns {
		p.put(`<th scope="col">`, esc(units[i].Heading(c.Info().Heading, named)), "</th>")
	}
	p.put("</tr></thead><tbody>\n")
	for i := from; i < to; i++ {
		p.viewLine(r, columns, units, i)
	}
	p.put("</tbody></table></div>")
}

// viewColumns returns the report's columns. With a baseline, the columns of differences follow.
func viewColumns(r *report.Report) []report.Column {
	columns := append([]report.Column(nil), r.Columns...)
	if r.Baseline.Pinned {
		columns = append(columns, report.ColumnDelta, report.ColumnDeltaPercent)
	}
	return columns
}

func (p *page) viewLine(r *report.Report, columns []report.Column, units []report.TimeUnit, i int) {
	rec, _ := r.Line(i)
	indent := rec.Indent
	class := markup("")
	switch {
	case r.Package(i) != nil:
		class = "package"
	case r.Grouped():
		indent++
	}
	if rec.Idle {
		class += " idle"
	}
	p.put("<tr")
	if class != "" {
		p.put(` class="`, class, `"`)
	}
	p.put(`><td class="name indent`, intOf(min(indent, 12)), `"`)
	name := rec.Name
	if at := int(rec.Zone); at >= 0 && at < len(p.d.Zones) && p.d.Zones[at].Name == name {
		if p.labels[at] != name {
			p.put(` title="`, esc(name), `"`)
		}
		name = p.labels[at]
	}
	p.put("><bdi>", escaped(rec.Estimated.Sign()), shortened(name, 4*mostShown), "</bdi>")
	if rec.Site != "" {
		p.put("<small>", esc(rec.Site), "</small>")
	}
	p.put("</td>")
	for i, c := range columns {
		p.put("<td>", viewCell(rec, c, units[i]), "</td>")
	}
	p.put("</tr>\n")
}

// viewCell formats a record's value in a column.
func viewCell(rec *report.Record, c report.Column, unit report.TimeUnit) markup {
	switch {
	case c == report.ColumnDelta, c == report.ColumnDeltaPercent:
		return esc(string(draw.AppendDelta(nil, &rec.Delta, c == report.ColumnDeltaPercent, unit, 2)))
	case !rec.Mask.Has(c):
		return "-"
	case unit.MS > 0:
		return markup(unit.Append(nil, rec.Values[c], 2))
	}
	return markup(strconv.FormatFloat(rec.Values[c], 'f', viewDecimals(rec.Values[c], c), 64))
}

// viewDecimals returns the number of decimals of a value.
func viewDecimals(v float64, c report.Column) int {
	switch c.Info().Kind {
	case report.KindPercent, report.KindTenths:
		return 1
	case report.KindEntries:
		if v != math.Trunc(v) {
			return 2
		}
	}
	return 0
}
