package viewer

import (
	"image/color"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// verdictLine is the line that explains a slow frame.
type verdictLine struct {
	words []byte
	of    lineOf
	seen  frames // those of the last Draw
	due   bool   // the next Draw brings the main cause into sight
}

// frames identifies the frames shown: one, or those of a lens.
type frames struct {
	index uint64
	lens  process.Lens
}

// frames returns which frames are shown. Those of a lens may change by themselves.
func (d *shown) frames() (f frames) {
	if f.lens = d.info.Lens; f.lens.Kind == process.LensOff {
		f.index = d.info.Index
	}
	return f
}

// The heights of the line with the gap below it, in nominal pixels. Low screens use the second. The line's place exists
// even when it is empty, so that nothing moves when the line appears.
const verdictHeight, lowVerdict = 29, 21

// showCause makes the next Draw bring the zone of the verdict's main cause into sight, in the call structure and in the
// timeline.
func (p *Panel) showCause() { p.change(func() { p.verdict.due = true }) }

// cutName bounds the bytes of a name in the line. A longer name would leave no room for the numbers.
func cutName(name string) string {
	const most = 48
	if len(name) > most {
		return name[:most-3] + "..."
	}
	return name
}

// fit formats as much of a verdict as there is room for: all causes, or else the main cause alone. It formats only when
// the verdict or the room has changed.
func (l *verdictLine) fit(c *canvas, v *process.Verdict, face draw.Face, room float32) {
	if of := (lineOf{v.Index, v.Frames, v.Excess, v.Cause(), room, c.em}); !l.of.same(&of) {
		l.of = of
		l.words = v.AppendText(l.words[:0], cutName)
		if len(v.Causes) > 1 && c.BytesWidth(face, l.words) > room {
			short := *v
			short.Causes = v.Causes[:1]
			l.words = short.AppendText(l.words[:0], cutName)
		}
	}
}

// lineOf is everything that the words of a line depend on.
type lineOf struct {
	index    uint64
	frames   int
	excess   float64
	cause    process.Cause
	room, em float32
}

func (l *lineOf) same(other *lineOf) bool {
	return l.index == other.index && l.frames == other.frames && l.excess == other.excess &&
		l.cause.Path == other.cause.Path && l.cause.Time == other.cause.Time && l.room == other.room && l.em == other.em
}

// drawNotices draws the line of the verdict and the report's warnings. They share a place, so that nothing below moves
// when one of them appears: a warning without a verdict has the whole line, else it has a sign at the right.
func (p *Panel) drawNotices(r rect) {
	c, d := &p.canvas, &p.shown
	if n := len(d.Report.Warnings); n > 0 && r.height() > 0 {
		if !d.Report.Verdict.Found() {
			r.y1 = min(r.y1, r.y0+22*c.em)
			p.drawWarnings(r)
			c.explain(r, "warning", p.warning(0))
			return
		}
		c.buffer = append(draw.AppendFixed(append(c.buffer[:0], "! "...), float64(n), 0), " warning"...)
		if n > 1 {
			c.buffer = append(c.buffer, 's')
		}
		width := c.ASCIIWidth(draw.FaceSmall, c.buffer) + 16*c.em
		box := rect{draw.Snap(r.x1 - width), r.y0, r.x1, r.y1 - 5*c.em}
		c.Round(box.x0, box.y0, box.x1, box.y1, 4*c.em, draw.Mix(c.Background, c.Amber, 0.2))
		c.ASCII(box.x0+8*c.em, c.baseline(box.y0, box.y1, draw.FaceSmall), draw.FaceSmall, c.buffer, c.Amber)
		c.explain(box, "warning", p.warning(0))
		r.x1 = box.x0 - 6*c.em
	}
	p.drawVerdict(r)
}

// warning returns a warning of the report. It points to rows marked "!" only if one is in sight.
func (p *Panel) warning(i int) string {
	w := p.shown.Report.Warnings[i]
	if p.table.costly {
		return w
	}
	return strings.TrimSuffix(w, process.SeeMarked)
}

// drawVerdict draws the line, if there is a verdict. A click on it shows the frame and the zone.
func (p *Panel) drawVerdict(r rect) {
	c, v := &p.canvas, &p.shown.Report.Verdict
	if !v.Found() || r.height() <= 0 {
		return
	}
	gap := 5 * c.em
	if r.height() < verdictHeight*c.em {
		gap = 3 * c.em
	}
	box := rect{r.x0, r.y0, r.x1, r.y1 - gap}
	ground := c.Surface
	if c.hovers(box) {
		ground = c.Raised
	}
	if c.glass {
		ground = draw.Fade(ground, 0.92)
	}
	col := c.verdictColor(v)
	c.Round(box.x0, box.y0, box.x1, box.y1, 4*c.em, draw.Mix(ground, col, 0.10))
	c.Rect(box.x0, box.y0+2*c.em, box.x0+3*c.em, box.y1-2*c.em, col)
	room := box.width() - 24*c.em
	if key := p.keyOf["why"]; key != "" && room > 560*c.em {
		width := c.chip(box.x1-c.Width(draw.FaceSmall, key)-18*c.em, box, key, c.Raised, c.TextNormal) + 14*c.em
		room -= width
	}
	p.verdict.fit(c, v, draw.FaceText, room)
	c.text(box.x0+12*c.em, room, box, draw.FaceText, p.verdict.words, c.TextBright)
	c.add(box, command("why"))
	c.explain(box, "why this frame is slow", verdictTip)
}

const verdictTip = "how much longer the frame took than usual, and the zone that\n" +
	"explains it: its time now, and its median in the frames before.\n" +
	"A click or Enter goes to the frame and to the zone"

// hudVerdict draws the line below the HUD, as wide as its words.
func (p *Panel) hudVerdict(screen, line rect) {
	c, v := &p.canvas, &p.shown.Report.Verdict
	if !v.Found() {
		return
	}
	most := screen.x1 - 2*line.x0
	p.verdict.fit(c, v, draw.FaceText, most-24*c.em)
	width := min(c.BytesWidth(draw.FaceText, p.verdict.words)+26*c.em, most)
	p.drawVerdict(rect{line.x0, line.y1 + 4*c.em, line.x0 + draw.Snap(width), line.y1 + (4+verdictHeight)*c.em})
}

// verdictColor returns red for a frame over budget, and amber for one that is only unusual.
func (c *canvas) verdictColor(v *process.Verdict) color.NRGBA {
	if v.Over {
		return c.Red
	}
	return c.Amber
}

// aim chooses the zone to bring into sight: that of the main cause, if another past frame is shown or showCause was
// called. The session has put the cursor on its row. A pinned path stays in sight.
func (p *Panel) aim() {
	d, l := &p.shown, &p.verdict
	v := &d.Report.Verdict
	changed := d.frames() != l.seen
	due := l.due
	l.seen, l.due, p.ice.blamed, p.ice.aim, p.table.aimed = d.frames(), false, -1, -1, false
	if !v.Found() || d.info.Lens.Kind == process.LensOff && v.Index != d.info.Index {
		return
	}
	path := v.Target().Path
	p.ice.blamed = path
	past := !d.info.Live || d.info.Lens.Kind != process.LensOff
	if due || changed && past && len(d.view.Pin) == 0 {
		p.ice.aim, p.table.aimed = path, true
	}
	if due {
		p.timeline.aimed = v.Target().Zone
	}
}

// aim brings the longest scope of a zone in the frame shown into sight, with some time around it.
func (t *timeline) aim() {
	zone := t.aimed
	if t.aimed = 0; zone <= 0 {
		return
	}
	lane, begin, end, ok := t.data.LongestScope(zone)
	if !ok {
		begin, end = t.data.Origin, t.data.Origin
	}
	t.bring(lane)
	t.view.around(begin-t.data.Origin, end-t.data.Origin)
}

// leastBar is the share of the width below which a bar is too thin to find. wideBar is its share after zooming.
const leastBar, wideBar = 0.04, 0.3

// bring moves and zooms the part in sight so that the bar of a path can be seen.
func (v *iceView) bring(tree []process.TreeNode, path int32) {
	bar, level, ok := v.extent(tree, path)
	v.goal, v.down = all, 0
	if !ok {
		return
	}
	if bar.wide < leastBar {
		wide := min(bar.wide/wideBar, 1)
		v.goal = span{bar.from + bar.wide/2 - wide/2, wide}.clamp()
	}
	v.down = float64(max(level+2-v.rows, 0))
}
