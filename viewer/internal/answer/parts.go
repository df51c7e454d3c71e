package answer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/internal/printed"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// colorOf returns the colour of a part: bright for a cause, dim for other parts.
func (g *painter) colorOf(p *report.Part) color.NRGBA {
	col := g.Idle
	switch {
	case p.Idle:
	case p.Path == 0:
		col = g.Grey
	case p.Path != report.RestPath:
		col = g.d.ColorOf(g.Canvas, p.Zone, g.d.Zone(p.Zone).Name, false)
	}
	if p.Cause == 0 {
		return draw.Mix(g.Surface, col, 0.34)
	}
	if g.ofCollector(p) {
		return g.Collection
	}
	if p.Idle {
		return g.Grey
	}
	return col
}

// nameOf returns the name of a part.
func (g *painter) nameOf(p *report.Part) string {
	if g.ofCollector(p) {
		return "collector"
	}
	switch p.Path {
	case report.RestPath:
		return "others"
	case 0:
		return "outside all zones"
	}
	return g.d.Label(p.Zone, g.d.Zone(p.Zone).Name)
}

// bright reports whether the cause of a part is highlighted.
func (g *painter) bright(p *report.Part) bool {
	return p.Cause > 0 && (g.a.At(g.v) == &g.v.Causes[p.Cause-1] || len(g.shows) < 2 || g.shows[1].Cause == 0)
}

// part draws a part of the frame, with its name and time if they fit.
func (g *painter) part(p *report.Part, r canvas.Rect) {
	if r.Width() < 0.5 || r.Height() == 0 {
		return
	}
	col := g.colorOf(p)
	gap := min(max(1, draw.Snap(g.Em)), r.Width()/3)
	g.Rect(r.X0, r.Y0, r.X1-gap, r.Y1, col)
	if p.Cause == 0 {
		g.label(p, r, p.Time, g.TextNormal)
		return
	}
	if p.Idle || g.blocks(p) || g.ofCollector(p) {
		g.Stripes(canvas.Box(r.X0, r.Y0, r.X1-gap, r.Y1), stripe, 0.25)
	}
	g.calls(r, p.Count)
	if g.bright(p) {
		g.Border(r.X0, r.Y0, r.X1-gap, r.Y1, 0, g.Strong)
	}
	g.label(p, r, p.Time, canvas.InkOn(col))
}

// addStopped appends a part to the drawn ones. If the collector stopped a zone, and that is the main cause, it splits
// the collector's time from the zone's: the eye then sees which of them grew.
func (g *painter) addStopped(p *report.Part) {
	if !g.ofCollector(p) {
		g.a.parts = append(g.a.parts, *p)
		return
	}
	stop, rest := *p, *p
	c := &g.v.Causes[p.Cause-1]
	stop.Time = min(c.Time, p.Time)
	stop.Usual = min(c.Usual, p.Usual)
	stop.Count = 0
	stop.Often = 0
	rest.Time, rest.Usual, rest.Cause = p.Time-stop.Time, p.Usual-stop.Usual, 0
	g.a.parts = append(g.a.parts, stop, rest)
}

// ofCollector reports whether a part is the time for which the collector stopped the program.
func (g *painter) ofCollector(p *report.Part) bool {
	return p.Cause > 0 && g.v.Causes[p.Cause-1].Kind == report.CauseCollector
}

// blocks reports whether a part is a wait that the program did not choose.
func (g *painter) blocks(p *report.Part) bool { return g.d.Zone(p.Zone).Blocked && p.Path > 0 }

// calls draws the borders between the calls of a cause, if they are far enough apart.
func (g *painter) calls(r canvas.Rect, count float64) {
	n := int(count + 0.5)
	if n < 2 || r.Width() < 3*g.Em*float32(n) {
		return
	}
	for i := 1; i < n; i++ {
		x := draw.Snap(r.X0 + r.Width()*float32(i)/float32(n))
		g.Rect(x, r.Y1-0.3*r.Height(), x+draw.Hairline(g.Em), r.Y1, g.Background)
	}
}

// label writes into a part: the name, and the time if there is room for both.
func (g *painter) label(p *report.Part, r canvas.Rect, ms float64, ink color.NRGBA) {
	room := r.Width() - 10*g.Em
	face := draw.FaceSmall
	if p.Cause > 0 {
		face = draw.FaceBold
	}
	name := g.nameOf(p)
	if room < 34*g.Em && g.Width(face, name) > room {
		return
	}
	x := r.X0 + 5*g.Em
	used := g.Left(x, room, r, face, name, ink)
	g.Buffer = appendBeside(g.Buffer[:0], ms, g.total, 1)
	if used+g.ASCIIWidth(face, g.Buffer)+10*g.Em <= room {
		used += 8*g.Em + g.ASCII(x+used+8*g.Em, g.Baseline(r.Y0, r.Y1, face), face, g.Buffer, ink)
	}
	if n := p.Count; p.Cause > 0 && n > 1.5 {
		g.Buffer = printed.AppendCount(append(g.Buffer[:0], "in "...), int(n+0.5), "call")
		if used+g.ASCIIWidth(draw.FaceSmall, g.Buffer)+14*g.Em <= room {
			g.ASCII(x+used+10*g.Em, g.Baseline(r.Y0, r.Y1, draw.FaceSmall), draw.FaceSmall, g.Buffer, ink)
		}
	}
}

