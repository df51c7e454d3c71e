// Package timeline draws frames in the order of time: a band for each lane or group of goroutines, with its scopes and
// states, the axis and the ruler, and the search for the next scope of a zone.
package timeline

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// Timeline shows a frame in the order of time. Each lane has a band. In a band, scopes lie below the scope that called
// them.
type Timeline struct {
	Aimed report.ZoneID // zone that the next Draw brings into sight, 0 for none
	Large bool          // takes the place of the table, too
	Blame Blame         // what to mark

	Blamed Blamed // what the last Draw marked

	NoCollector bool // see Options.HideCollector

	data  timelineData
	View  timeView
	ruler ruler

	goal   Goal
	search search
	match  occurrence

	Bands   bands
	em      float32     // pixels in a nominal pixel, in the last Draw
	Card    canvas.Rect // place of the timeline in the last Draw
	unready bool        // cannot move yet: the next Draw brings Aimed into sight
	Funnel  Funnel      // to the columns above
	axis    canvas.Span // of the history: see Join
	alone   bool        // the screen is too small for both the timeline and the table
}

// Fit fits the scope at a place to the width of the screen. Without one, it shows the whole frame.
func (t *Timeline) Fit(x, y float32) {
	t.Aimed = 0
	s, ok := t.ScopeUnder(x, y)
	if !ok {
		t.View.fit(0, 0)
		return
	}
	begin, end := t.ends(s)
	t.View.fit(begin, end)
}

// FitHistory toggles between all possible frames and the shown frame. All frames are on the axis of the history if Join
// gives it. It reports whether it shows all.
func (t *Timeline) FitHistory() bool {
	v := &t.View
	if v.joined {
		v.joined, v.goal = false, canvas.Span{}
		return false
	}
	v.fit(v.from, v.to)
	v.joined = true
	return true
}

// Gutter returns the width for names at the left of the scopes, in a timeline of width pixels.
func (t *Timeline) Gutter(em, width float32) float32 {
	if width -= 2 * cardInset * em; width < gutterFrom*em {
		return 0
	}
	return t.Bands.gutter() * em
}

// Join puts the next Draw on the axis of the history. The history's columns are in plot and show the time from begin to
// end, in ms on the axis of the rows. An empty plot ends that.
func (t *Timeline) Join(plot canvas.Rect, begin, end float64) {
	t.View.plot, t.axis.From, t.axis.Wide = plot, begin, end-begin
}

// gutterFrom is the least width of a timeline with names beside the scopes, and cardInset the room at each side, in
// nominal pixels.
const (
	gutterFrom = 620
	cardInset  = 12
)

// Zoom zooms about x, in pixels.
func (t *Timeline) Zoom(x float32, notches float64) { t.View.zoom(x, notches) }

// Pan moves the time and the lanes by dx and dy pixels.
func (t *Timeline) Pan(dx, dy float32) { t.View.pan(dx, dy) }

// Scroll moves the lanes by a number of rows of scopes.
func (t *Timeline) Scroll(rows int) { t.View.scroll(float32(rows) * t.Bands.level(t.em)) }

// Heights returns the height of the timeline in pixels, with bands of the usual and of the greatest height.
func (t *Timeline) Heights(em float32) (usual, most float32) {
	around := (2*6 + 20 + axisHeight + 6) * em
	usual = t.Bands.height(scopeRowHeight, em, t.data.Lane, true) + around
	return usual, t.Bands.height(mostRowHeight, em, t.data.Lane, true) + around
}

// Place returns the places of the timeline and of the table, which share the places of the call structure and of the
// table. The timeline is as high as its bands, as long as the table keeps its part, and takes what the table's rows
// leave free: their height is in pixels.
func (t *Timeline) Place(calls, table canvas.Rect, em, rows float32) (timeline, rest canvas.Rect) {
	timeline = table
	t.alone = calls.Height() <= 0
	if !t.alone {
		timeline.Y0 = calls.Y0
	}
	if t.Large || t.alone {
		table.Y0 = timeline.Y1
		return timeline, table
	}
	usual, most := t.Heights(em)
	want := max(min(max(calls.Height(), usual), 0.55*timeline.Height()), min(most, timeline.Height()-rows-10*em))
	timeline.Y1 = draw.Snap(timeline.Y0 + want)
	table.Y0 = timeline.Y1 + 10*em
	return timeline, table
}

