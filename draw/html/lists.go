package html

import (
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
)

// sections lists the sections of the program, the newest first. Each has the statistics of all its frames, also of
// those that have left the history.
func (p *page) sections() {
	if len(p.d.Sections) == 0 {
		return
	}
	p.put(`<section id="sections" aria-label="sections"><h2>Sections <small>`)
	if n := len(p.d.Sections); n >= report.MaxSections {
		p.put("the newest ")
	}
	p.put(intOf(len(p.d.Sections)), `</small></h2><div class="scroll long"><table id="parts" class="sorts">`)
	p.chooseUnits(3, len(p.d.Sections), func(i, column int) float64 {
		s := &p.d.Sections[i]
		return [...]float64{s.Mean, s.P99, s.Worst}[column]
	})
	p.heads("sections of the program",
		[]heading{{"", "section"}, {"", "frame"}, {"", "frames"}, {"", p.timeHead(0, "average ms")},
			{"", p.timeHead(1, "p99 ms")}, {"", p.timeHead(2, "worst ms")}, {"", "worst frame"}})
	p.put("<tbody>")
	for i := len(p.d.Sections) - 1; i >= 0; i-- {
		s := &p.d.Sections[i]
		p.put(`<tr><td class="name">`, "<bdi>", esc(shortName(nameOr(s.Name))), "</bdi></td><td>", uintOf(s.From),
			"</td><td>",
			grouped(s.Frames), "</td>")
		p.time(0, "main", s.Mean)
		p.time(1, "", s.P99)
		p.time(2, "", s.Worst)
		p.put("<td>", linked(p.frameLink(s.WorstFrame), uintOf(s.WorstFrame)), "</td></tr>\n")
	}
	p.put("</tbody></table></div></section>\n")
}

// mostSlowCalls is the number of slow calls on a page: the newest.
const mostSlowCalls = 32

// slowCalls lists the calls that took far longer than their zone's calls do, the newest first. Each is a bar of what it
// called, and below it the usual call as a ghost to the same scale.
func (p *page) slowCalls() {
	if len(p.d.SlowCalls) == 0 {
		return
	}
	newest := p.shownSlowCalls()
	p.put(`<section id="slow" aria-label="slow calls"><h2>Slow calls <small>`)
	if n := uint64(len(newest)); n < p.d.SlowSeen {
		p.put("the newest ", uintOf(n), " of ", grouped(p.d.SlowSeen))
	} else {
		p.put(uintOf(n))
	}
	p.put(`</small></h2><div class="long">`)
	named := map[report.ZoneID]bool{}
	for i := len(newest) - 1; i >= 0; i-- {
		c := newest[i]
		id := markup("")
		if !named[c.Zone] {
			named[c.Zone], id = true, ` id="slow-`+intOf(int(c.Zone))+`"`
		}
		p.put(`<details`, id, ` data-k="`, intOf(int(c.Zone)), "-", intOf(int(c.End)), `"><summary dir="auto">`,
			esc(string(c.AppendText(nil, shortName))), " <small>", markup(draw.AppendFixed(nil, max(p.d.Now-c.Ended,
				0), 0)),
			" s ago · ", linked(p.frameLink(c.Frame), "frame "+uintOf(c.Frame)), " · ", esc(shortName(c.LaneName)),
			"</small></summary>")
		p.slowCall(c)
		p.put("</details>\n")
	}
	p.put("</div></section>\n")
}

// shownSlowCalls returns the slow calls on the page, oldest first.
func (p *page) shownSlowCalls() []*report.SlowCall {
	return p.d.SlowCalls[max(len(p.d.SlowCalls)-mostSlowCalls, 0):]
}

// slowLink returns the address of the newest slow call of a zone, or "".
func (p *page) slowLink(id report.ZoneID) markup {
	for _, c := range p.shownSlowCalls() {
		if c.Zone == id {
			return "#slow-" + intOf(int(id))
		}
	}
	return ""
}

func (p *page) slowCall(c *report.SlowCall) {
	t := report.FrameTree{Verdict: report.Verdict{Usual: c.Usual}}
	g := verdictPicture{newPicture(wide, 82), p, 130, (wide - 230) / float32(max(c.Time, c.Usual, 1e-9))}
	rest := c.Time
	for i := range c.Parts {
		if part := &c.Parts[i]; part.Level == 0 {
			rest -= part.Time
			t.Parts = append(t.Parts, report.Part{Zone: part.Zone, Cause: 1, Time: part.Time,
				Count: float64(part.Count)})
		}
	}
	t.Parts = append(t.Parts, report.Part{Zone: c.Zone, Time: max(rest, 0)})
	g.left(0, 37, g.x0-8, "this call", g.TextBright)
	g.left(g.bar(&t, 20, 26, false)+7, 37, wide, string(timeOf(c.Time)), g.TextBright)
	if c.Usual > 0 {
		usual := report.FrameTree{Parts: []report.Part{{Zone: c.Zone, Cause: 1, Usual: c.Usual}}}
		g.left(0, 71, g.x0-8, "usually", g.TextDim)
		g.left(g.bar(&usual, 58, 18, true)+7, 71, wide, string(timeOf(c.Usual)), g.TextDim)
	}
	p.put(markup(g.svg("drawn", "the call above a usual one, to scale")), `<ul class="causes">`)
	for i := range c.Parts {
		part := &c.Parts[i]
		p.put(`<li class="level`, intOf(min(part.Level, 9)), `">`, p.swatch(part.Zone),
			linked(p.zoneLink(part.Zone), esc(shortName(p.label(part.Zone)))), " ", timeOf(part.Time),
			callsOf(float64(part.Count)), "</li>")
	}
	p.put("</ul>")
}

