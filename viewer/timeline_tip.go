package viewer

import (
	"sort"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// hit returns what lies at a place. On the timeline it includes the scope.
func (p *Panel) hit(x, y float32) Hit {
	h := p.canvas.hitAt(x, y)
	switch h.Kind {
	case HitTimeline:
		p.timeline.under(&h, x, y)
	case HitGraph:
		if y >= p.strip.plot.y1 {
			break // in the strip below, where other columns are high
		}
		h.Age = p.strip.snap(&p.shown, x, p.canvas.em, h.Age)
	}
	return h
}

// under adds the scope at a place to a hit on the timeline: Index, Zone and Lane.
func (t *timeline) under(h *Hit, x, y float32) {
	if !t.view.ready() || !t.view.in.contains(x, y) {
		return
	}
	for i := range t.bands.laid {
		r := &t.bands.laid[i]
		if y < r.y || y >= r.y+scopeRowHeight*t.em {
			continue
		}
		if at, _ := t.near(r.TimelineRow, x); at >= 0 {
			h.Index, h.Zone, h.Lane, h.row = at, r.Zone(at), r.lane, r.TimelineRow
		}
		return
	}
}

// near returns the longest scope of a row within a pixel of x, and the number of scopes there.
func (t *timeline) near(r *process.TimelineRow, x float32) (at, scopes int) {
	begin, end := t.data.Origin+t.view.ms(x-1), t.data.Origin+t.view.ms(x+1)
	row := r.At
	from := r.From + sort.Search(r.Len(), func(i int) bool { return row[r.From+i].End >= begin })
	to := from + sort.Search(len(row)-from, func(i int) bool { return row[from+i].Begin > end })
	if from == to {
		return -1, 0
	}
	ms := t.data.Origin + t.view.ms(x)
	exact := from + sort.Search(to-from, func(i int) bool { return row[from+i].End >= ms })
	if to-from <= 2 && exact < to && row[exact].Begin <= ms {
		return exact, 1
	}
	_, longest := r.Together(from, to)
	return longest, to - from
}

// scopeAt returns the ends of a hit's scope, in ms from the beginning of the frame shown.
func (t *timeline) scopeAt(h *Hit) (begin, end float64) {
	s := h.row.At[h.Index]
	return s.Begin - t.data.Origin, s.End - t.data.Origin
}

// tip draws the tip of the scope under the mouse. It is drawn after the parts around the timeline, because it lies
// above them.
func (t *timeline) tip(c *canvas, d *shown, screen rect) {
	if t.mode == TimelineHidden || d.hover.Kind != HitTimeline || !c.hover.here {
		return
	}
	h := hitOf(HitTimeline, 0)
	if t.under(&h, c.hover.x, c.hover.y); h.Zone < 0 {
		return
	}
	g := scopeTip{canvas: c, t: t, hit: h, look: *t.data.look(c, d, h.Zone), info: d.Zone(h.Zone)}
	begin, end := t.scopeAt(&h)
	g.what, g.by = t.data.Why(h.Lane, begin+t.data.Origin, end+t.data.Origin)
	width, height := 244*c.em, float32(14+20+16*g.lines())*c.em
	x, y := c.hover.x+14*c.em, c.hover.y+16*c.em
	if x+width > screen.x1-4*c.em {
		x = c.hover.x - 10*c.em - width
	}
	if a := &t.bands.arrow; a.from != 0 && a.x > x-8*c.em && c.hover.x-10*c.em-width > screen.x0 {
		x = c.hover.x - 10*c.em - width // not over the arrow
	}
	if y+height > screen.y1-4*c.em {
		y = c.hover.y - 10*c.em - height
	}
	box := rect{draw.Snap(max(x, screen.x0+2*c.em)), draw.Snap(max(y, screen.y0+2*c.em)), 0, 0}
	box.x1, box.y1 = box.x0+draw.Snap(width), box.y0+draw.Snap(height)
	c.raised(box)
	g.write(box.inset(12*c.em, 7*c.em))
}

// scopeTip draws the tip of one scope.
type scopeTip struct {
	*canvas
	t    *timeline
	hit  Hit
	look zoneLook
	info gather.ZoneInfo
	at   rect // place of the next line

	what, by string // why it did not run
}

// lines returns the number of lines below the first.
func (g *scopeTip) lines() (n int) {
	n = 2
	if g.info.File != "" {
		n++
	}
	if g.remark() != "" {
		n++
	}
	if g.others() > 2 {
		n++
	}
	for _, words := range [...]string{g.what, g.by} {
		if words != "" {
			n++
		}
	}
	return n
}

// remark returns a remark for a scope that goes on beyond the recorded time, else "".
func (g *scopeTip) remark() string {
	before, after := g.hit.row.Before(g.hit.Index), g.hit.row.After(g.hit.Index)
	switch {
	case before && after:
		return "open before and after what is shown"
	case before:
		return "begun before what is shown"
	case after:
		return "still open at the end of what is shown"
	}
	return ""
}

// others returns the number of scopes that share the pixel.
func (g *scopeTip) others() int {
	_, n := g.t.near(g.hit.row, g.hover.x)
	return n
}

// write writes the tip.
func (g *scopeTip) write(in rect) {
	begin, ending := g.t.scopeAt(&g.hit)
	head := rect{in.x0, in.y0, in.x1, in.y0 + 18*g.em}
	y := (head.y0 + head.y1) / 2
	g.Round(in.x0, y-4*g.em, in.x0+8*g.em, y+4*g.em, 3*g.em, g.look.color)
	end := in.x1 - g.right(in.x1, head, draw.FaceSmall, " ms", g.TextDim)
	g.buffer = appendShort(g.buffer[:0], ending-begin, g.precision+1)
	number := g.ASCIIRight(end, g.baseline(head.y0, head.y1, draw.FaceMono), draw.FaceMono, g.buffer, g.TextBright)
	g.left(in.x0+14*g.em, end-number-in.x0-22*g.em, head, draw.FaceBold, g.look.name, g.TextBright)
	g.at = rect{in.x0, in.y0 + 20*g.em, in.x1, in.y0 + 36*g.em}
	decimals := 3
	if g.t.view.at.wide < 0.01*g.t.view.length {
		decimals = 5
	}
	g.buffer = append(draw.AppendFixed(append(g.buffer[:0], "from "...), begin, decimals), " to "...)
	g.buffer = append(draw.AppendFixed(g.buffer, ending, decimals), " ms of the frame"...)
	g.numbers()
	if b := g.t.data.bandOf(g.hit.Lane); b != nil {
		g.words("on ", b.Name)
	}
	if g.info.File != "" {
		x := g.words("", g.info.FileName())
		g.at.y0, g.at.y1 = g.at.y0-16*g.em, g.at.y1-16*g.em
		g.buffer = draw.AppendFixed(append(g.buffer[:0], ':'), float64(g.info.Line), 0)
		g.at.x0 += x
		g.numbers()
		g.at.x0 -= x
	}
	if remark := g.remark(); remark != "" {
		g.words(remark, "")
	}
	if n := g.others(); n > 2 {
		g.buffer = draw.AppendFixed(append(g.buffer[:0], "the longest of "...), float64(n), 0)
		g.buffer = append(g.buffer, " at this place"...)
		g.numbers()
	}
	for _, words := range [...]string{g.what, g.by} {
		if words != "" {
			g.words(words, "")
		}
	}
}

// words writes a line of two parts, and returns their width.
func (g *scopeTip) words(a, b string) (width float32) {
	width = g.left(g.at.x0, g.at.width(), g.at, draw.FaceSmall, a, g.TextDim)
	width += g.left(g.at.x0+width, g.at.width()-width-30*g.em, g.at, draw.FaceSmall, b, g.TextDim)
	g.at.y0, g.at.y1 = g.at.y0+16*g.em, g.at.y1+16*g.em
	return width
}

// numbers writes a line from the buffer.
func (g *scopeTip) numbers() {
	g.ASCII(g.at.x0, g.baseline(g.at.y0, g.at.y1, draw.FaceSmall), draw.FaceSmall, g.buffer, g.TextDim)
	g.at.y0, g.at.y1 = g.at.y0+16*g.em, g.at.y1+16*g.em
}
