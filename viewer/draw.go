package viewer

import (
	"math"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
	"example.com/iprof/viewer/internal/table"
)

// lastPicture keeps the last picture, so that an unchanged picture is not laid out again.
type lastPicture struct {
	of    picture
	v     []draw.Vertex
	atlas *draw.Atlas
	valid bool
}

// picture identifies a picture by all its inputs.
type picture struct {
	generation, serial   uint64
	width, height, scale float32
}

// same reports whether Draw can use the kept picture: its inputs are equal, and the list is empty. A new atlas may have
// characters that were escapes before.
func (a *lastPicture) same(l *draw.List, now picture, scale float32) bool {
	return a.valid && a.of == now && len(l.V) == 0 && a.atlas == draw.NewAtlas(scale)
}

// keep keeps a picture that was drawn twice, unless the next one will differ. It keeps no picture drawn once: for a
// running program that would cost more than it saves.
func (a *lastPicture) keep(l *draw.List, now picture, moving bool) {
	twice := a.of == now
	a.of, a.valid = now, twice && !moving
	if !a.valid {
		return
	}
	a.atlas = l.Atlas
	a.v = append(a.v[:0], l.V...)
}

// Draw appends the panel to a list. The screen's width and height are in device pixels. The scale is the number of
// device pixels in a nominal pixel (HiDPI), clamped to 0.5..4. On a screen smaller than a pixel, and in the mode
// PanelOff, Draw appends nothing. It takes one Snapshot of the session, and remembers the place of each part for HitAt.
// Steady drawing allocates nothing. Any goroutine may call it, one at a time for each list.
func (p *Panel) Draw(l *draw.List, width, height, scale float32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.canvas
	if p.options.Mode == PanelOff || width < 1 || height < 1 {
		c.Areas = c.Areas[:0]
		return
	}
	p.keepEvents()
	now := picture{p.source.Generation(), p.serial, width, height, scale}
	if p.last.same(l, now, draw.ContentScale(scale)*p.options.Scale) {
		l.V, l.Atlas = append(l.V, p.last.v...), p.last.atlas
		return
	}
	empty := len(l.V) == 0
	p.point()
	p.scene.ByTime, p.strip.Indent = false, 0
	c.Areas = c.Areas[:0]
	l.Begin(draw.ContentScale(scale) * p.options.Scale)
	c.Palette = draw.PaletteOf(p.options.Theme)
	c.List, c.Em, c.Glass = l, l.Atlas.Scale(), p.options.Mode != PanelFull
	screen := canvas.Box(0, 0, draw.Snap(width), draw.Snap(height))
	c.Tip.Begin(p.now())
	p.strip.Listed, p.table.Typing = p.marked, p.typing
	p.notices.lines = 1
	p.notices.drawn, p.costly = p.answer.Open, p.table.Costly
	switch p.options.Mode {
	case PanelHUD:
		p.load(process.SnapshotOptions{Brief: true})
		p.hud.Draw(screen, p.notices.hud)
		if p.scene.Info.Frames > 0 {
			p.drawTip(screen)
		}
	case PanelReportAndGraph:
		p.drawOver(screen)
	default:
		p.drawFull(screen)
	}
	p.drawNote(screen)
	p.unlettered = l.Atlas.Waiting()
	c.List = nil
	if empty {
		p.last.keep(l, now, p.settling() || p.scene.Info.Frames == 0)
	}
}

// keepEvents makes the running program keep events from the first picture on, so that a past slow frame has its
// timeline. A program without a visible timeline does not pay for them.
func (p *Panel) keepEvents() {
	if p.drawn || p.options.NoEvents || p.session != process.Default() {
		return
	}
	p.drawn = true
	if gather.Events() == 0 {
		gather.SetEvents(timelineEvents)
	}
}

// point finds the part of the last picture under the mouse. If that part has changed, another Draw must follow, because
// the part may have moved in this picture.
func (p *Panel) point() {
	before := p.scene.Hover
	p.scene.Hover = hit.Of(hit.None, 0)
	if c := &p.canvas; c.Hover.Here {
		p.scene.Hover = p.hit(c.Hover.X, c.Hover.Y)
	}
	p.scene.Late = p.scene.Hover != before
}

