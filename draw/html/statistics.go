package html

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"example.com/iprof/process/report"
)

// mostStatistics is the number of zones with statistics on a page.
const mostStatistics = 150

// spread is a kind of statistics.
type spread struct {
	key, title, description markup
	of                      func(z *report.ZoneStatistics) *report.Summary
	calls                   bool
}

// statistics writes the statistics of each zone: of its time per frame, and of single calls where these are counted. A
// server's routes count their calls: then these come first. Where frames are only pieces of the time, there are no
// others.
func (p *page) statistics() {
	if len(p.d.Statistics) == 0 {
		return
	}
	spreads := []spread{
		{"self", "self per frame", "frames", func(z *report.ZoneStatistics) *report.Summary { return &z.Self }, false},
		{"hier", "with callees, per frame", "frames", func(z *report.ZoneStatistics) *report.Summary { return &z.Hier },
			false},
		{"call", "single calls", "calls", func(z *report.ZoneStatistics) *report.Summary { return &z.Calls }, true},
	}
	counts := slices.ContainsFunc(p.d.Statistics, func(z report.ZoneStatistics) bool { return len(z.CallBars) > 0 })
	if counts {
		spreads = append(spreads[2:], spreads[:2]...)
	}
	if !p.d.Kind.HasFrames() {
		if !counts {
			return
		}
		spreads = spreads[:1]
	}
	p.put(`<section id="statistics" aria-label="statistics of zones">`,
		"<h2>Statistics of each zone since start or reset</h2>")
	for i, s := range spreads {
		open := markup("")
		if counts && i == 0 {
			open = " open"
		}
		p.put("<details", open, ` data-k="`, s.key, `"><summary>`, s.title, "</summary>")
		p.spread(&s, counts && s.calls)
		p.put("</details>")
	}
	p.put(`<p class="note">Frames without a zone count as 0. Deviations and quantiles are right to 1 %. What is not `,
		`known is a -: single calls are counted where SetPerCall asks for it, and while events are recorded.</p>`,
		"</section>",
		"\n")
}

// spread writes the table of one kind, the greatest mean first, of single calls the greatest p99.
func (p *page) spread(s *spread, bars bool) {
	rows := make([]*report.ZoneStatistics, 0, len(p.d.Statistics))
	for i := range p.d.Statistics {
		if z := &p.d.Statistics[i]; !s.calls || z.CallsCounted+z.CallsMissing > 0 {
			rows = append(rows, z)
		}
	}
	value := func(z *report.ZoneStatistics) float64 {
		v := s.of(z).Mean
		if s.calls {
			v = s.of(z).P99
		}
		if math.IsNaN(v) {
			return -1
		}
		return v
	}
	sort.SliceStable(rows, func(i, k int) bool {
		a, b := rows[i], rows[k]
		return cmp.Or(compareBool(p.info(a.Zone).Idle, p.info(b.Zone).Idle), cmp.Compare(value(b), value(a))) < 0
	})
	list := []heading{{"", "zone"}, {"", s.description}}
	names := [...]string{"min ms", "average ms", "max ms", "deviation ms", "p50 ms", "p90 ms", "p99 ms", "p99.9 ms"}
	p.chooseUnits(len(names), len(rows), func(i, column int) float64 { return summed(s.of(rows[i]))[column] })
	for i, name := range names {
		list = append(list, heading{"", p.timeHead(i, name)})
	}
	if bars {
		list = append(list, heading{"", "shortest to longest"})
	}
	p.put(`<div class="scroll long"><table id="spread-`, s.key, `" class="sorts">`)
	p.heads("spread of times by zone", list)
	p.put("<tbody>")
	for _, z := range rows[:min(len(rows), mostStatistics)] {
		p.spreadRow(s, z, bars)
	}
	p.put("</tbody></table></div>")
	p.moreLine(len(rows)-mostStatistics, "zones")
}

func (p *page) spreadRow(s *spread, z *report.ZoneStatistics, bars bool) {
	idle := p.info(z.Zone).Idle
	p.put("<tr")
	if idle {
		p.put(` class="idle"`)
	}
	p.put(`><td class="name">`, p.named(z.Zone, p.signOf(z.Zone), idle), "</td>")
	switch {
	case s.calls && z.CallsMissing > 0:
		p.put(`<td data-v="`, uintOf(z.CallsCounted), `" title="`, grouped(z.CallsMissing),
			` calls could not be counted">`,
			grouped(z.CallsCounted), " of ", grouped(z.CallsCounted+z.CallsMissing), "</td>")
	case s.calls:
		p.put("<td>", grouped(z.CallsCounted), "</td>")
	default:
		p.put("<td>", grouped(z.Frames), "</td>")
	}
	t := s.of(z)
	for i, ms := range summed(t) {
		class := markup("")
		if i == 1 {
			class = "main"
		}
		if ms-ms != 0 || s.calls && z.CallsCounted == 0 {
			p.put("<td>-</td>")
			continue
		}
		text := markup(p.units[i].Append(nil, ms, 3))
		if s.calls && i == atP99 {
			text = linked(p.slowLink(z.Zone), text)
		}
		p.cell(class, text, ms)
	}
	if bars {
		p.put("<td>", durations(z), "</td>")
	}
	p.put("</tr>\n")
}

// summed returns the times of a row.
func summed(t *report.Summary) [8]float64 {
	return [...]float64{t.Min, t.Mean, t.Max, t.Deviation, t.P50, t.P90, t.P99, t.P999}
}

// atP99 is the place of the p99 in the row of spreadRow.
const atP99 = 6

// durations draws the distribution of single calls, from the shortest to the longest.
func durations(z *report.ZoneStatistics) markup {
	if len(z.CallBars) == 0 {
		return ""
	}
	most := uint64(1)
	for _, n := range z.CallBars {
		most = max(most, n)
	}
	bars := `<svg class="durations" viewBox="0 0 ` + intOf(4*len(z.CallBars)) + ` 18"><title>single calls from ` +
		fitted(z.Calls.Min) + " to " + fitted(z.Calls.Max) + `, a logarithmic scale</title><path d="`
	for i, n := range z.CallBars {
		if n > 0 {
			high := max(1, int(18*float64(n)/float64(most)))
			bars += "M" + intOf(4*i) + " 18v-" + intOf(high) + "h3v" + intOf(high) + "z"
		}
	}
	return bars + `"/></svg>`
}
