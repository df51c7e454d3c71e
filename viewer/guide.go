package viewer

import (
	"image/color"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// guide shows a newcomer around: a card with a sentence beside each part of the screen in turn. Nothing on the screen
// changes its place meanwhile.
type guide struct {
	step   int     // of guideSteps; 0: none
	at     regions // in the last Draw
	levels int     // of the call structure, as the layout had them when the guide began
}

// guideStep is a stop of the guide.
type guideStep struct {
	title, words string
	where        func(p *Panel, at regions) rect // without an area the step is left out
}

// offered is the step that asks whether to go on.
const offered = 1

var guideSteps = [...]guideStep{
	offered: {"Is this your first time here?", "A look around takes 20 seconds.", nil},
	{"The history", "Each column is a frame: the higher, the slower.\nClick one to see where its time went.",
		func(_ *Panel, at regions) rect { return at.strip }},
	{"Why it was slow", "When a frame is slow, this line names the zone that made it slow.\n" +
		"Click the line to go there.",
		func(_ *Panel, at regions) rect { return at.verdict }},
	{"The zones", "Each row is a zone, a named part of your program.\nSelf is its own time; callees are what it calls.",
		func(_ *Panel, at regions) rect { return at.table }},
	{"Who calls whom", "The same frame as bars: as wide as its time, below its caller.\n" +
		"W shows it in the order of time instead.",
		func(_ *Panel, at regions) rect { return at.icicle }},
	{"Stop and step", "Space stops at the newest frame, and goes on again.\n" +
		"The arrow keys ← and → go from frame to frame.",
		func(p *Panel, _ regions) rect {
			return p.canvas.areaOf(HitPause).inset(-5*p.canvas.em, -4*p.canvas.em)
		}},
	{"Everything else", "Tab lists all commands: type a word to find one.\nThe key ? lists all keys.",
		func(_ *Panel, at regions) rect { return at.footer }},
}

// exampleVerdict stands on the verdict's line if there is none while the guide is about it.
const exampleVerdict = "such as: Frame 1237: +105 ms. sprites 121.7 (usually 3.5), called by render."

// The Index of a HitGuide.
const (
	guideOn = iota
	guideBack
	guideEnd
)

// OfferGuide asks whether to show a newcomer around, in a small card over the screen. The command "guide" does so
// without asking. Any goroutine may call it.
func (p *Panel) OfferGuide() { p.change(func() { p.guide.step = offered }) }

// startGuide shows the first stop. It needs a panel that covers at least half of the screen.
func startGuide(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) {
		if o.Focused = true; o.Mode < PanelReportAndGraph {
			o.Mode = PanelFull
		}
	})
	p.change(func() {
		p.menu.kind, p.help.page = menuNone, 0
		p.guide.step = offered
		p.guide.move(p, 1)
	})
}

// move goes a step on or back, and leaves out the steps whose part is not on the screen. After the last it ends.
func (g *guide) move(p *Panel, by int) {
	if g.step == offered {
		g.levels = 0
	}
	for to := g.step + by; to > offered; to += by {
		if g.step = to; to >= len(guideSteps) {
			g.step = 0
			return
		}
		if to == len(guideSteps)-1 || g.at == (regions{}) || guideSteps[to].area(p, g.at) != (rect{}) {
			return
		}
	}
}

// area returns the part of the screen that a step is about, an empty one if that is not on the screen.
func (s *guideStep) area(p *Panel, at regions) rect {
	r := s.where(p, at)
	if r.width() <= 0 || r.height() <= 0 {
		return rect{}
	}
	return r
}

// pressGuide does what a click on the card does.
func (p *Panel) pressGuide(what int) {
	p.change(func() {
		switch what {
		case guideOn:
			p.guide.move(p, 1)
		case guideBack:
			p.guide.move(p, -1)
		case guideEnd:
			p.guide.step = 0
		}
	})
}

// hold returns the number of levels of the call structure for the layout. It does not grow while the guide is there.
func (g *guide) hold(levels int) int {
	if g.step <= offered {
		return levels
	}
	if g.levels == 0 {
		g.levels = levels
	}
	return g.levels
}