// Draw draws the timeline in r.
func (t *Timeline) Draw(c *canvas.Canvas, d *scene.Scene, key string, r canvas.Rect) {
	t.em, t.Card = c.Em, r
	if r.Height() < 60*c.Em {
		return
	}
	in := c.Card(r)
	c.Add(r, hit.Of(hit.Timeline, 0))
	head := canvas.Box(in.X0, in.Y0, in.X1, in.Y0+15*c.Em)
	t.drawHead(c, head)
	area := canvas.Box(in.X0, head.Y1+5*c.Em, in.X1, r.Y1-5*c.Em)
	if n, missing := t.notice(); missing {
		t.drawNotice(c, area, n, key)
		return
	}
	t.drawBody(c, d, area)
}

// drawBody draws the axis and the bands below it.
func (t *Timeline) drawBody(c *canvas.Canvas, d *scene.Scene, area canvas.Rect) {
	v := &t.View
	gutter := area.Width() >= gutterFrom*c.Em
	axis := canvas.Box(area.X0, area.Y0, area.X1, draw.Snap(area.Y0+axisHeight*c.Em))
	in := canvas.Box(draw.Snap(area.X0), axis.Y1+draw.Snap(4*c.Em), draw.Snap(area.X1), draw.Snap(area.Y1))
	if gutter {
		in.X0 = draw.Snap(in.X0 + t.Bands.gutter()*c.Em)
	}
	t.Bands.stretch(c.Em, t.data.Lane, gutter, in.Height())
	v.in, v.height = in, t.Bands.height(t.Bands.line, c.Em, t.data.Lane, gutter)
	if v.height > in.Height() {
		in.X1 -= draw.Snap(8 * c.Em)
		v.in = in
	}
	if v.onPlot() {
		in.X0, in.X1 = max(in.X0, v.plot.X0), min(in.X1, v.plot.X1)
		v.in = in
		from := t.axis.From - t.data.Origin
		v.join(from, from+t.axis.Wide)
	}
	if t.Bands.aimed != 0 {
		t.Bands.reveal(v, t.Bands.aimed, c.Em, gutter)
		t.Bands.aimed = 0
	}
	v.ease()
	v.drawSight(c, canvas.Box(area.X0, area.Y0-3*c.Em, area.X1, area.Y0-c.Em))
	t.drawFunnel(c, axis, in)
	t.drawAxis(c, axis, in)
	g := bandPainter{Canvas: c, d: d, t: t, in: in, left: area.X0, gutter: gutter}
	g.draw(t.data.Lane)
	rows := scopeRows{Canvas: c, d: d, data: &t.data, view: v, in: in, hoverZone: d.ZoneUnderMouse(), match: &t.match,
		level: t.Bands.level(c.Em)}
	rows.draw(t.Bands.Laid)
	g.drawProgramStates()
	g.drawBlame()
	g.drawArrow()
	t.drawBorders(c, axis, in)
	t.drawCrossed(c, d, axis, in)
	t.drawFlags(c, d, axis, in)
	t.drawRuler(c, axis, in)
	if c.Hovers(canvas.Box(in.X0, axis.Y0, in.X1, in.Y1)) {
		t.hairline(c, axis, in)
	}
	if v.height > in.Height() {
		per := in.Height() / v.height
		y := in.Y0 + v.down*per
		c.Rect(area.X1-3*c.Em, y, area.X1, max(y+in.Height()*per, y+8*c.Em), draw.Fade(c.TextFaint, 0.6))
	}
}

// Follow updates the data to the shown frame.
func (t *Timeline) Follow(d *scene.Scene) {
	t.data.Timeline = &d.Timeline
	t.data.stamp++
	t.data.tick, t.data.kind = d.Info.Tick, d.Info.Kind
	t.View.length = t.data.Length
	t.View.from, t.View.to = min(t.data.Least, 0), max(t.data.Most, t.data.Length)
	t.aim()
	t.Bands.seatAll(&t.data, d.Info.Frames)
}

