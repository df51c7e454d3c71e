package html

import (
	"time"

	"example.com/iprof/process/report"
)

// mostStatements is the number of go statements in the list of goroutines: those with the most alive.
const mostStatements = 100

// goroutines lists the goroutines of the latest survey by go statement. A live page offers a survey.
func (p *page) goroutines() {
	g := p.d.Survey
	if g == nil {
		if p.o.Survey {
			p.put(`<section id="goroutines" aria-label="goroutines"><h2>Goroutines</h2><p class="note"><a href="`,
				`?goroutines=1#goroutines">List them</a>: the program stands still about 4 µs for each.</p></section>`,
				"\n")
		}
		return
	}
	p.put(`<section id="goroutines" aria-label="goroutines"><h2>Goroutines <small>`, grouped(uint64(max(g.Alive, 0))),
		` alive</small></h2>`)
	p.put(`<div class="scroll long"><table id="alive" class="sorts">`)
	p.heads("goroutines by go statement",
		[]heading{{"", "go statement"}, {"", "alive"}, {"", "made"}, {"", "ended"}, {"", "oldest, at least"},
			{"", "none has run for"}, {"", "wait for"}})
	p.put("<tbody>")
	for i := range g.Statements[:min(len(g.Statements), mostStatements)] {
		p.goStatement(&g.Statements[i])
	}
	p.put("</tbody></table></div>")
	p.moreLine(len(g.Statements)-mostStatements, "go statements")
	p.put(`<p class="note">`, p.surveyNote(g), "</p></section>\n")
}

// surveyNote says how a survey was made, and what it lacks.
func (p *page) surveyNote(g *report.Goroutines) (note markup) {
	old := max(p.d.Time.Sub(time.Unix(0, g.At)), 0)
	note = "Survey " + intOf(g.Surveys) + ", " + markup(report.AppendAge(nil, old)) + " ago; the program " +
		"stood still for up to " + timeOf(ofDuration(g.Took)) +
		". Made and ended are those found since the first survey."
	if g.ByFunction {
		note += " So many are listed by the functions that they run, without their ages."
	}
	if g.Unlisted > 0 {
		note += " " + grouped(uint64(g.Unlisted)) + " more are not listed."
	}
	return note
}

func (p *page) goStatement(s *report.GoStatement) {
	p.put(`<tr><td class="name"><bdi>`, esc(shortName(s.Crowd)), `</bdi></td><td class="main">`,
		grouped(uint64(max(s.Alive, 0))), "</td><td>", grouped(s.Made), "</td><td>", grouped(s.Ended), "</td>")
	for _, d := range [...]time.Duration{s.Oldest, s.Rested} {
		if d > 0 {
			p.cell("", markup(report.AppendAge(nil, d)), d.Seconds())
		} else {
			p.put(`<td data-v="0">-</td>`)
		}
	}
	p.put(`<td class="name"><bdi>`, esc(string(s.AppendWaits(nil, shortName))), "</bdi>")
	if s.Leaked > 0 {
		p.put("<small>", intOf(s.Leaked), " leaked</small>")
	}
	p.put("</td></tr>\n")
}
