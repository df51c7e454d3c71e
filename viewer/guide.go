package viewer

import (
	"image/color"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/process"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
)

// guidePart shows a newcomer around: a card with a sentence beside each part of the screen in turn. Parts keep their
// places meanwhile.
type guidePart struct {
	*shared
	levels int // of the call structure in the layout at the guide's beginning
}

// guideStep is a stop of the guide.
type guideStep struct {
	title, words string
	where        func(c *canvas.Canvas, at regions) canvas.Rect // an empty area skips the step
}

// offered is the step that asks whether to go on.
const offered = 1

var guideSteps = [...]guideStep{
	offered: {"Is this your first time here?", "A look around takes 20 seconds.", nil},
	{"The history", "Each column is a frame: the higher, the slower.\nClick one to see where its time went.",
		func(_ *canvas.Canvas, at regions) canvas.Rect { return at.strip }},
	{"Why it was slow", "When a frame is slow, this line names the zone that made it slow.\n" +
		"Click the line to go there.",
		func(_ *canvas.Canvas, at regions) canvas.Rect { return at.verdict }},
	{"The zones", "Each row is a zone, a named part of your program.\nSelf is its own time; callees are what it calls.",
		func(_ *canvas.Canvas, at regions) canvas.Rect { return at.table }},
	{"Who calls whom", "The same frame as bars: as wide as its time, below its caller.\n" +
		"W shows it in the order of time instead.",
		func(_ *canvas.Canvas, at regions) canvas.Rect { return at.icicle }},
	{"Stop and step", "Space stops at the newest frame, and goes on again.\n" +
		"The arrow keys ← and → go from frame to frame.",
		func(c *canvas.Canvas, _ regions) canvas.Rect {
			return c.AreaOf(hit.Pause).Inset(-5*c.Em, -4*c.Em)
		}},
	{"Everything else", "Tab lists all commands: type a word to find one.\n" +
		"The key ? says what the signs mean, and lists all keys.",
		func(_ *canvas.Canvas, at regions) canvas.Rect { return at.footer }},
}

// exampleVerdict fills an empty verdict line during the guide's step about verdicts.
const exampleVerdict = "such as: Frame 1237: +105 ms. sprites 121.7 (usually 3.5), called by render."

// The Index of a hit.Guide.
const (
	guideOn = iota
	guideBack
	guideEnd
)

// OfferGuide asks whether to show a newcomer around, in a small card over the screen. The command "guide" does so
// without asking. Any goroutine may call it.
func (p *Panel) OfferGuide() { p.change(func() { p.overlay.step = offered }) }

// startGuide shows the first step. It needs a panel that covers at least half of the screen.
func startGuide(_ *process.Session, p *Panel) {
	p.Change(func(o *Options) {
		o.Focused = true
		if o.Mode < PanelReportAndGraph {
			o.Mode = PanelFull
		}
	})
	p.change(func() {
		p.overlay.menu, p.overlay.page = menuNone, 0
		p.overlay.step = offered
		p.guide.move(1)
	})
}

// move goes a step forward or back, and skips steps about parts that are not on the screen. After the last step the
// guide ends.
func (g *guidePart) move(by int) {
	if g.overlay.step == offered {
		g.levels = 0
	}
	for to := g.overlay.step + by; to > offered; to += by {
		g.overlay.step = to
		if to >= len(guideSteps) {
			g.overlay.step = 0
			return
		}
		if to == len(guideSteps)-1 || g.at == (regions{}) || guideSteps[to].area(&g.canvas, g.at) != (canvas.Rect{}) {
			return
		}
	}
}

// area returns the area of a step's part, an empty one if the part is not on the screen.
func (s *guideStep) area(c *canvas.Canvas, at regions) canvas.Rect {
	r := s.where(c, at)
	if r.Width() <= 0 || r.Height() <= 0 {
		return canvas.Rect{}
	}
	return r
}

// press carries out a click on the card.
func (g *guidePart) press(what int) {
	g.change(func() {
		switch what {
		case guideOn:
			g.move(1)
		case guideBack:
			g.move(-1)
		case guideEnd:
			g.overlay.step = 0
		}
	})
}

// steady returns the number of levels of the call structure for the layout. It does not grow during the guide.
func (g *guidePart) steady(levels int) int {
	if g.overlay.step <= offered {
		return levels
	}
	if g.levels == 0 {
		g.levels = levels
	}
	return g.levels
}

