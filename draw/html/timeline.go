package html

import (
	"math"
	"slices"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
)

// The limits of a timeline: lanes of a list, levels of a lane, and scopes with a text under the pointer.
const (
	mostBands = 24
	mostDeep  = 24
	mostTips  = 500
)

// The measures of a timeline, in units of the picture.
const (
	gutter    = 168 // for names
	scopeHigh = 18
	bandGap   = 8
	axisHigh  = 20
)

// timelinePicture is a part of the timeline of a frame: lanes below each other, to the scale of the frame.
type timelinePicture struct {
	*picture
	p      *page
	length float64 // ms of the frame
	tips   *int    // texts under the pointer that are left
}

// band is a band of the timeline: a lane, or all lanes of a go statement.
type band struct {
	name  string
	lanes []*report.FrameLane
}

// timeline writes the timeline of a frame, or says why there is none.
func (p *page) timeline(s *subject) {
	t := &s.frame.Timeline
	if len(t.Lanes) == 0 && t.Left == 0 {
		return
	}
	p.put(`<h3>Timeline of `, markup(s.title), "</h3>")
	if len(t.Lanes) > 0 {
		p.bands(s, bandsOf(t.Lanes))
	}
	if missing := missingOf(t); missing != "" {
		p.put(`<p class="note">`, missing, "</p>")
	}
}

// bandsOf puts the lanes of one go statement into one band.
func bandsOf(lanes []report.FrameLane) (bands []band) {
	at := map[string]int{}
	for i := range lanes {
		l := &lanes[i]
		crowd := report.Crowd(l.Name)
		if crowd == "" {
			name := nameOr(l.Name)
			if l.Device && name != "GPU" {
				name = "GPU " + name
			}
			bands = append(bands, band{name, []*report.FrameLane{l}})
			continue
		}
		if _, known := at[crowd]; !known {
			at[crowd] = len(bands)
			bands = append(bands, band{name: crowd})
		}
		bands[at[crowd]].lanes = append(bands[at[crowd]].lanes, l)
	}
	for i := range bands {
		if b := &bands[i]; len(b.lanes) == 1 {
			b.name = nameOr(b.lanes[0].Name)
		}
	}
	return bands
}

// bands draws the bands: first the lanes that stand for themselves, then a row for each go statement with several.
func (p *page) bands(s *subject, bands []band) {
	tips := mostTips
	single := slices.DeleteFunc(slices.Clone(bands), func(b band) bool { return len(b.lanes) > 1 })
	p.laneList(s, single, true, &tips)
	for i := range bands {
		b := &bands[i]
		if len(b.lanes) < 2 {
			continue
		}
		g := p.newTimeline(s, &tips)
		g.busy(b)
		p.put(`<details class="crowd" data-k="`, esc(b.name), `"><summary>`)
		p.put(markup(g.svg("lanes", "how many of the goroutines are busy")), "</summary>")
		var inside []band
		for _, l := range b.lanes {
			inside = append(inside, band{strings.TrimPrefix(l.Name, b.name+" "), []*report.FrameLane{l}})
		}
		p.laneList(s, inside, false, &tips)
		p.put("</details>")
	}
}

// laneList draws lanes below each other.
func (p *page) laneList(s *subject, bands []band, axis bool, tips *int) {
	g := p.newTimeline(s, tips)
	if axis {
		g.height = axisHigh
	}
	for _, b := range bands[:min(len(bands), mostBands)] {
		g.lane(b.name, b.lanes[0])
	}
	if axis {
		g.axis(s)
	}
	p.put(markup(g.svg("lanes", "which zone ran when, by goroutine")))
	p.moreLine(len(bands)-mostBands, "goroutines")
}

func (p *page) newTimeline(s *subject, tips *int) *timelinePicture {
	length := s.whole
	if s.of != nil {
		length = float64(s.of.Length)
	}
	return &timelinePicture{newPicture(wide, 0), p, max(length, 1e-6), tips}
}

// x returns the place of a time.
func (g *timelinePicture) x(ms float64) float32 {
	return gutter + float32(min(max(ms/g.length, 0), 1))*(wide-gutter)
}

