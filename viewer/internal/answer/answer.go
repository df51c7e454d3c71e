// Package answer draws a verdict: the frame above the usual one, to scale, so that the growth of a part is visible; the
// wait, with an arrow from the goroutine that ended it; the line of source; and a mark in the history.
package answer

import (
	"image/color"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// Answer is the drawn verdict.
type Answer struct {
	Open  bool
	Which int // index of the highlighted cause
	Drawn Drawn

	code    func(zone gather.ZoneInfo) *report.Code // Options.Source
	parts   []report.Part                           // of the last Draw: see stopped
	ordered partOrder
	path    pathWords
	line    sourceLine
	slow    ofCall
	next    nextWords
}

// Drawn holds the places of the last Draw, for tests and for drawing over them. A place without height was not drawn.
type Drawn struct {
	Now, Ghost   canvas.Rect // the bars of the frame and of the usual one
	Cause, Usual canvas.Rect // the part of the highlighted cause in each
	Wait, Scope  canvas.Rect // the wait, and the scope that ended it or ran meanwhile
	From, To     canvas.Point
	Mark         canvas.Rect // in the history
	Source       canvas.Rect
}

// SetSource sets the reader of sources.
func (a *Answer) SetSource(read func(zone gather.ZoneInfo) *report.Code) {
	a.code, a.line = read, sourceLine{}
}

// Causes returns the number of causes that can be highlighted.
func Causes(v *report.Verdict) int { return len(v.Causes) }

// At returns the highlighted cause, or nil.
func (a *Answer) At(v *report.Verdict) *report.Cause {
	if !v.Found() {
		return nil
	}
	return &v.Causes[min(a.Which, len(v.Causes)-1)]
}

// Heights and widths in nominal pixels.
const (
	headHeight  = 24
	pathHeight  = 21
	barHeight   = 26
	slopeHeight = 20
	ghostHeight = 18
	wordsHeight = 18 // below the ghost
	trackHeight = 24
	codeHeight  = 22
	gutter      = 118
	ending      = 92 // for the number to the right of a bar
)

// Height returns the height of the whole card.
func (a *Answer) Height(em float32, d *scene.Scene) float32 {
	v := a.Verdict(d)
	height := 12 + headHeight + pathHeight + barHeight + slopeHeight + ghostHeight + wordsHeight + codeHeight + 4
	height += tracks(v)*trackHeight + 6
	return float32(height) * em
}

// Draw draws the card in r: as much from the top as fits.
func (a *Answer) Draw(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) {
	mark := a.Drawn.Mark
	a.Drawn = Drawn{Mark: mark}
	if r.Height() < 60*c.Em {
		return
	}
	in := c.Card(r)
	v := a.Verdict(d)
	g := painter{Canvas: c, d: d, a: a, v: v, shows: a.partsOf(d), in: in, y: in.Y0, drawn: &a.Drawn}
	g.head()
	if !v.Found() || len(g.shows) == 0 {
		c.Left(in.X0, in.Width(), g.line(trackHeight), draw.FaceText, "nothing unusual in what is shown", c.TextDim)
		return
	}
	g.x0, g.x1 = draw.Snap(in.X0+gutter*c.Em), draw.Snap(in.X1-ending*c.Em)
	if in.Width() < 560*c.Em {
		g.x0 = draw.Snap(in.X0 + 74*c.Em)
	}
	g.measure()
	if in.Height() > 120*c.Em {
		g.drawPath()
		g.source()
	}
	g.bars()
	g.tracks()
}

// painter draws one card.
type painter struct {
	*canvas.Canvas
	d     *scene.Scene
	a     *Answer
	v     *report.Verdict
	shows []report.Part
	in    canvas.Rect
	y     float32
	drawn *Drawn

	x0, x1       float32 // of the scale
	per          float32 // pixels per ms
	total, usual float64 // ms of all parts
	waitsAt      canvas.Rect
}

// line returns the next line of a height in nominal pixels. It is empty if there is no room.
func (g *painter) line(height float32) canvas.Rect {
	r := canvas.Box(g.in.X0, g.y, g.in.X1, g.y+draw.Snap(height*g.Em))
	if r.Y1 > g.in.Y1+g.Em {
		r.Y1 = r.Y0
		return r
	}
	g.y = r.Y1
	return r
}

// head draws the card's title and its buttons.
func (g *painter) head() {
	r := g.line(headHeight)
	r.Y1 -= 6 * g.Em
	g.Buffer = append(g.Buffer[:0], "why "...)
	if call := g.a.Call(g.d); call != nil {
		g.Buffer = append(g.Buffer, cut(call.Name)...)
	} else if g.v.Frames == 1 {
		g.Buffer = draw.AppendFixed(append(g.Buffer, "frame "...), float64(g.v.Index), 0)
	} else {
		g.Buffer = g.d.AppendOf(g.Buffer)
	}
	g.Buffer = append(g.Buffer, " was slow, to scale"...)
	x := r.X0 + g.Bytes(r.X0, r.Width(), r, draw.FaceSmall, g.Buffer, g.TextDim)
	end := g.Button(r.X1, x+20*g.Em, r, "back: Esc", "why")
	if n := len(g.v.Causes); n > 1 {
		end = g.Button(end, x+20*g.Em, r, g.a.next.of(&g.v.Causes[(min(g.a.Which, n-1)+1)%n]), "next-cause")
	}
	for i := range g.v.Causes {
		if g.v.Causes[i].Kind == report.CauseNotRunning && !g.d.Trace.On {
			g.Button(end, x+20*g.Em, r, "trace why: Alt+R", "trace")
		}
	}
}

// nextWords are the words of the button that shows the next cause.
type nextWords struct {
	name, reason string
	kind         report.CauseKind
	words        string
}

// of names the cause that the button shows next. It formats only another cause than before.
func (w *nextWords) of(c *report.Cause) string {
	if w.words == "" || w.name != c.Name || w.kind != c.Kind || w.reason != c.State.Reason {
		*w = nextWords{c.Name, c.State.Reason, c.Kind, nextOf(c)}
	}
	return w.words
}

func nextOf(c *report.Cause) string {
	name := text.Name(c.Name)
	switch {
	case c.Kind == report.CauseState && c.State.Reason != "":
		name = text.Name(c.State.Reason)
	case c.Name == "" || c.OfMachine():
		name = c.Kind.String()
	}
	if len(name) > mostNext {
		name = strings.ToValidUTF8(name[:mostNext], "") + "..."
	}
	return "next: " + name + ": Space"
}

// mostNext is the greatest number of bytes of a cause's name in the button.
const mostNext = 24

// measure chooses the scale so that all parts, the usual frame, and the work meanwhile fit.
func (g *painter) measure() {
	most := 0.0
	for i := range g.shows {
		p := &g.shows[i]
		g.total, g.usual = g.total+p.Time, g.usual+p.Usual
	}
	for i := range g.v.Causes {
		if c := &g.v.Causes[i]; c.Kind == report.CauseGPU || c.Kind == report.CauseWorker {
			most = max(most, c.Time, c.Usual)
		}
	}
	most = max(most, g.total, g.usual)
	if most > 0 {
		g.per = (g.x1 - g.x0) / float32(most)
	}
}

// bars draws the frame, the usual one below it, and between them lines from each part to its counterpart. Parts stand
// in the order in which they began, if that is known.
func (g *painter) bars() {
	g.a.parts = g.a.parts[:0]
	above, slope := g.line(barHeight), g.line(slopeHeight)
	below, words := g.line(ghostHeight), g.line(wordsHeight)
	word := "this frame"
	if g.a.Call(g.d) != nil {
		word = "this call"
	}
	g.name(above, word, g.TextBright)
	g.name(below, "usually", g.TextDim)
	g.drawn.Now = canvas.Box(g.x0, above.Y0, g.x0+float32(g.total)*g.per, above.Y1)
	if below.Height() > 0 {
		g.drawn.Ghost = canvas.Box(g.x0, below.Y0, g.x0+float32(g.usual)*g.per, below.Y1)
	}
	now, usual, said := g.x0, g.x0, g.x0
	for _, i := range g.order() {
		g.addStopped(&g.shows[i])
	}
	first := 0
	for i := range g.a.parts {
		p := &g.a.parts[i]
		up := canvas.Box(now, above.Y0, now+float32(p.Time)*g.per, above.Y1)
		down := canvas.Box(usual, below.Y0, usual+float32(p.Usual)*g.per, below.Y1)
		now, usual = up.X1, down.X1
		g.slope(p, up, down, slope)
		g.part(p, up)
		g.ghost(p, down)
		if p.Cause > 0 {
			said = g.drawUsual(p, down, said, words)
			if c := g.a.At(g.v); c != nil && (c == &g.v.Causes[p.Cause-1] || g.drawn.Cause.Width() == 0) {
				g.drawn.Cause, g.drawn.Usual = up, down
			}
			if first == 0 || p.Idle || p.Cause < first {
				g.waitsAt, first = up, p.Cause
				if p.Idle {
					first = -1
				}
			}
		}
	}
	if g.waitsAt.Width() == 0 {
		g.waitsAt = g.drawn.Now
	}
	g.ends(above, below)
}

// name draws a word before a bar.
func (g *painter) name(r canvas.Rect, word string, col color.NRGBA) {
	if r.Height() > 0 {
		g.Cut(g.in.X0, g.x0-g.in.X0-8*g.Em, r, draw.FaceSmall, word, col)
	}
}

// ends draws the length of both bars, and their difference.
func (g *painter) ends(above, below canvas.Rect) {
	col := scene.VerdictColor(g.Canvas, g.v)
	g.length(g.drawn.Now.X1, above, g.total, g.TextBright)
	if g.drawn.Ghost.Height() == 0 || g.v.Usual <= 0 {
		return
	}
	x0, x1 := g.drawn.Ghost.X1, g.drawn.Now.X1
	y := draw.Snap((below.Y0 + below.Y1) / 2)
	if x1-x0 < 24*g.Em {
		g.length(max(x0, x1), below, g.usual, g.TextDim)
		return
	}
	hair := draw.Hairline(g.Em)
	g.Rect(x1-hair, above.Y1, x1, below.Y1, col)
	g.Buffer = draw.AppendTime(append(g.Buffer[:0], '+'), g.total-g.usual-g.v.Own, 1)
	if g.v.Own >= 0.05 {
		g.Buffer = draw.AppendTime(append(g.Buffer, ", profiler "...), g.v.Own, 1)
	}
	width := g.ASCIIWidth(draw.FaceBold, g.Buffer)
	mid := (x0 + x1) / 2
	if x1-x0 < width+26*g.Em { // beside the bar
		g.Rect(x0+2*g.Em, y, x1, y+hair, col)
		g.ASCII(x1+6*g.Em, g.Baseline(below.Y0, below.Y1, draw.FaceBold), draw.FaceBold, g.Buffer, col)
		return
	}
	g.Rect(x0+2*g.Em, y, mid-width/2-5*g.Em, y+hair, col)
	g.Rect(mid+width/2+5*g.Em, y, x1, y+hair, col)
	g.Triangle(x0+2*g.Em, y, x0+8*g.Em, y-4*g.Em, x0+8*g.Em, y+4*g.Em, col)
	g.Triangle(x1, y, x1-6*g.Em, y-4*g.Em, x1-6*g.Em, y+4*g.Em, col)
	g.ASCII(mid-width/2, g.Baseline(below.Y0, below.Y1, draw.FaceBold), draw.FaceBold, g.Buffer, col)
}

// length writes a time after the end of a bar.
func (g *painter) length(x float32, r canvas.Rect, ms float64, col color.NRGBA) {
	if r.Height() == 0 {
		return
	}
	g.Buffer = draw.AppendTime(g.Buffer[:0], ms, 1)
	g.ASCII(x+7*g.Em, g.Baseline(r.Y0, r.Y1, draw.FaceBold), draw.FaceBold, g.Buffer, col)
}