// drawFull draws the whole screen.
func (p *Panel) drawFull(screen canvas.Rect) {
	c, d := &p.canvas, &p.scene
	c.Rect(screen.X0, screen.Y0, screen.X1, screen.Y1, c.Background)
	c.Add(screen, hit.Of(hit.Panel, 0))
	if !p.disabled {
		p.take()
		p.color()
	}
	if p.disabled || !gather.Enabled && d.Info.Frames == 0 { // a replayed session has frames
		c.Notice(screen, noticeOff)
		return
	}
	p.ice.Deepen(d)
	at := layout(screen, c.Em, p.guide.steady(p.ice.Deepest), p.options.Strip != StripNone,
		!d.Info.Kind.HasTime())
	if p.answer.Open || p.options.Timeline != TimelineHidden && d.Info.Frames > 0 {
		p.timeline.Follow(d)
	}
	at.stretch(belowHistory(p, at.icicle.Height()))
	drawn := placeAnswer(p, &at)
	p.aim()
	aimTimeline(p)
	p.placeTimeline(&at)
	p.header.Draw(at.header)
	p.notices.call = p.answer.Call(d)
	p.notices.Draw(at.verdict)
	if d.Info.Frames == 0 {
		c.Notice(canvas.Box(screen.X0, at.header.Y1, screen.X1, at.footer.Y0), p.firstRun(d))
	} else {
		p.join(&at)
		p.drawCard(&at)
		p.strip.Draw(c, d, at.strip, true)
		p.strip.drawSecond(at.second)
		leadDown(p, &at)
		p.answer.Draw(drawn, p.strip.Plot, p.strip.Top)
		p.drawCalls(at.icicle)
		drawRows(p, at.table)
		if _, mouse := d.Pointed(); mouse || !p.answer.Open { // the mark is in the verdict
			p.strip.Tip(c, d, screen)
		}
		if p.answer.showsTimeline() {
			p.timeline.Tip(c, d, screen)
		}
	}
	drawFooter(p, at.footer)
	p.strip.drawPicture(screen)
	p.drawTip(screen)
	p.menu.Draw(screen)
	p.help.Draw(screen, at, p.signs)
	p.guide.Draw(screen, at)
}

// drawRows draws the table, or the list in its place.
func drawRows(p *Panel, r canvas.Rect) {
	if p.listed.Open {
		p.listed.Draw(&p.canvas, r, p.typing)
		return
	}
	p.table.Draw(&p.canvas, &p.scene, r)
}

// drawCard draws the zone card to the right of the table and the call structure. Both become narrower.
func (p *Panel) drawCard(at *regions) {
	if !p.card.Open {
		return
	}
	c := &p.canvas
	r := at.table
	if at.icicle.Height() > 0 {
		r.Y0 = at.icicle.Y0
	}
	r.X0 = draw.Snap(r.X1 - min(max(r.Width()*0.34, 290*c.Em), 440*c.Em, r.Width()))
	at.icicle.X1, at.table.X1 = r.X0-8*c.Em, r.X0-8*c.Em
	if p.answer.Open { // the history is between them
		at.strip.X1, at.second.X1 = at.table.X1, at.table.X1
	}
	p.card.Draw(c, &p.scene, r)
}

// These notices replace the screen before the first frame.
var (
	noticeNoFrames = canvas.Notice{Title: "No frames yet", Words: []string{
		"Mark what is to be measured, and end each frame:"}, Code: []string{
		`func step() {`,
		`	defer iprof.Begin("step").End()`,
		`	...`,
		`}`,
		``,
		`for !done {`,
		`	step()`,
		`	iprof.Update() // once a frame`,
		`}`,
	}}
	noticeNoUpdate = canvas.Notice{Title: "Zones are measured, but no frame ends", Words: []string{
		"Call Update once a frame, where the loop begins anew.",
		"The zones so far are in the report since the start."}, Code: []string{
		`for !done {`,
		`	...`,
		`	iprof.Update() // once a frame`,
		`}`,
	}}
	noticePaused = canvas.Notice{Title: "Paused, and nothing is kept", Words: []string{
		"The measurements were reset while frames were not recorded. Space goes on with the newest frame."}}
	noticeOff = canvas.Notice{Title: "The profiler is compiled out", Words: []string{
		"This program was built with the tag iprof_off: zones cost nothing and measure nothing.",
		"Build it without the tag to see its frames here:"}, Code: []string{
		`go build .`,
	}}
)

// firstRun explains why there is no frame: the program must still call a function, or the user has reset the session.
func (s *shared) firstRun(d *scene.Scene) canvas.Notice {
	switch {
	case s.options.Waiting != "":
		return canvas.Notice{Title: "No frames", Words: []string{s.options.Waiting}}
	case d.Info.Paused:
		return noticePaused
	case d.Measured:
		return noticeNoUpdate
	}
	return noticeNoFrames
}

