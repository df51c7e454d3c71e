package html

import (
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
)

// verdict writes the verdict on the frame chosen, or on the slowest of the run: its sentence, and its drawing.
func (p *page) verdict() {
	v, tree := &p.d.Verdict, p.chosen.frame
	if tree != nil {
		v = &tree.Verdict
	} else {
		for i := range p.d.FrameTrees {
			if p.d.FrameTrees[i].Index == v.Index {
				tree = &p.d.FrameTrees[i]
			}
		}
	}
	if !v.Found() {
		return
	}
	p.put(`<section id="why" aria-label="verdict">`)
	p.sentence(v, p.chosen.frame == nil)
	if tree != nil {
		p.drawnVerdict(tree)
	}
	p.put("</section>\n")
}

// sentence writes a verdict in words, with a link to its frame.
func (p *page) sentence(v *report.Verdict, links bool) {
	text := string(v.AppendText(nil, shortName))
	if number, ok := strings.CutPrefix(text, "Frame "); ok && !p.d.Kind.HasFrames() {
		text = "Interval " + number
	}
	href, words := markup(""), esc(text)
	if links {
		if href = p.frameLink(v.Index); href == "" {
			words += " <small>This frame is no longer in the history.</small>"
		}
	}
	p.put(`<p class="verdict" dir="auto">`, linked(href, words), "</p>")
}

// restName is the name of the rest of a frame.
const restName = "others"

// partName returns the name of a part of a frame.
func (p *page) partName(part *report.Part) string {
	switch {
	case part.Path == report.RestPath:
		return restName
	case part.Zone == 0:
		return "outside all zones"
	}
	return p.label(part.Zone)
}

// wide is the width of a picture.
const wide = 1160

// drawnVerdict draws a verdict: the frame as a bar of its parts, the usual frame below it to the same scale, and
// between the two the excess. Causes are bright, and are named with their places below.
func (p *page) drawnVerdict(t *report.FrameTree) {
	if len(t.Parts) == 0 {
		return
	}
	v := &t.Verdict
	time, usual := 0.0, v.Usual
	if at, known := p.open[t.Index]; known {
		time = float64(p.d.History[at].Length)
	}
	g := verdictPicture{newPicture(wide, 50), p, 130, (wide - 230) / float32(max(time, usual, 1e-9))}
	if usual > 0 {
		g.height = 82
	}
	g.left(0, 37, g.x0-8, "frame "+uintText(t.Index), g.TextBright)
	g.left(g.bar(t, 20, 26, false)+7, 37, wide, string(timeOf(time)), g.TextBright)
	if usual > 0 {
		g.left(0, 71, g.x0-8, "usually", g.TextDim)
		g.left(g.bar(t, 58, 18, true)+7, 71, wide, string(timeOf(usual)), g.TextDim)
		g.excess(time, usual)
	}
	p.put(markup(g.svg("drawn", "the frame above a usual one, to scale")))
	p.causes(t)
}

// verdictPicture is the drawing of a verdict.
type verdictPicture struct {
	*picture
	p   *page
	x0  float32 // of the bars
	per float32 // units per ms
}

// bar draws the parts of the frame, or of the usual frame as a ghost. It returns the end.
func (g *verdictPicture) bar(t *report.FrameTree, y, height float32, ghost bool) float32 {
	x := g.x0
	for i := range t.Parts {
		part := &t.Parts[i]
		ms, entries := part.Time, part.Count
		if ghost {
			ms, entries = part.Usual, part.Often
		}
		width := float32(ms) * g.per
		if !(width >= 0.5) {
			continue
		}
		g.item("", esc(g.p.partName(part))+" "+timeOf(ms)+callsOf(entries))
		end := min(x+width, wide-40)
		g.part(part, x, y, end, y+height, ghost)
		x = end
	}
	g.plain()
	return x
}

// part draws a part of a bar, with its name if it has room.
func (g *verdictPicture) part(part *report.Part, x0, y0, x1, y1 float32, ghost bool) {
	c, text := g.Grey, g.TextNormal
	if part.Zone > 0 && !part.Idle {
		if c = g.p.color(part.Zone); part.Cause > 0 {
			c = g.p.own(part.Zone)
		}
	}
	switch bright := part.Cause > 0; {
	case ghost:
		g.Rect(x0, y0, x1-1, y1, draw.Fade(c, 0.22))
		g.Rect(x0, y0, x1-1, y0+1, c)
		g.Rect(x0, y1-1, x1-1, y1, c)
	case bright:
		g.Rect(x0, y0, x1-1, y1, c)
		text = ink
	default:
		g.Rect(x0, y0, x1-1, y1, draw.Fade(c, 0.34))
	}
	if room := x1 - x0 - 9; room >= leastName {
		g.name(x0+4, (y0+y1)/2+4, room, g.p.partName(part), text)
	}
}