// drawGuide draws the guide's card, and darkens all but the part that it is about.
func (p *Panel) drawGuide(screen rect, at regions) {
	c, g := &p.canvas, &p.guide
	g.at = at
	if g.step == 0 || p.shown.info.Frames == 0 {
		return
	}
	if g.step == offered {
		width, height := c.guideSize(&guideSteps[offered])
		x, y := screen.x1-width-20*c.em, at.footer.y0-height-14*c.em
		c.guideCard(rect{draw.Snap(x), draw.Snap(y), draw.Snap(x + width), draw.Snap(y + height)}, g.step)
		return
	}
	s := &guideSteps[g.step]
	area := s.area(p, at)
	c.add(screen, hitOf(HitGuide, guideOn))
	dark := draw.Fade(c.Background, 0.66)
	c.Rect(screen.x0, screen.y0, screen.x1, area.y0, dark)
	c.Rect(screen.x0, area.y1, screen.x1, screen.y1, dark)
	c.Rect(screen.x0, area.y0, area.x0, area.y1, dark)
	c.Rect(area.x1, area.y0, screen.x1, area.y1, dark)
	if area != (rect{}) {
		c.Border(area.x0-c.em, area.y0-c.em, area.x1+c.em, area.y1+c.em, 8*c.em, c.Accent)
		c.Border(area.x0-2*c.em, area.y0-2*c.em, area.x1+2*c.em, area.y1+2*c.em, 9*c.em, c.Accent)
	}
	if area == at.verdict && !p.shown.Report.Verdict.Found() && area != (rect{}) {
		c.left(area.x0+14*c.em, area.width()-20*c.em, area, draw.FaceText, exampleVerdict, c.TextDim)
	}
	c.guideCard(c.beside(screen, area, s), g.step)
}

// beside returns the place of a step's card: below its area, above it, or in the middle of the screen.
func (c *canvas) beside(screen, area rect, s *guideStep) rect {
	width, height := c.guideSize(s)
	x := min(max((area.x0+area.x1-width)/2, screen.x0+12*c.em), screen.x1-width-12*c.em)
	y := area.y1 + 12*c.em
	if y+height > screen.y1-6*c.em {
		y = area.y0 - 12*c.em - height
	}
	if y < screen.y0+6*c.em || area == (rect{}) {
		y = (screen.y0 + screen.y1 - height) / 2
	}
	x, y = draw.Snap(x), draw.Snap(y)
	return rect{x, y, x + draw.Snap(width), y + draw.Snap(height)}
}

// guideSize returns the size of a step's card.
func (c *canvas) guideSize(s *guideStep) (width, height float32) {
	width, lines := max(c.Width(draw.FaceBold, s.title), 300*c.em), 0
	for rest := s.words; rest != ""; lines++ {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		width = max(width, c.Width(draw.FaceText, line))
	}
	return width + 36*c.em, float32(82+19*lines) * c.em
}

// guideCard draws a step's card.
func (c *canvas) guideCard(box rect, step int) {
	s := &guideSteps[step]
	c.raised(box)
	c.add(box, hitOf(HitGuide, guideOn))
	in := box.inset(18*c.em, 12*c.em)
	line := rect{in.x0, in.y0, in.x1, in.y0 + 20*c.em}
	room := in.width()
	if step > offered {
		c.buffer = append(draw.AppendFixed(c.buffer[:0], float64(step-offered), 0), " of "...)
		c.buffer = draw.AppendFixed(c.buffer, float64(len(guideSteps)-1-offered), 0)
		y := c.baseline(line.y0, line.y1, draw.FaceSmall)
		room -= c.ASCIIRight(in.x1, y, draw.FaceSmall, c.buffer, c.TextFaint) + 10*c.em
	}
	c.left(in.x0, room, line, draw.FaceBold, s.title, c.TextBright)
	line.y0, line.y1 = line.y1+2*c.em, line.y1+21*c.em
	for rest := s.words; rest != ""; line.y0, line.y1 = line.y0+19*c.em, line.y1+19*c.em {
		var words string
		words, rest, _ = strings.Cut(rest, "\n")
		c.left(in.x0, in.width()+2*c.em, line, draw.FaceText, words, c.TextNormal)
	}
	buttons := rect{in.x0, in.y1 - 22*c.em, in.x1, in.y1}
	on, end := "Next · Enter", "Skip · Esc"
	switch step {
	case offered:
		on, end = "Look around · Enter", "No · Esc"
	case len(guideSteps) - 1:
		on, end = "Done · Enter", ""
	}
	x := c.guideButton(in.x0, buttons, on, guideOn, c.Accent, onColor)
	if step > offered+1 {
		x = c.guideButton(x, buttons, "Back · ←", guideBack, c.Raised, c.TextNormal)
	}
	if end != "" {
		c.guideButton(x, buttons, end, guideEnd, c.Raised, c.TextNormal)
	}
}

// guideButton draws a button, and returns the x of the next.
func (c *canvas) guideButton(x float32, row rect, word string, what int, ground, ink color.NRGBA) float32 {
	box := rect{x, row.y0, x + c.Width(draw.FaceSmall, word) + 20*c.em, row.y1}
	if c.hovers(box) {
		ground = draw.Mix(ground, white, 0.15)
	}
	c.Round(box.x0, box.y0, box.x1, box.y1, 5*c.em, ground)
	c.left(x+10*c.em, box.width(), box, draw.FaceSmall, word, ink)
	c.add(box, hitOf(HitGuide, what))
	return box.x1 + 8*c.em
}

// areaOf returns the place of the first area of a kind.
func (c *canvas) areaOf(kind HitKind) rect {
	for i := range c.areas {
		if c.areas[i].hit.Kind == kind {
			return c.areas[i].rect
		}
	}
	return rect{}
}
