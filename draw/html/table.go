package html

import (
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

// heads writes the head of a table. In a live page a head with a key is a link to that order.
func (p *page) heads(list []heading) {
	p.put("<thead><tr>")
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

// time writes a cell of milliseconds. Rows are sorted by the value, if the text has another unit.
func (p *page) time(class markup, ms float64) {
	if class != "" {
		class = ` class="` + class + `"`
	}
	p.put("<td", class)
	text := short(ms)
	if text[len(text)-1] > '9' {
		p.put(` data-v="`, markup(strconv.FormatFloat(ms, 'g', 6, 64)), `"`)
	}
	p.put(">", text, "</td>")
}