// ghost draws a part of the usual frame: its outline on a background of its colour.
func (g *painter) ghost(p *report.Part, r canvas.Rect) {
	if r.Width() < 0.5 || r.Height() == 0 {
		return
	}
	col := g.colorOf(p)
	strong := float32(0.22)
	if p.Cause > 0 {
		strong = 0.55
	}
	gap := min(max(1, draw.Snap(g.Em)), r.Width()/3)
	g.Rect(r.X0, r.Y0, r.X1-gap, r.Y1, draw.Mix(g.Surface, col, strong))
	if p.Cause > 0 {
		g.calls(r, p.Often)
	}
	if r.Width() > 3*g.Em {
		g.Border(r.X0, r.Y0, r.X1-gap, r.Y1, 0, draw.Fade(col, 0.9))
	}
}

// drawUsual writes the usual time of a cause below its ghost. It returns the end of the words.
func (g *painter) drawUsual(p *report.Part, ghost canvas.Rect, from float32, r canvas.Rect) float32 {
	if r.Height() == 0 || g.v.Usual <= 0 || g.a.Call(g.d) != nil { // of a call only the whole has a usual time
		return from
	}
	c := &g.v.Causes[p.Cause-1]
	col := g.colorOf(p)
	x := max(ghost.X0, from)
	b := g.Buffer[:0]
	switch {
	case c.Absent() && p.Usual <= 0:
		b = append(b, scene.AbsentWords(c)...)
	default:
		b = appendTime(append(b, "usually "...), p.Usual)
		if c.Kind == report.CauseMoreCalls || p.Often > 1.5 {
			b = append(draw.AppendFixed(append(b, " in "...), p.Often, 0), " call"...)
			if p.Often >= 1.5 || p.Often < 0.5 {
				b = append(b, 's')
			}
		}
	}
	g.Buffer = b
	mid := (ghost.X0 + max(ghost.X1, ghost.X0+2*g.Em)) / 2
	mid = max(mid, x+3*g.Em)
	g.Triangle(mid, r.Y0+g.Em, mid-3*g.Em, r.Y0+5*g.Em, mid+3*g.Em, r.Y0+5*g.Em, col)
	line := canvas.Box(x, r.Y0+4*g.Em, r.X1, r.Y1)
	if ghost.X0 < from {
		x = from
	}
	return x + g.Bytes(x, g.x1-x, line, draw.FaceSmall, b, draw.Mix(g.TextNormal, col, 0.4)) + 16*g.Em
}

// appendTime appends a time with its unit.
func appendTime(b []byte, ms float64) []byte { return draw.AppendTime(b, ms, decimalsOf(ms)) }

// appendBeside appends a time, ms, beside another one. It has its unit if one of them is not in ms.
func appendBeside(b []byte, ms, beside float64, decimals int) []byte {
	if _, unit, _ := draw.TimeInUnit(max(ms, beside), 0); unit != draw.Milliseconds {
		return draw.AppendTime(b, ms, decimals)
	}
	return draw.AppendFixed(b, ms, decimals)
}

// decimalsOf returns the decimals of a time in words.
func decimalsOf(ms float64) int {
	switch {
	case ms >= 0.995 || ms <= 0:
		return 1
	case ms < 0.0995:
		return 3
	}
	return 2
}

// slope draws the connection between a part and its ghost. For a cause it is filled, and widens with the growth.
func (g *painter) slope(p *report.Part, up, down, r canvas.Rect) {
	if r.Height() == 0 || down.Height() == 0 {
		return
	}
	col := g.colorOf(p)
	if p.Cause > 0 {
		fill := draw.Fade(col, 0.28)
		g.Triangle(up.X0, r.Y0, up.X1, r.Y0, down.X1, r.Y1, fill)
		g.Triangle(up.X0, r.Y0, down.X1, r.Y1, down.X0, r.Y1, fill)
		g.Line(up.X1, r.Y0, down.X1, r.Y1, 1, draw.Fade(col, 0.9))
		return
	}
	if up.Width() > 2*g.Em || down.Width() > 2*g.Em {
		g.Line(up.X1, r.Y0, down.X1, r.Y1, 1, draw.Fade(col, 0.5))
	}
}

// stripe is the distance of the stripes over waits, in nominal pixels.
const stripe = 6
