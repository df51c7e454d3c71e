package html

import (
	"math"
	"strconv"

	"example.com/iprof/process/report"
)

// heading is the head of a column: its key in a query, "" for none, and its text.
type heading struct {
	by   string
	text markup
}

// columnName returns the heading of a column, which is the same on all displays.
func columnName(c report.Column) markup { return esc(c.Info().Heading) }

// heads writes the caption of a table, which only screen readers show, and its head. In a live page a head with a key
// is a link to that order.
func (p *page) heads(caption markup, list []heading) {
	p.put("<caption>", caption, "</caption><thead><tr>")
	for i, h := range list {
		class := markup("")
		if i == 0 {
			class = ` class="name"`
		}
		if p.o.By != "" && p.o.By == h.by {
			class += ` aria-sort="descending"`
		}
		text := h.text
		if p.o.Live && h.by != "" {
			q := p.o.Query
			q.By = h.by
			text = linked(p.query(q), text)
		}
		p.put(`<th scope="col"`, class, ">", text, "</th>")
	}
	p.put("</tr></thead>")
}

// cell writes a cell. Rows are sorted by the value, if it is not the text.
func (p *page) cell(class, text markup, value float64) {
	p.put("<td")
	if class != "" {
		p.put(` class="`, class, `"`)
	}
	if written := strconv.FormatFloat(value, 'g', 5, 64); written != string(text) {
		p.put(` data-v="`, markup(written), `"`)
	}
	p.put(">", text, "</td>")
}

// chooseUnits chooses the units of the columns of times of the next table.
func (p *page) chooseUnits(columns, rows int, time func(row, column int) float64) {
	p.units, p.unitsNamed = p.units[:0], false
	for c := range columns {
		most := 0.0
		for i := range rows {
			if v := math.Abs(time(i, c)); v > most && !math.IsInf(v, 0) {
				most = v
			}
		}
		p.units = append(p.units, report.TimeUnitOf(most))
		p.unitsNamed = p.unitsNamed || p.units[c] != report.Milliseconds
	}
}

// timeHead returns the heading of a column of times with its unit.
func (p *page) timeHead(column int, heading string) markup {
	return esc(p.units[column].Heading(heading, p.unitsNamed))
}

// columnHead is timeHead of a column of reports.
func (p *page) columnHead(column int, c report.Column) markup {
	return p.timeHead(column, c.Info().Heading)
}

// timeIn returns a time in the unit of its column.
func (p *page) timeIn(column int, ms float64) markup {
	return markup(p.units[column].Append(nil, ms, 2))
}

// time writes a cell of a column of times.
func (p *page) time(column int, class markup, ms float64) {
	if class != "" {
		class = ` class="` + class + `"`
	}
	p.put("<td", class, ">", p.timeIn(column, ms), "</td>")
}

// perEntry returns the time of an entry, 0 without entries.
func perEntry(ms, entries float64) float64 {
	if entries > 0 {
		return ms / entries
	}
	return 0
}

// perCall returns the time of an entry in the unit of its column, or "-" without entries.
func (p *page) perCall(column int, ms, entries float64) markup {
	if !(entries > 0) {
		return "-"
	}
	return p.timeIn(column, ms/entries)
}