// lane draws a lane below the others.
func (g *timelinePicture) lane(name string, l *report.FrameLane) {
	levels := 1
	for i := range l.Scopes {
		levels = max(levels, min(int(l.Scopes[i].Level)+1, mostDeep))
	}
	top := g.height
	g.height += float32(levels)*scopeHigh + bandGap
	g.plain()
	g.Rect(0, g.height-bandGap/2, wide, g.height-bandGap/2+1, g.GridLine)
	g.name(0, top+13, gutter-10, name, g.TextDim)
	var drawn [mostDeep]float32
	remark := 0
	for i := range l.Scopes {
		s := &l.Scopes[i]
		for remark < len(l.Remarks) && l.Remarks[remark].Scope < i {
			remark++
		}
		if int(s.Level) >= mostDeep {
			continue
		}
		x0, x1 := g.x(float64(s.Begin)), g.x(float64(s.End))
		if x1-x0 < 1 && x0 < drawn[s.Level] { // it shares a column with the one before
			continue
		}
		x1 = max(x1, x0+1)
		drawn[s.Level] = x1
		said := ""
		if remark < len(l.Remarks) && l.Remarks[remark].Scope == i {
			said = string(l.Remarks[remark].AppendText(nil, nil))
		}
		g.scope(s, name, said, x0, top+float32(s.Level)*scopeHigh, x1)
	}
	if from := float64(l.From); from > 0 {
		g.plain()
		g.Rect(gutter, top, g.x(from), g.height-bandGap-2, g.Raised)
		g.left(gutter+4, top+13, g.x(from)-gutter-8, "overwritten", g.TextDim)
	}
}

// scope draws an entry of a zone.
func (g *timelinePicture) scope(s *report.FrameScope, lane, said string, x0, y, x1 float32) {
	z := g.p.info(s.Zone)
	name := g.p.label(s.Zone)
	if x1-x0 >= 2 && *g.tips > 0 {
		*g.tips--
		g.item(g.p.zoneLink(s.Zone), g.scopeTip(s, name, lane, said))
	} else {
		g.plain()
	}
	c, text := g.p.color(s.Zone), ink
	if z.Idle {
		c, text = g.Idle, g.TextNormal
	}
	end := x1
	if x1-x0 > 3 {
		end--
	}
	g.Rect(x0, y, end, y+scopeHigh-2, c)
	room := x1 - x0 - 8
	if room < leastName {
		return
	}
	time := string(short(float64(s.End - s.Begin)))
	if width := g.Width(face, time); room > width+70 {
		g.right(x1-4, y+12.5, time, text)
		room -= width + 8
	}
	g.name(x0+4, y+12.5, room, name, text)
}

// scopeTip returns the text of an entry under the pointer.
func (g *timelinePicture) scopeTip(s *report.FrameScope, name, lane, said string) markup {
	tip := esc(shortName(name)) + " " + g.p.exact(s.End-s.Begin) + " ms"
	if said != "" {
		tip += "\n" + esc(head(said, 400))
	}
	tip += "\nfrom " + g.p.exact(s.Begin) + " to " + g.p.exact(s.End) + " ms of the frame\non " + esc(shortName(lane))
	switch {
	case s.Before && s.After:
		tip += "\nopen before and after the frame"
	case s.Before:
		tip += "\nbegun before the frame"
	case s.After:
		tip += "\nstill open at the end of the frame"
	}
	return tip
}

// exact formats milliseconds with the decimals that the clock can tell, three at most.
func (p *page) exact(ms float32) markup {
	decimals := 3
	if p.d.TicksPerSecond > 0 {
		decimals = min(max(int(math.Log10(p.d.TicksPerSecond/1000)+1e-9), 0), 3)
	}
	return markup(draw.AppendFixed(nil, float64(ms), decimals))
}