// drawHead draws the numbers of the frames, the zoom, the buttons and the frames' length.
func (t *Timeline) drawHead(c *canvas.Canvas, head canvas.Rect) {
	from, until, ms := t.data.Index, t.data.Until, t.data.Length
	if first, last := t.inSight(); first != nil && t.View.onPlot() {
		from, until, ms = first.Index, last.Index, last.End-first.Begin
	}
	c.Buffer = draw.AppendFixed(c.Buffer[:0], float64(from), 0)
	if until > from {
		c.Buffer = draw.AppendFixed(append(c.Buffer, " to "...), float64(until), 0)
	}
	what := timelineOf(t.data.kind, until > from)
	x := head.X0 + c.Left(head.X0, head.Width(), head, draw.FaceSmall, what, c.TextFaint)
	x += c.ASCII(x, c.Baseline(head.Y0, head.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, c.TextNormal)
	end := head.X1 - c.Time(head.X1, head, draw.FaceSmall, ms, c.Precision, c.TextNormal, c.TextFaint)
	end -= 14 * c.Em
	if word := "enlarge"; !t.alone {
		if t.Large {
			word = "reduce"
		}
		end = c.Button(end, x+20*c.Em, head, word, "timeline-large")
	}
	end = c.Button(end, x+20*c.Em, head, "call structure", "timeline")
	end = c.Button(end, x+20*c.Em, head, t.ruler.word(), "ruler")
	t.drawWords(c, head, x, end)
}

// timelineOf returns the words before the number of a frame, or of several.
func timelineOf(kind report.Kind, several bool) string {
	switch frames := kind.HasFrames(); {
	case frames && several:
		return "timeline of frames "
	case frames:
		return "timeline of frame "
	case several:
		return "timeline of intervals "
	}
	return "timeline of interval "
}

// drawWords writes the zoom, or words for visible neighbouring frames.
func (t *Timeline) drawWords(c *canvas.Canvas, head canvas.Rect, x, end float32) {
	v := &t.View
	c.Buffer = c.Buffer[:0]
	switch {
	case v.at.Wide == 0 || v.fitted:
		return
	case v.onPlot():
		c.Buffer = append(c.Buffer, "   on the axis of the history"...)
	case v.at.Wide > v.length || v.at.From < -1e-6 || v.at.From+v.at.Wide > v.length+1e-6:
		c.Buffer = append(c.Buffer, "   with its neighbours"...)
	case v.at.Wide < 0.999*v.length:
		zoom := v.length / v.at.Wide
		decimals := 1
		if zoom >= 100 {
			decimals = 0
		}
		c.Buffer = append(draw.AppendFixed(append(c.Buffer, "   "...), zoom, decimals), " times as wide"...)
	}
	hint := ", a double click fits the frame"
	if !t.data.kind.HasFrames() {
		hint = ", a double click fits the interval"
	}
	if x+c.ASCIIWidth(draw.FaceSmall, c.Buffer)+c.Width(draw.FaceSmall, hint) < end {
		if len(c.Buffer) == 0 {
			c.Buffer, hint = append(c.Buffer, "  "...), hint[1:]
		}
		c.Buffer = append(c.Buffer, hint...)
	}
	if x+c.ASCIIWidth(draw.FaceSmall, c.Buffer) < end {
		c.ASCII(x, c.Baseline(head.Y0, head.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, c.TextDim)
	}
}

// Settling reports whether the timeline still moves, or searches.
func (t *Timeline) Settling() bool { return t.View.moving || t.search.direction != 0 || t.unready }

// timelineData is the timeline of the last Draw, with the looks of its zones.
type timelineData struct {
	*timeline.Timeline
	stamp int // counts Draws: looks of scopes depend on the cursor, too
	looks []zoneLook
	tick  float64 // the clock's resolution in ms: see report.Report.Tick
	kind  report.Kind
}

// any reports whether a lane has scopes in sight.
func (t *timelineData) any() bool {
	for i := range t.Bands {
		if b := &t.Bands[i]; b.Depth > 0 && (t.Lane == 0 || t.Lane == b.ID) {
			return true
		}
	}
	return false
}

func (t *timelineData) bandOf(lane report.LaneID) *timeline.Band {
	for i := range t.Bands {
		if t.Bands[i].ID == lane {
			return &t.Bands[i]
		}
	}
	return nil
}

// shadeSteps is the number of strengths of a smear, besides the weakest.
const shadeSteps = 6

// zoneLook is the name and the colours of a zone's scopes.
type zoneLook struct {
	stamp  int
	name   string
	idle   bool
	color  color.NRGBA
	ground *draw.Palette               // the palette of the shades
	shades [shadeSteps + 1]color.NRGBA // colours of smears; fuller smears are stronger
	muted  [shadeSteps + 1]color.NRGBA // the same, while another zone is under the mouse
}

// look returns the look of a zone. It is up to date with the stamp.
func (t *timelineData) look(c *canvas.Canvas, d *scene.Scene, zone report.ZoneID) *zoneLook {
	at := int(max(zone, 0))
	if at >= len(t.looks) {
		t.looks = append(t.looks, make([]zoneLook, at+1-len(t.looks))...)
	}
	l := &t.looks[at]
	if l.stamp != t.stamp {
		l.renew(c, d, report.ZoneID(at))
		l.stamp = t.stamp
	}
	return l
}

// renew reads the zone's name and computes its colours, if they have changed.
func (l *zoneLook) renew(c *canvas.Canvas, d *scene.Scene, zone report.ZoneID) {
	info := d.Zone(zone)
	col := d.ColorOf(c, zone, info.Name, info.Idle)
	if l.ground == c.Palette && l.name == info.Name && l.idle == info.Idle && l.color == col {
		return
	}
	l.name = info.Name
	l.idle = info.Idle
	l.ground = c.Palette
	l.color = col
	for i := range l.shades {
		share := 0.4 + 0.6*float32(i)/shadeSteps
		l.shades[i] = draw.Mix(c.Surface, l.color, share)
		l.muted[i] = draw.Mix(c.Surface, canvas.Mute(c, l.color), share)
	}
}

// strengthOf returns the strength of a smear that covers a share of its time. The share is clamped to 0..1.
func strengthOf(share float64) int {
	if !(share > 0) { // also for NaN
		return 0
	}
	if share > 1 { // min is slow in WebAssembly
		share = 1
	}
	return int(float32(share)*shadeSteps + 0.5)
}

var (
	noticeEvents = canvas.Notice{Title: "No events are recorded", Words: []string{
		"The order of time is made of the beginning and the end of every scope, kept for each goroutine in a ring.",
	}, Code: []string{
		`iprof.SetEvents(1 << 16) // 1 MB a lane; 0 switches them off`,
	}}
	noticeSilent = canvas.Notice{Title: "These frames came without events", Words: []string{
		"A capture, or a program elsewhere, has them if the program keeps them: iprof.SetEvents(1 << 16).",
		"The call structure of each frame is there all the same: W shows it.",
	}}
	noticeOverwritten = canvas.Notice{
		Title: "This frame's events are overwritten, or older than their recording",
		Words: []string{
			"Goroutines keep their newest events, and those of the slowest frames. SetEvents makes them keep more.",
		},
	}
	noticeNoScopes = canvas.Notice{
		Title: "No scope was open in this frame",
		Words: []string{"No zone was entered on these goroutines, nor open."},
	}
)

// notice returns the notice that replaces the bands without scopes.
func (t *Timeline) notice() (n *canvas.Notice, missing bool) {
	if t.data.any() {
		return nil, false
	}
	off, gone := false, len(t.data.Lanes) == 0
	for i := range t.data.Bands {
		if l := t.data.Lane; l != 0 && l != t.data.Bands[i].ID {
			continue
		}
		switch t.data.Bands[i].State {
		case timeline.Off:
			off = true
		case timeline.Gone:
			gone = true
		default:
			return &noticeNoScopes, true
		}
	}
	switch {
	case off && !gone && t.data.Silent:
		return &noticeSilent, true
	case off && !gone:
		return &noticeEvents, true
	}
	if gone {
		return &noticeOverwritten, true
	}
	return &noticeNoScopes, true
}

// drawNotice draws as many lines of the notice as fit.
func (t *Timeline) drawNotice(c *canvas.Canvas, r canvas.Rect, n *canvas.Notice, key string) {
	t.Bands.Laid = t.Bands.Laid[:0]
	t.View.in = canvas.Rect{}
	y := r.Y0 + max((r.Height()-float32(26+18*len(n.Words)+24*len(n.Code))*c.Em)/2, 0)
	x := r.X0 + max((r.Width()-noticeWidth*c.Em)/2, 6*c.Em)
	line := func(height float32) canvas.Rect {
		l := canvas.Box(x, y, r.X1, y+height*c.Em)
		y += height * c.Em
		return l
	}
	if l := line(22); l.Y1 <= r.Y1 {
		width := c.Left(l.X0, l.Width(), l, draw.FaceBold, n.Title, c.TextBright)
		if n == &noticeEvents {
			t.drawRecord(c, canvas.Box(l.X0+width+14*c.Em, l.Y0+3*c.Em, r.X1, l.Y1-4*c.Em), key)
		}
	}
	for _, s := range n.Words {
		if l := line(18); l.Y1 <= r.Y1 {
			c.Left(l.X0, l.Width(), l, draw.FaceText, s, c.TextDim)
		}
	}
	for _, s := range n.Code {
		if l := line(24); l.Y1 <= r.Y1 {
			c.Left(l.X0, l.Width(), l, draw.FaceMono, s, c.TextNormal)
		}
	}
}

// drawRecord draws the button that switches events on, and its key.
func (t *Timeline) drawRecord(c *canvas.Canvas, r canvas.Rect, key string) {
	const word = "record them"
	end := r.X0 + c.Width(draw.FaceSmall, word) + 14*c.Em
	c.Button(end, r.X0-1, r, word, "events")
	if key != "" && end+60*c.Em < r.X1 {
		x := end + 8*c.Em + c.Left(end+8*c.Em, 40*c.Em, r, draw.FaceSmall, "or key ", c.TextDim)
		c.Left(x, 60*c.Em, r, draw.FaceBold, key, c.TextNormal)
	}
}

// noticeWidth is the approximate width of the lines in nominal pixels.
const noticeWidth = 590
