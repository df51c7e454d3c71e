package draw

import (
	"sort"

	"example.com/iprof/gather"
)

// hit is what lies at a place, down to the scope of a timeline.
func (p *Panel) hit(x, y float32) Hit {
	h := p.canvas.hitAt(x, y)
	if h.Kind == HitTimeline {
		p.timeline.under(&h, x, y)
	}
	return h
}

// under completes a hit on the timeline with the scope that lies there: Index, Zone, Lane.
func (t *timeline) under(h *Hit, x, y float32) {
	if !t.view.ready() || !t.view.in.contains(x, y) || len(t.data.at) == 0 {
		return
	}
	for i := range t.bands.laid {
		r := &t.bands.laid[i]
		if y < r.y || y >= r.y+scopeRowHeight*t.em || int(r.to) > len(t.data.at) {
			continue
		}
		if at, _ := t.near(r.scopeRow, x); at >= 0 {
			h.Index, h.Zone, h.Lane = at, int32(t.data.zones[at]&zoneMask), r.lane
		}
		return
	}
}

// near finds the longest scope of a row within a pixel of a place, and how many there are.
func (t *timeline) near(r scopeRow, x float32) (at, scopes int) {
	begin, end := t.view.ms(x-1), t.view.ms(x+1)
	row := t.data.at[r.from:r.to]
	from := sort.Search(len(row), func(i int) bool { return row[i].end >= begin })
	to := from + sort.Search(len(row)-from, func(i int) bool { return row[from+i].begin > end })
	if from == to {
		return -1, 0
	}
	ms := t.view.ms(x)
	exact := from + sort.Search(to-from, func(i int) bool { return row[from+i].end >= ms })
	if to-from <= 2 && exact < to && row[exact].begin <= ms {
		return int(r.from) + exact, 1
	}
	return int(t.data.together(int(r.from)+from, int(r.from)+to).longest), to - from
}

// tip tells about the scope under the mouse: it is drawn after what lies around the timeline.
func (t *timeline) tip(c *canvas, d *shown, screen rect) {
	if t.mode == TimelineHidden || d.hover.Kind != HitTimeline || !c.hover.here {
		return
	}
	h := hitOf(HitTimeline, 0)
	if t.under(&h, c.hover.x, c.hover.y); h.Zone < 0 {
		return
	}
	g := scopeTip{canvas: c, t: t, hit: h, look: *t.data.look(c, d, uint32(h.Zone)), info: d.source.Zone(h.Zone)}
	width, height := 244*c.em, float32(14+20+16*g.lines())*c.em
	x, y := c.hover.x+14*c.em, c.hover.y+16*c.em
	if x+width > screen.x1-4*c.em {
		x = c.hover.x - 10*c.em - width
	}
	if y+height > screen.y1-4*c.em {
		y = c.hover.y - 10*c.em - height
	}
	box := rect{snap(max(x, screen.x0+2*c.em)), snap(max(y, screen.y0+2*c.em)), 0, 0}
	box.x1, box.y1 = box.x0+snap(width), box.y0+snap(height)
	c.Round(box.x0-c.em, box.y0+3*c.em, box.x1+c.em, box.y1+3*c.em, 7*c.em, fade(c.background, 0.5))
	c.Round(box.x0, box.y0, box.x1, box.y1, 7*c.em, mix(c.surface, c.raised, 0.45))
	c.Border(box.x0, box.y0, box.x1, box.y1, 7*c.em, mix(c.outline, c.textFaint, 0.35))
	g.write(box.inset(12*c.em, 7*c.em))
}

// scopeTip tells about one scope.
type scopeTip struct {
	*canvas
	t    *timeline
	hit  Hit
	look zoneLook
	info gather.ZoneInfo
	at   rect // of the next line
}

// lines is how many lines there will be below the first.
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
	return n
}

// remark says that the scope is longer than what is shown of it.
func (g *scopeTip) remark() string {
	switch zone := g.t.data.zones[g.hit.Index]; {
	case zone&cutBefore != 0 && zone&cutAfter != 0:
		return "open before and after what is shown"
	case zone&cutBefore != 0:
		return "begun before what is shown"
	case zone&cutAfter != 0:
		return "still open at the end of what is shown"
	}
	return ""
}

// others is how many scopes share the pixel.
func (g *scopeTip) others() int {
	for i := range g.t.bands.laid {
		if r := &g.t.bands.laid[i]; int(r.from) <= g.hit.Index && g.hit.Index < int(r.to) {
			_, n := g.t.near(r.scopeRow, g.hover.x)
			return n
		}
	}
	return 0
}

// write fills the tip.
func (g *scopeTip) write(in rect) {
	s := g.t.data.at[g.hit.Index]
	head := rect{in.x0, in.y0, in.x1, in.y0 + 18*g.em}
	y := (head.y0 + head.y1) / 2
	g.Round(in.x0, y-4*g.em, in.x0+8*g.em, y+4*g.em, 3*g.em, g.look.color)
	end := in.x1 - g.right(in.x1, head, FaceSmall, " ms", g.textDim)
	g.buffer = appendShort(g.buffer[:0], s.end-s.begin, g.precision+1)
	number := g.asciiRight(end, g.baseline(head.y0, head.y1, FaceMono), FaceMono, g.buffer, g.textBright)
	g.left(in.x0+14*g.em, end-number-in.x0-22*g.em, head, FaceBold, g.look.name, g.textBright)
	g.at = rect{in.x0, in.y0 + 20*g.em, in.x1, in.y0 + 36*g.em}
	decimals := 3
	if g.t.view.at.wide < 0.01 {
		decimals = 5
	}
	g.buffer = append(appendFixed(append(g.buffer[:0], "from "...), s.begin, decimals), " to "...)
	g.buffer = append(appendFixed(g.buffer, s.end, decimals), " ms of the frame"...)
	g.numbers()
	if b := g.t.data.bandOf(g.hit.Lane); b != nil {
		g.words("lane ", b.Name)
	}
	if g.info.File != "" {
		x := g.words("", lastElement(g.info.File))
		g.at.y0, g.at.y1 = g.at.y0-16*g.em, g.at.y1-16*g.em
		g.buffer = appendFixed(append(g.buffer[:0], ':'), float64(g.info.Line), 0)
		g.at.x0 += x
		g.numbers()
		g.at.x0 -= x
	}
	if remark := g.remark(); remark != "" {
		g.words(remark, "")
	}
	if n := g.others(); n > 2 {
		g.buffer = append(appendFixed(append(g.buffer[:0], "the longest of "...), float64(n), 0), " at this place"...)
		g.numbers()
	}
}

// words writes a line of two parts, and returns their width.
func (g *scopeTip) words(a, b string) (width float32) {
	width = g.left(g.at.x0, g.at.width(), g.at, FaceSmall, a, g.textDim)
	width += g.left(g.at.x0+width, g.at.width()-width-30*g.em, g.at, FaceSmall, b, g.textDim)
	g.at.y0, g.at.y1 = g.at.y0+16*g.em, g.at.y1+16*g.em
	return width
}

// numbers writes a line from the buffer.
func (g *scopeTip) numbers() {
	g.ascii(g.at.x0, g.baseline(g.at.y0, g.at.y1, FaceSmall), FaceSmall, g.buffer, g.textDim)
	g.at.y0, g.at.y1 = g.at.y0+16*g.em, g.at.y1+16*g.em
}
