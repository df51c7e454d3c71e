package html

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"example.com/iprof/process/report"
)

// mostRows is the number of rows of a list of zones.
const mostRows = 300

// charge is a column of what zones did besides taking time.
type charge struct {
	heading heading
	any     func(c *report.Charges) bool
	cell    func(p *page, z *report.ZoneTotal)
}

// chargeColumns are all such columns.
func chargeColumns() []charge {
	size := func(bytes, pieces float64, word markup) func(p *page) {
		return func(p *page) {
			if bytes == 0 && pieces == 0 {
				p.put("<td></td>")
				return
			}
			p.put(`<td data-v="`, decimal(math.Round(bytes)), `" title="`, count(math.Round(pieces)), " ", word, `">`,
				bytesOf(bytes), "</td>")
		}
	}
	return []charge{
		{heading{"", "allocated"}, func(c *report.Charges) bool { return c.Allocs > 0 || c.AllocBytes > 0 },
			func(p *page, z *report.ZoneTotal) { size(z.AllocBytes, z.Allocs, "allocs")(p) }},
		{heading{"", "freed"}, func(c *report.Charges) bool { return c.Frees > 0 || c.FreeBytes > 0 },
			func(p *page, z *report.ZoneTotal) { size(z.FreeBytes, z.Frees, "frees")(p) }},
		{heading{"", "~heap"}, func(c *report.Charges) bool { return c.HeapBytes > 0 || c.HeapObjects > 0 },
			func(p *page, z *report.ZoneTotal) { size(z.HeapBytes, z.HeapObjects, "objects, about")(p) }},
		{heading{"", "units"}, func(c *report.Charges) bool { return c.Units > 0 },
			func(p *page, z *report.ZoneTotal) {
				if z.Units > 0 {
					p.cell("", count(z.Units), z.Units)
				} else {
					p.put("<td></td>")
				}
			}},
		{heading{"", "per unit"}, func(c *report.Charges) bool { return c.Units > 0 },
			func(p *page, z *report.ZoneTotal) {
				if z.Units > 0 {
					p.cell("", fitted(z.Hier/z.Units), z.Hier/z.Units)
				} else {
					p.put("<td></td>")
				}
			}},
	}
}

// zoneList writes the zones of the subject by self time, or as the query asks for.
func (p *page) zoneList(s *subject) {
	totals := p.d.ZoneTotals()
	if s.frame != nil {
		totals = report.AppendZoneTotals(nil, s.nodes)
	}
	totals = slices.Clone(totals)
	p.order(totals)
	working, _, waits := report.FoldTotals(totals)
	var waiting []report.ZoneTotal
	if waits > 0 {
		for i := range totals {
			if totals[i].Idle {
				waiting = append(waiting, totals[i])
			}
		}
	}
	var columns []charge
	for _, c := range chargeColumns() {
		if slices.ContainsFunc(totals, func(z report.ZoneTotal) bool { return c.any(&z.Charges) }) {
			columns = append(columns, c)
		}
	}
	p.put(`<section id="top" aria-label="zones"><h2>Zones by self time <small>of `, markup(s.title), "</small></h2>")
	p.zoneTable("zones", working, columns, s)
	if len(waiting) > 0 {
		sum := 0.0
		for i := range waiting {
			sum += waiting[i].Self
		}
		p.put(`<details data-k="waits"><summary>waiting: `, intOf(len(waiting)), " zones, ", timeOf(sum), "</summary>")
		p.zoneTable("waits", waiting, columns, s)
		p.put("</details>")
	}
	p.put("</section>\n")
}

// order sorts totals as the query asks for; without one by self time.
func (p *page) order(totals []report.ZoneTotal) {
	row := func(z *report.ZoneTotal) *neighbour { return &neighbour{z.Count, z.Self, z.Hier} }
	if p.o.By == "" {
		return
	}
	sort.SliceStable(totals, func(i, k int) bool {
		a, b := &totals[i], &totals[k]
		return cmp.Or(p.compare(a.Zone, b.Zone, row(a), row(b)), cmp.Compare(a.Zone, b.Zone)) < 0
	})
}

func (p *page) zoneTable(id markup, totals []report.ZoneTotal, columns []charge, s *subject) {
	hottest := 0.0
	for i := range totals {
		if z := &totals[i]; !z.Idle && z.Zone != 0 {
			hottest = max(hottest, z.Self)
		}
	}
	p.put(`<div class="scroll long"><table id="`, id, `" class="sorts">`)
	p.chooseUnits(3, len(totals), func(i, column int) float64 {
		z := &totals[i]
		return [...]float64{z.Self, z.Hier, perEntry(z.Self, z.Count)}[column]
	})
	list := []heading{{"name", "zone"}, {"self", p.columnHead(0, report.ColumnSelf)}, {"", ""},
		{"", columnName(report.ColumnSelfPercent)}, {"hier", p.columnHead(1, report.ColumnHier)},
		{"count", columnName(report.ColumnCount)}, {"average", p.columnHead(2, report.ColumnSelfPerCall)}}
	for i := range columns {
		list = append(list, columns[i].heading)
	}
	p.heads("zones and their times", list)
	p.put("<tbody>")
	for i := range totals[:min(len(totals), mostRows)] {
		p.zoneRow(&totals[i], columns, s, hottest)
	}
	p.put("</tbody></table></div>")
	p.moreLine(len(totals)-mostRows, "zones")
}

func (p *page) zoneRow(z *report.ZoneTotal, columns []charge, s *subject, hottest float64) {
	p.put("<tr")
	if z.Idle {
		p.put(` class="idle"`)
	}
	sign := z.Estimated.Sign()
	p.put(`><td class="name"`, p.whole(z.Zone), ">", p.named(z.Zone, sign, z.Idle), "</td>")
	heat := markup("")
	if !z.Idle && z.Zone != 0 {
		heat = heatOf(z.Self, hottest)
	}
	p.time(0, heat, z.Self)
	p.put("<td>", p.bar(z.Zone, z.Self, z.Self, s.whole), "</td>")
	p.cell("", share(z.Self, s.whole), z.Self)
	p.time(1, "", z.Hier)
	p.cell("", count(z.Count), z.Count)
	p.put("<td>", p.perCall(2, z.Self, z.Count), "</td>")
	for i := range columns {
		columns[i].cell(p, z)
	}
	p.put("</tr>\n")
}