// Draw draws the guide's card, and darkens the rest of the screen around the step's part.
func (g *guidePart) Draw(screen canvas.Rect, at regions) {
	c := &g.canvas
	g.at = at
	if g.overlay.step == 0 || g.scene.Info.Frames == 0 {
		return
	}
	if g.overlay.step == offered {
		width, height := guideSize(c, &guideSteps[offered])
		x, y := screen.X1-width-20*c.Em, at.footer.Y0-height-14*c.Em
		guideCard(c, canvas.Box(draw.Snap(x), draw.Snap(y), draw.Snap(x+width), draw.Snap(y+height)), g.overlay.step)
		return
	}
	s := &guideSteps[g.overlay.step]
	area := s.area(c, at)
	c.Add(screen, hit.Of(hit.Guide, guideOn))
	dark := draw.Fade(c.Background, 0.66)
	c.Rect(screen.X0, screen.Y0, screen.X1, area.Y0, dark)
	c.Rect(screen.X0, area.Y1, screen.X1, screen.Y1, dark)
	c.Rect(screen.X0, area.Y0, area.X0, area.Y1, dark)
	c.Rect(area.X1, area.Y0, screen.X1, area.Y1, dark)
	if area != (canvas.Rect{}) {
		c.Border(area.X0-c.Em, area.Y0-c.Em, area.X1+c.Em, area.Y1+c.Em, 8*c.Em, c.Accent)
		c.Border(area.X0-2*c.Em, area.Y0-2*c.Em, area.X1+2*c.Em, area.Y1+2*c.Em, 9*c.Em, c.Accent)
	}
	if area == at.verdict && !g.scene.Report.Verdict.Found() && area != (canvas.Rect{}) {
		c.Left(area.X0+14*c.Em, area.Width()-20*c.Em, area, draw.FaceText, exampleVerdict, c.TextDim)
	}
	guideCard(c, cardPlace(c, screen, area, s), g.overlay.step)
}

// cardPlace returns the place of a step's card: below its area, above it, or in the middle of the screen.
func cardPlace(c *canvas.Canvas, screen, area canvas.Rect, s *guideStep) canvas.Rect {
	width, height := guideSize(c, s)
	x := min(max((area.X0+area.X1-width)/2, screen.X0+12*c.Em), screen.X1-width-12*c.Em)
	y := area.Y1 + 12*c.Em
	if y+height > screen.Y1-6*c.Em {
		y = area.Y0 - 12*c.Em - height
	}
	if y < screen.Y0+6*c.Em || area == (canvas.Rect{}) {
		y = (screen.Y0 + screen.Y1 - height) / 2
	}
	x, y = draw.Snap(x), draw.Snap(y)
	return canvas.Box(x, y, x+draw.Snap(width), y+draw.Snap(height))
}

// guideSize returns the size of a step's card.
func guideSize(c *canvas.Canvas, s *guideStep) (width, height float32) {
	width, lines := max(c.Width(draw.FaceBold, s.title), 300*c.Em), 0
	for rest := s.words; rest != ""; lines++ {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		width = max(width, c.Width(draw.FaceText, line))
	}
	return width + 36*c.Em, float32(82+19*lines) * c.Em
}

// guideCard draws a step's card.
func guideCard(c *canvas.Canvas, box canvas.Rect, step int) {
	s := &guideSteps[step]
	c.Float(box)
	c.Add(box, hit.Of(hit.Guide, guideOn))
	in := box.Inset(18*c.Em, 12*c.Em)
	line := canvas.Box(in.X0, in.Y0, in.X1, in.Y0+20*c.Em)
	room := in.Width()
	if step > offered {
		c.Buffer = append(draw.AppendFixed(c.Buffer[:0], float64(step-offered), 0), " of "...)
		c.Buffer = draw.AppendFixed(c.Buffer, float64(len(guideSteps)-1-offered), 0)
		y := c.Baseline(line.Y0, line.Y1, draw.FaceSmall)
		room -= c.ASCIIRight(in.X1, y, draw.FaceSmall, c.Buffer, c.TextFaint) + 10*c.Em
	}
	c.Left(in.X0, room, line, draw.FaceBold, s.title, c.TextBright)
	line.Y0, line.Y1 = line.Y1+2*c.Em, line.Y1+21*c.Em
	for rest := s.words; rest != ""; line.Y0, line.Y1 = line.Y0+19*c.Em, line.Y1+19*c.Em {
		var words string
		words, rest, _ = strings.Cut(rest, "\n")
		c.Left(in.X0, in.Width()+2*c.Em, line, draw.FaceText, words, c.TextNormal)
	}
	buttons := canvas.Box(in.X0, in.Y1-22*c.Em, in.X1, in.Y1)
	on, end := "Next · Enter", "Skip · Esc"
	switch step {
	case offered:
		on, end = "Look around · Enter", "No · Esc"
	case len(guideSteps) - 1:
		on, end = "Done · Enter", ""
	}
	x := guideButton(c, in.X0, buttons, on, guideOn, c.Accent, canvas.OnColor)
	if step > offered+1 {
		x = guideButton(c, x, buttons, "Back · ←", guideBack, c.Raised, c.TextNormal)
	}
	if end != "" {
		guideButton(c, x, buttons, end, guideEnd, c.Raised, c.TextNormal)
	}
}

// guideButton draws a button, and returns the x of the next.
func guideButton(c *canvas.Canvas, x float32, row canvas.Rect, word string, what int, ground, ink color.NRGBA) float32 {
	box := canvas.Box(x, row.Y0, x+c.Width(draw.FaceSmall, word)+20*c.Em, row.Y1)
	if c.Hovers(box) {
		ground = draw.Mix(ground, c.Strong, 0.15)
	}
	c.Round(box.X0, box.Y0, box.X1, box.Y1, 5*c.Em, ground)
	c.Left(x+10*c.Em, box.Width(), box, draw.FaceSmall, word, ink)
	c.Add(box, hit.Of(hit.Guide, what))
	return box.X1 + 8*c.Em
}