const mostSpawns = 200 // rows of the table of go statements

// forks lists the go statements of a program that iprof run has built.
func (p *page) spawnTimes() {
	if len(p.d.Spawns) == 0 {
		return
	}
	p.put(`<section id="forks" aria-label="go statements"><h2>Go statements of the run</h2><div class="scroll long">`,
		`<table id="starts" class="sorts">`)
	p.chooseUnits(3, len(p.d.Spawns), func(i, column int) float64 {
		f := &p.d.Spawns[i]
		return [...]float64{f.Own, f.Spawned, f.Waited}[column]
	})
	p.heads("go statements and their times",
		[]heading{{"", "go statement"}, {"", "goroutines"}, {"", p.timeHead(0, "own ms")},
			{"", p.timeHead(1, "spawned ms")}, {"", p.timeHead(2, "waited ms")}, {"", "zones open there"}})
	p.put("<tbody>")
	for i := range p.d.Spawns[:min(len(p.d.Spawns), mostSpawns)] {
		f := &p.d.Spawns[i]
		p.put(`<tr><td class="name">`, esc(shortName(f.Crowd)), "</td><td>", grouped(f.Goroutines), "</td>")
		p.time(0, "", f.Own)
		p.time(1, "main", f.Spawned)
		p.time(2, "", f.Waited)
		where := shortened(strings.Join(f.Path, " › "), 4*mostShown)
		if f.Paths > 1 {
			where += ", and " + intOf(f.Paths-1) + " more"
		}
		p.put(`<td class="name">`, where, "</td></tr>\n")
	}
	p.put("</tbody></table></div>")
	p.moreLine(len(p.d.Spawns)-mostSpawns, "go statements")
	p.put(`<p class="note">own and waited: the zone with the statement, outside and in idle zones. spawned: the `,
		"goroutines ",
		"that it started.</p></section>\n")
}

// mostValues is the number of values on a page.
const mostValues = 200

// values lists the numbers of frames: of the heap, counts and levels.
func (p *page) values() {
	if len(p.d.Values) == 0 {
		return
	}
	p.put(`<section id="values" aria-label="values of frames"><h2>Values of frames</h2><div class="scroll long">`,
		`<table id="numbers" class="sorts">`)
	list := []heading{{"", "value"}, {"", "total"}, {"", "average"}, {"", "max"}, {"", "each frame"}}
	if p.chosen.of != nil {
		list = append(list, heading{"", markup(p.chosen.title)})
	}
	p.heads("numbers of frames", list)
	p.put("<tbody>")
	for i := range p.d.Values[:min(len(p.d.Values), mostValues)] {
		p.value(&p.d.Values[i])
	}
	p.put("</tbody></table></div>")
	p.moreLine(len(p.d.Values)-mostValues, "values")
	p.put("</section>\n")
}

func (p *page) value(v *report.ValueSeries) {
	p.put(`<tr><td class="name"><bdi>`, shortened(nameOr(v.Name), mostShown), "</bdi>")
	if v.Kind == report.ValueLevel {
		p.put("<small>level</small>")
	}
	p.put("</td>")
	for _, x := range [...]float64{v.Total, v.Mean, v.Max} {
		p.cell("", inUnit(x, v.Unit), x)
	}
	p.put(`<td class="line">`, markup(sparkline(v.Values)), "</td>")
	if of := p.chosen.of; of != nil {
		at := p.open[of.Index] + len(v.Values) - len(p.d.History)
		if at < 0 || at >= len(v.Values) || v.Values[at]-v.Values[at] != 0 {
			p.put("<td></td>")
		} else {
			p.cell("main", inUnit(float64(v.Values[at]), v.Unit), float64(v.Values[at]))
		}
	}
	p.put("</tr>\n")
}

// sparkline draws a number of each frame, as high as the cell at its greatest.
func sparkline(values []float32) []byte {
	const width, height = 240, 20
	low, high, known := float32(0), float32(1e-9), 0
	for _, v := range values {
		if v-v == 0 {
			low, high, known = min(low, v), max(high, v), known+1
		}
	}
	if known < 2 {
		return nil
	}
	g := newPicture(width, height)
	n := min(len(values), width)
	lastX, lastY, has := float32(0), float32(0), false
	for i := range n {
		v := values[i*len(values)/n]
		if v-v != 0 {
			has = false
			continue
		}
		x, y := (float32(i)+0.5)*width/float32(n), 19-18*(v-low)/(high-low)
		if has {
			g.Line(lastX, lastY, x, y, 1.5, g.Accent)
		}
		lastX, lastY, has = x, y, true
	}
	return g.svg("spark", "the value of each frame")
}