// leastName is the least width that a name is written in: a few letters are no help.
const leastName = 28

// excess draws what the frame has over the usual.
func (g *verdictPicture) excess(time, usual float64) {
	x0, x1 := g.x0+float32(usual)*g.per, g.x0+float32(time)*g.per
	if x1-x0 < 4 {
		return
	}
	g.Rect(x0, 15, x1, 16, g.Red)
	g.Rect(x0, 15, x0+1, 19, g.Red)
	g.Rect(x1-1, 15, x1, 19, g.Red)
	text := "+" + string(short(time-usual))
	g.left(max(x0, (x0+x1-g.Width(face, text))/2), 12, wide, text, g.Red)
}

// callsOf returns words for the calls of a part, or "" for one.
func callsOf(n float64) markup {
	if n <= 1.5 {
		return ""
	}
	return " in " + counted(uint64(n+0.5), "call")
}

// causes lists the parts that are causes, and the waits, with their places.
func (p *page) causes(t *report.FrameTree) {
	v := &t.Verdict
	named := make([]bool, len(v.Causes)+1)
	p.put(`<ul class="causes">`)
	for i := range t.Parts {
		part := &t.Parts[i]
		if part.Cause <= 0 || part.Cause > len(v.Causes) {
			continue
		}
		p.put("<li>", p.swatch(part.Zone), linked(p.zoneLink(part.Zone), "<bdi>"+esc(p.partName(part))+"</bdi>"), " ",
			timeOf(part.Time), callsOf(part.Count), ", usually ", short(part.Usual), callsOf(part.Often))
		p.put(p.entered(part.Zone))
		if words := p.waitOf(v, part.Cause-1); words != "" && !named[part.Cause] {
			p.put(` <span class="wait">`, words, "</span>")
		}
		named[part.Cause] = true
		p.put("</li>")
	}
	for i := range v.Causes {
		if words := p.waitOf(v, i); words != "" && !named[i+1] {
			p.put(`<li class="wait">`, words, "</li>")
		}
	}
	p.put("</ul>")
}

// entered names the function that enters a zone, and its place, "" if they are not known.
func (p *page) entered(zone report.ZoneID) markup {
	z := p.info(zone)
	if zone <= 0 || z.File == "" {
		return ""
	}
	return " <small>" + esc(z.Function[strings.LastIndexByte(z.Function, '/')+1:]) + " " + esc(z.Site()) + "</small>"
}

// waitOf names the reason and the end of a wait, or the zone of another goroutine meanwhile, "" for other causes.
func (p *page) waitOf(v *report.Verdict, i int) markup {
	c := &v.Causes[i]
	took := markup(draw.AppendFixed(nil, c.Time, 1)) + " ms"
	switch c.Kind {
	case report.CauseAway:
		return "other programs had the processor " + took
	case report.CauseNotRunning:
		return "did not run " + took
	case report.CauseWorker:
		zone := linked(p.zoneLink(c.Zone), "<bdi>"+esc(c.Name)+"</bdi>")
		words := esc(shortName(c.Lane)) + " was in " + zone + " " + took
		if v.EndedBy(i-1) != c {
			return "meanwhile " + words + p.entered(c.Zone)
		}
		q := &v.Causes[i-1].State
		return words + ", then " + markup(report.EndedWord(q.Reason)) + " it" + placed(q.At) + p.entered(c.Zone)
	case report.CauseState:
	default:
		return ""
	}
	q := report.StateTime{Kind: c.State.Kind, Reason: c.State.Reason}
	words := esc(string(q.AppendTitle(nil))) + " " + took + placed(c.State.Place)
	if v.EndedBy(i) != nil {
		return words
	}
	if c.Lane != "" {
		words += " \u2192 " + markup(report.EndedWord(q.Reason)) + " by " + esc(shortName(c.Lane))
	}
	return words + placed(c.State.At)
}

// placed writes a place in the source, if it is known.
func placed(at string) markup {
	if at == "" {
		return ""
	}
	return " at " + esc(at)
}
