package draw

import (
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// TimelineMode chooses how much room the timeline has.
type TimelineMode uint8

// The modes. The timeline has the place of the call structure, or that of the table besides.
const (
	TimelineHidden   TimelineMode = iota
	TimelineShown                 // in place of the call structure
	TimelineLarge                 // in place of the table too
	numTimelineModes = iota
)

// timelineEvents is how many events a lane keeps once the panel has them recorded: 1 MB each.
const timelineEvents = 1 << 16

// timeline shows a frame in the order of time: for each lane a band, in which scopes lie below the one they were opened in.
type timeline struct {
	mode  TimelineMode
	data  timelineData
	view  timeView
	bands bands
	theme Theme
	em    float32 // of the last Draw
	card  rect    // of the last Draw
	alone bool    // it has the table's room because the screen is small
}

// Timeline returns how much room the timeline has: it is hidden at first.
func (p *Panel) Timeline() TimelineMode {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.timeline.mode
}

// SetTimeline shows the timeline in place of the call structure, or hides it; values beyond the last are TimelineHidden.
func (p *Panel) SetTimeline(m TimelineMode) {
	p.change(func() { p.timeline.mode = m % numTimelineModes })
}

// ToggleEvents switches the recording of events, which a timeline is made of, on or off for the whole program. On, it keeps
// 65,536 events for each lane; see gather.SetEvents, which may ask for more.
func (p *Panel) ToggleEvents() {
	p.change(func() {
		if gather.Events() > 0 {
			gather.SetEvents(0)
			return
		}
		gather.SetEvents(timelineEvents)
	})
}

// ZoomTimeline makes the time wider about a place on the screen, in pixels: one notch by a quarter, below 0 narrower. About a
// place outside, it is about the middle. The neighbouring frames come into sight where the frame ends.
func (p *Panel) ZoomTimeline(x float32, notches float64) {
	p.change(func() { p.timeline.view.zoom(x, notches) })
}

// PanTimeline moves the timeline by so many pixels: the time to the side, the lanes up and down.
func (p *Panel) PanTimeline(dx, dy float32) { p.change(func() { p.timeline.view.pan(dx, dy) }) }

// ScrollTimeline moves the lanes of the timeline by so many rows, down if above 0.
func (p *Panel) ScrollTimeline(rows int) {
	p.change(func() { p.timeline.view.scroll(float32(rows*scopeRowHeight) * p.canvas.em) })
}

// FitTimeline brings the scope at a place on the screen to the whole width; without one there, or if that is so already, the
// whole frame.
func (p *Panel) FitTimeline(x, y float32) {
	p.change(func() {
		t := &p.timeline
		h := hitOf(HitTimeline, 0)
		if t.under(&h, x, y); h.Zone < 0 {
			t.view.fit(0, 0)
			return
		}
		s := t.data.at[h.Index]
		t.view.fit(s.begin, s.end)
	})
}

// placeTimeline gives the timeline its room: the call structure's, as high as its bands, or the table's too.
func (p *Panel) placeTimeline(at *regions) {
	if t := &p.timeline; t.mode != TimelineHidden && p.shown.info.Frames > 0 {
		t.fetch(&p.shown, p.source, p.theme)
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
	want := max(at.icicle.height(), t.bands.height(em, t.data.key.lane, true)+(2*6+20+axisHeight+6)*em)
	r.y1 = r.y0 + min(want, 0.55*r.height())
	at.icicle, at.table.y0 = r, r.y1+10*em
}

// drawCalls draws what happened in the frame: what called what, or when.
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
	axis := rect{area.x0, area.y0, area.x1, snap(area.y0 + axisHeight*c.em)}
	in := rect{snap(area.x0), axis.y1 + snap(4*c.em), snap(area.x1), snap(area.y1)}
	if gutter {
		in.x0 = snap(in.x0 + bandGutter*c.em)
	}
	v.in, v.height = in, t.bands.height(c.em, t.data.key.lane, gutter)
	if v.height > in.height() {
		in.x1 -= snap(8 * c.em)
		v.in = in
	}
	v.ease()
	v.drawSight(c, rect{area.x0, area.y0 - 3*c.em, area.x1, area.y0 - c.em})
	t.drawAxis(c, axis, in)
	g := bandPainter{canvas: c, t: t, in: in, left: area.x0, gutter: gutter}
	g.draw(t.data.key.lane)
	rows := scopeRows{canvas: c, d: d, data: &t.data, view: v, in: in, over: d.zoneUnderMouse()}
	rows.draw(t.bands.laid)
	t.drawBorders(c, axis, in)
	if v.height > in.height() {
		per := in.height() / v.height
		y := in.y0 + v.down*per
		c.Rect(area.x1-3*c.em, y, area.x1, max(y+in.height()*per, y+8*c.em), fade(c.textFaint, 0.6))
	}
}

// fetch brings the data up to the frame that is shown.
func (t *timeline) fetch(d *shown, s timelineSource, theme Theme) {
	if t.theme != theme {
		t.theme = theme
		t.data.stamp++
	}
	older, newer := t.view.reach()
	key := timelineKey{d.info.Index, d.info.Frames, d.view.Age, d.view.Lane, older, newer}
	if d.view.Kept > 0 {
		key.age = -1 // a slow frame that the history has lost
	}
	t.data.fetch(s, key)
	t.view.length, t.view.least, t.view.most = t.data.length, 0, 1
	if n := len(t.data.frames); n > 0 && t.data.length > 0 {
		t.view.least = min(t.data.frames[0].Begin/t.data.length, 0)
		t.view.most = max(t.data.frames[n-1].End/t.data.length, 1)
	}
	t.bands.seatAll(&t.data, d.info.Frames)
}

// drawHead draws the heading: which frame, how long, what can be done.
func (t *timeline) drawHead(c *canvas, d *shown, head rect) {
	x := head.x0 + c.left(head.x0, head.width(), head, FaceSmall, "timeline of frame ", c.textFaint)
	c.buffer = appendFixed(c.buffer[:0], float64(t.data.index), 0)
	x += c.ascii(x, c.baseline(head.y0, head.y1, FaceSmall), FaceSmall, c.buffer, c.textNormal)
	end := head.x1 - c.right(head.x1, head, FaceSmall, " ms", c.textFaint)
	end -= c.number(end, head, FaceSmall, t.data.length, c.precision, c.textNormal) + 14*c.em
	if word := "enlarge"; !t.alone {
		if t.mode == TimelineLarge {
			word = "reduce"
		}
		end = c.button(end, x+20*c.em, head, word, "timeline-large")
	}
	end = c.button(end, x+20*c.em, head, "call structure", "timeline")
	t.drawWords(c, head, x, end)
}

// drawWords says what part of the time is in sight.
func (t *timeline) drawWords(c *canvas, head rect, x, end float32) {
	v := &t.view
	c.buffer = c.buffer[:0]
	switch {
	case v.at.wide == 0 || v.at == all:
		return
	case v.at.wide > 1:
		c.buffer = append(c.buffer, "   with its neighbours"...)
	case v.at.wide < 0.999:
		zoom := 1 / v.at.wide
		decimals := 1
		if zoom >= 100 {
			decimals = 0
		}
		c.buffer = append(appendFixed(append(c.buffer, "   "...), zoom, decimals), " times as wide"...)
	}
	if hint := ", a double click fits the frame"; x+c.asciiWidth(FaceSmall, c.buffer)+c.Width(FaceSmall, hint) < end {
		if len(c.buffer) == 0 {
			hint = "   a double click fits the frame"
		}
		c.buffer = append(c.buffer, hint...)
	}
	if x+c.asciiWidth(FaceSmall, c.buffer) < end {
		c.ascii(x, c.baseline(head.y0, head.y1, FaceSmall), FaceSmall, c.buffer, c.textDim)
	}
}

// button draws a word that does a thing, so that it ends at x, and returns where the next one may end. Without room for it,
// it is left out.
func (c *canvas) button(x, limit float32, r rect, word, command string) float32 {
	width := c.Width(FaceSmall, word) + 14*c.em
	box := rect{snap(x - width), r.y0 - c.em, snap(x), r.y1 + c.em}
	if box.x0 < limit {
		return x
	}
	ground, col := c.raised, c.textDim
	if c.hovers(box) {
		ground, col = c.tab, c.textBright
	}
	c.Round(box.x0, box.y0, box.x1, box.y1, 4*c.em, ground)
	c.left(box.x0+7*c.em, width, r, FaceSmall, word, col)
	h := hitOf(HitCommand, 0)
	h.Name = command
	c.add(box, h)
	return box.x0 - 6*c.em
}

// TimelineSpan returns which part of the frame is in sight, or about to be: from and to as shares of it, and how many rows of
// scopes the last Draw laid out.
func (p *Panel) TimelineSpan() (from, to float64, rows int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	v := &p.timeline.view
	return v.goal.from, v.goal.from + v.goal.wide, len(p.timeline.bands.laid)
}

var _ timelineSource = (*process.Session)(nil)