// busy draws how many lanes of a band are in a zone that does not wait.
func (g *timelinePicture) busy(b *band) {
	const high = 2*scopeHigh - 3
	g.height = 2*scopeHigh + bandGap
	g.name(16, 13, gutter-26, b.name, g.TextNormal)
	g.left(16, 13+scopeHigh, gutter-26, printed.Count(len(b.lanes), "goroutine"), g.TextDim)
	var at [wide - gutter + 1]int // changes of their number, by column
	for _, l := range b.lanes {
		g.count(l, func(ms float64, by int) { at[min(int(g.x(ms))-gutter, len(at)-1)] += by })
	}
	most, now := 1, 0
	for i := range at {
		at[i] += now
		now = at[i]
		most = max(most, now)
	}
	from := 0
	for i := range at {
		if at[i] == at[from] {
			continue
		}
		g.busyColumn(from, i, at[from], high*float32(at[from])/float32(most))
		from = i
	}
	g.busyColumn(from, len(at), at[from], high*float32(at[from])/float32(most))
	g.plain()
	g.Rect(0, g.height-bandGap/2, wide, g.height-bandGap/2+1, g.GridLine)
}

func (g *timelinePicture) busyColumn(from, to, lanes int, height float32) {
	if lanes > 0 {
		g.item("", intOf(lanes)+" of them busy")
		g.Rect(gutter+float32(from), 2*scopeHigh-2-height, gutter+float32(to), 2*scopeHigh-2, draw.Fade(g.Accent, 0.55))
	}
}

// count reports each time at which a lane begins or ceases to be in a zone that does not wait.
func (g *timelinePicture) count(l *report.FrameLane, change func(ms float64, by int)) {
	var waits []bool // by level: the scope or one around it waits
	for i := range l.Scopes {
		s := &l.Scopes[i]
		level := int(s.Level)
		for len(waits) <= level {
			waits = append(waits, false)
		}
		idle, around := g.p.info(s.Zone).Idle, level > 0 && waits[level-1]
		waits[level] = idle || around
		switch {
		case level == 0 && !idle:
			change(float64(s.Begin), 1)
			change(float64(s.End), -1)
		case level > 0 && idle && !around:
			change(float64(s.Begin), -1)
			change(float64(s.End), 1)
		}
	}
}

// axis draws the times at the top, lines below them, the budget, and the marks of the program.
func (g *timelinePicture) axis(s *subject) {
	_, unit, _ := draw.TimeInUnit(g.length, 2)
	per := perUnit(g.length)
	step := niceStep(g.length / per / 9)
	g.plain()
	for i := 0; float64(i)*step*per <= g.length; i++ {
		x := draw.Snap(g.x(float64(i) * step * per))
		g.Rect(x, axisHigh-6, x+1, axisHigh-2, g.Outline)
		g.Rect(x, axisHigh-2, x+1, g.height, draw.Fade(g.Outline, 0.4))
		text := string(decimal(float64(i)*step)) + " " + unit
		if width := g.Width(face, text); x+width/2 > wide {
			g.right(wide, 11, text, g.TextDim)
		} else {
			g.left(max(x-width/2, gutter), 11, wide, text, g.TextDim)
		}
	}
	if g.p.budget > 0 && g.p.budget < g.length {
		x := draw.Snap(g.x(g.p.budget))
		g.Rect(x, axisHigh, x+1, g.height, g.Green)
	}
	for i := range g.p.d.Marks {
		m := &g.p.d.Marks[i]
		if m.Frame != s.frame.Index || m.At < 0 || m.At > g.length {
			continue
		}
		x := draw.Snap(g.x(m.At))
		g.item("", "⚑ "+esc(shortName(m.Text))+" "+short(m.At))
		g.Rect(x, axisHigh-4, x+1, g.height, g.Strong)
		g.Triangle(x, axisHigh-6, x+8, axisHigh-2, x, axisHigh+2, g.Strong)
	}
}

// missingOf says what the timeline of a frame does not have.
func missingOf(t *report.FrameTimeline) markup {
	var list []string
	lanes := func(n int) string {
		if n == 1 {
			return "1 goroutine"
		}
		return printed.Noun(string(grouped(uint64(n))), "goroutine")
	}
	if t.Left > 0 {
		list = append(list, string(grouped(uint64(t.Left)))+" scopes of this frame were too many to keep")
	}
	if t.Quiet > 0 {
		list = append(list, lanes(t.Quiet)+" entered no zone")
	}
	if t.Gone > 0 {
		list = append(list, "the events of "+lanes(t.Gone)+" were overwritten")
	}
	switch {
	case t.Off == 1:
		list = append(list, "1 goroutine keeps no events")
	case t.Off > 1:
		list = append(list, lanes(t.Off)+" keep no events")
	}
	return markup(strings.Join(list, ", "))
}
