package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// TimelineMode is how much room the timeline has.
type TimelineMode uint8

// The timeline modes.
const (
	TimelineHidden   TimelineMode = iota
	TimelineShown                 // replaces the call structure
	TimelineLarge                 // replaces the call structure and the table
	numTimelineModes = iota
)

// timelineEvents is the number of events that each lane keeps once the panel has switched their recording on: 1 MB for
// each lane.
const timelineEvents = 1 << 16

// timeline shows a frame in the order of time. Each lane has a band. In a band, scopes lie below the scope that called
// them.
type timeline struct {
	aimed process.ZoneID // zone that the next Draw brings into sight, 0 for none
	mode  TimelineMode

	noCollector bool // see Options.HideCollector

	data  timelineData
	view  timeView
	ruler ruler

	search search
	found  occurrence

	bands bands
	theme draw.Theme
	em    float32 // pixels in a nominal pixel, in the last Draw
	card  rect    // place of the timeline in the last Draw
	alone bool    // the screen is too small for both the timeline and the table
}

// toggleEvents switches the recording of events on or off for the whole program. A timeline needs events. The panel
// records 65,536 events for each lane; see gather.SetEvents for other numbers.
func (p *Panel) toggleEvents() {
	p.change(func() {
		if gather.Events() > 0 {
			gather.SetEvents(0)
			return
		}
		gather.SetEvents(timelineEvents)
	})
}

// zoomTimeline zooms the timeline. A notch shows four fifths as much time; negative notches show more. The time at x,
// in pixels, keeps its place; for an x outside, the middle does. Zoomed out beyond the frame, it shows the neighbouring
// frames. NaN is ignored. Any goroutine may call it.
func (p *Panel) zoomTimeline(x float32, notches float64) {
	p.change(func() { p.timeline.view.zoom(x, notches) })
}

// panTimeline moves the timeline by dx and dy pixels: the time sideways, the lanes up and down. It stops at the ends.
// Infinities and NaN are ignored. Any goroutine may call it.
func (p *Panel) panTimeline(dx, dy float32) { p.change(func() { p.timeline.view.pan(dx, dy) }) }

// ScrollTimeline moves the lanes of the timeline by a number of rows, down if above 0. It stops at the ends. Any
// goroutine may call it.
func (p *Panel) ScrollTimeline(rows int) {
	p.change(func() { p.timeline.view.scroll(float32(rows*scopeRowHeight) * p.canvas.em) })
}

// fitTimeline fits the scope at a place, in pixels, to the width of the screen. If there is no scope, or it fits
// already, it shows the whole frame. Any goroutine may call it.
func (p *Panel) fitTimeline(x, y float32) {
	p.change(func() {
		t := &p.timeline
		h := hitOf(HitTimeline, 0)
		if t.under(&h, x, y); h.Zone < 0 {
			t.view.fit(0, 0)
			return
		}
		begin, end := t.scopeAt(&h)
		t.view.fit(begin, end)
	})
}

// placeTimeline gives the timeline its room: the place of the call structure, as high as the bands need, or the table's
// place too.
func (p *Panel) placeTimeline(at *regions) {
	if t := &p.timeline; t.mode != TimelineHidden && p.shown.info.Frames > 0 {
		t.follow(&p.shown, p.options.Theme)
		t.carryOut(p)
		t.place(at, p.canvas.em)
	}
}

func (t *timeline) place(at *regions, em float32) {
	r := rect{at.table.x0, at.table.y0, at.table.x1, at.table.y1}
	if t.alone = at.icicle.height() <= 0; !t.alone {
		r.y0 = at.icicle.y0
	}
	if t.mode == TimelineLarge || t.alone {
		at.icicle = r
		at.table.y0 = r.y1
		return
	}
	want := max(at.icicle.height(), t.bands.height(em, t.data.Lane, true)+(2*6+20+axisHeight+6)*em)
	r.y1 = r.y0 + min(want, 0.55*r.height())
	at.icicle, at.table.y0 = r, r.y1+10*em
}

// drawCalls draws the call structure or the timeline.
func (p *Panel) drawCalls(r rect) {
	if p.timeline.mode == TimelineHidden {
		drawIcicle(&p.canvas, &p.shown, &p.ice, r)
		return
	}
	p.timeline.draw(&p.canvas, &p.shown, eventsKey(p.keys), r)
}

// draw draws the timeline in r.
func (t *timeline) draw(c *canvas, d *shown, key string, r rect) {
	t.em, t.card = c.em, r
	if r.height() < 60*c.em {
		return
	}
	in := c.card(r)
	c.add(r, hitOf(HitTimeline, 0))
	head := rect{in.x0, in.y0, in.x1, in.y0 + 15*c.em}
	t.drawHead(c, d, head)
	area := rect{in.x0, head.y1 + 5*c.em, in.x1, r.y1 - 5*c.em}
	if n, missing := t.notice(); missing {
		t.drawNotice(c, area, n, key)
		return
	}
	t.drawBody(c, d, area)
}