// regions are the places of the parts of the full screen. A part without height is not drawn.
type regions struct {
	header, verdict, strip, second, icicle, table, footer canvas.Rect
	gap                                                   float32 // between two parts
}

// The least heights of the table and of the history on small screens, in nominal pixels. A screen without room for both
// has no history.
const (
	leastTable = table.HeadingHeight + 12 + 2*table.RowHeight
	leastStrip = 60
)

// icicleShare is the call structure's greatest share of the room below the history.
const icicleShare = 0.45

// The least number of rows for which a high screen has room, and the least height of a timeline without the table, in
// nominal pixels.
const (
	leastRows     = 16
	leastTimeline = 420
)

// rowsHeight returns the height of the table with all its rows in pixels.
func rowsHeight(p *Panel) float32 {
	return float32(table.HeadingHeight+12+table.RowHeight*max(p.table.Longest, leastRows)) * p.canvas.Em
}

// belowHistory returns the greatest height that the parts below the history can use, in pixels. calls is the height of
// the call structure.
func belowHistory(p *Panel, calls float32) float32 {
	if p.scene.Info.Frames == 0 || p.card.Open || p.listed.Open {
		return math.MaxFloat32
	}
	em, bands := p.canvas.Em, float32(0)
	if p.options.Timeline != TimelineHidden {
		_, bands = p.timeline.Heights(em)
	}
	switch {
	case p.options.Timeline == TimelineLarge:
		return max(bands, leastTimeline*em)
	case p.options.Timeline == TimelineShown:
		return max(bands, calls) + 10*em + rowsHeight(p)
	}
	return calls + 10*em + rowsHeight(p)
}

// stretch gives the history the height that the parts below it cannot use.
func (at *regions) stretch(most float32) {
	top := at.table.Y0
	if at.icicle.Height() > 0 {
		top = at.icicle.Y0
	}
	if more := draw.Snap(at.table.Y1 - top - most); more > 0 && at.strip.Height() > 0 {
		at.lower(-more)
	}
}

// lower makes the history lower by some pixels, and moves the parts below it up.
func (at *regions) lower(less float32) {
	at.strip.Y1 -= less
	at.second.Y0, at.second.Y1 = at.second.Y0-less, at.second.Y1-less
	at.icicle.Y0, at.icicle.Y1 = at.icicle.Y0-less, at.icicle.Y1-less
	at.table.Y0 -= less
}

// layout divides the screen. Of its inputs only the number of levels changes without the user, and that only grows.
// Parts are smaller on low screens, and the lowest screens have no call structure. Without an order in time there is no
// history.
func layout(screen canvas.Rect, em float32, levels int, second, untimed bool) (at regions) {
	margin := 12 * em
	tall := screen.Height() >= 560*em
	header := 50 * em
	line := verdictHeight * em
	footer := 34 * em
	gap := 10 * em
	if !tall {
		header = 38 * em
		line = lowVerdict * em
		footer = 26 * em
		gap = 5 * em
		margin = 6 * em
	}
	y := screen.Y0
	at.gap = gap
	take := func(height, space float32) canvas.Rect {
		r := canvas.Box(screen.X0+margin, y, screen.X1-margin, y+height)
		y += height + space
		return r
	}
	at.header = take(header, 0)
	at.verdict = take(line, 0)
	strip := min(max((screen.Height()-80*em)*0.385, 96*em), 330*em)
	if second {
		strip = max(strip-0.08*screen.Height(), 90*em)
	}
	room := screen.Y1 - footer - y - gap - leastTable*em
	if second = second && !untimed; !untimed && (room >= leastStrip*em || second) {
		at.strip = take(min(strip, max(room, leastStrip*em)), gap)
	}
	if second {
		at.second = take(min(secondHeight*em, screen.Height()*0.17), gap)
	}
	if screen.Height() >= 480*em {
		fit := int(((screen.Y1-footer-y)*icicleShare/em - 30) / 20)
		at.icicle = take(float32(30+20*min(max(levels, 2), max(fit, 3)))*em, gap)
	}
	at.table = take(screen.Y1-footer-y, 0)
	at.footer = canvas.Box(screen.X0+margin, screen.Y1-footer, screen.X1-margin, screen.Y1)
	return at
}