// drawBody draws the axis and the bands below it.
func (t *timeline) drawBody(c *canvas, d *shown, area rect) {
	v := &t.view
	gutter := area.width() >= 620*c.em
	axis := rect{area.x0, area.y0, area.x1, draw.Snap(area.y0 + axisHeight*c.em)}
	in := rect{draw.Snap(area.x0), axis.y1 + draw.Snap(4*c.em), draw.Snap(area.x1), draw.Snap(area.y1)}
	if gutter {
		in.x0 = draw.Snap(in.x0 + t.bands.gutter()*c.em)
	}
	v.in, v.height = in, t.bands.height(c.em, t.data.Lane, gutter)
	if v.height > in.height() {
		in.x1 -= draw.Snap(8 * c.em)
		v.in = in
	}
	if t.bands.aimed != 0 {
		t.bands.reveal(v, t.bands.aimed, c.em, gutter)
		t.bands.aimed = 0
	}
	v.ease()
	v.drawSight(c, rect{area.x0, area.y0 - 3*c.em, area.x1, area.y0 - c.em})
	t.drawAxis(c, axis, in)
	g := bandPainter{canvas: c, d: d, t: t, in: in, left: area.x0, gutter: gutter}
	g.draw(t.data.Lane)
	rows := scopeRows{canvas: c, d: d, data: &t.data, view: v, in: in, over: d.zoneUnderMouse(), found: &t.found}
	rows.draw(t.bands.laid)
	g.whole()
	g.drawArrow()
	t.drawBorders(c, axis, in)
	t.drawFlags(c, d, axis, in)
	t.drawRuler(c, axis, in)
	if c.hovers(rect{in.x0, axis.y0, in.x1, in.y1}) {
		t.hairline(c, axis, in)
	}
	if v.height > in.height() {
		per := in.height() / v.height
		y := in.y0 + v.down*per
		c.Rect(area.x1-3*c.em, y, area.x1, max(y+in.height()*per, y+8*c.em), draw.Fade(c.TextFaint, 0.6))
	}
}

// follow updates the data to the frame that is shown.
func (t *timeline) follow(d *shown, theme draw.Theme) {
	if t.theme != theme {
		t.theme = theme
		t.data.stamp++
	}
	t.data.follow(&d.Timeline)
	t.view.length = t.data.Length
	t.view.least, t.view.most = min(t.data.Least, 0), max(t.data.Most, t.data.Length)
	t.aim()
	t.bands.seatAll(&t.data, d.info.Frames)
}

// drawHead draws the frame's number, the zoom, the buttons and the frame's length.
func (t *timeline) drawHead(c *canvas, d *shown, head rect) {
	what := "timeline of frame "
	c.buffer = draw.AppendFixed(c.buffer[:0], float64(t.data.Index), 0)
	if t.data.Until > t.data.Index {
		what = "timeline of frames "
		c.buffer = draw.AppendFixed(append(c.buffer, " to "...), float64(t.data.Until), 0)
	}
	x := head.x0 + c.left(head.x0, head.width(), head, draw.FaceSmall, what, c.TextFaint)
	x += c.ASCII(x, c.baseline(head.y0, head.y1, draw.FaceSmall), draw.FaceSmall, c.buffer, c.TextNormal)
	end := head.x1 - c.right(head.x1, head, draw.FaceSmall, " ms", c.TextFaint)
	end -= c.number(end, head, draw.FaceSmall, t.data.Length, c.precision, c.TextNormal) + 14*c.em
	if word := "enlarge"; !t.alone {
		if t.mode == TimelineLarge {
			word = "reduce"
		}
		end = c.button(end, x+20*c.em, head, word, "timeline-large")
	}
	end = c.button(end, x+20*c.em, head, "call structure", "timeline")
	end = c.button(end, x+20*c.em, head, t.ruler.word(), "ruler")
	t.drawWords(c, head, x, end)
}

// drawWords writes the zoom, or that the neighbouring frames are in sight.
func (t *timeline) drawWords(c *canvas, head rect, x, end float32) {
	v := &t.view
	c.buffer = c.buffer[:0]
	switch {
	case v.at.wide == 0 || v.fitted:
		return
	case v.at.wide > v.length || v.at.from < -1e-6 || v.at.from+v.at.wide > v.length+1e-6:
		c.buffer = append(c.buffer, "   with its neighbours"...)
	case v.at.wide < 0.999*v.length:
		zoom := v.length / v.at.wide
		decimals := 1
		if zoom >= 100 {
			decimals = 0
		}
		c.buffer = append(draw.AppendFixed(append(c.buffer, "   "...), zoom, decimals), " times as wide"...)
	}
	hint := ", a double click fits the frame"
	if x+c.ASCIIWidth(draw.FaceSmall, c.buffer)+c.Width(draw.FaceSmall, hint) < end {
		if len(c.buffer) == 0 {
			hint = "   a double click fits the frame"
		}
		c.buffer = append(c.buffer, hint...)
	}
	if x+c.ASCIIWidth(draw.FaceSmall, c.buffer) < end {
		c.ASCII(x, c.baseline(head.y0, head.y1, draw.FaceSmall), draw.FaceSmall, c.buffer, c.TextDim)
	}
}
