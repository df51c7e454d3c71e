package viewer

import (
	"bytes"
	"strings"

	"example.com/iprof/draw"
)

// tip is a small window that explains the place under the mouse. Every part of the screen may request one. It is drawn
// last, above all parts.
type tip struct {
	due    bool
	wanted bool // the place under the mouse has an explanation
	rested int  // Draws since the mouse moved
	at     rect // the place that it explains
	title  string
	words  string // lines
	number []byte // lines of numbers before the words
}

// explain requests a tip for a place, if the mouse is there.
func (c *canvas) explain(at rect, title, words string) {
	if c.tip.accepts(c.hovers(at)) {
		c.tip.due, c.tip.at, c.tip.title, c.tip.words, c.tip.number = true, at, title, words, c.tip.number[:0]
	}
}

// restDraws is the number of Draws that the mouse must rest before a tip appears. A tip that appears under a moving
// mouse is in the way.
const restDraws = 15

// accepts reports whether a place may fill the tip now: the mouse rests there, and no other place has filled it. The
// argument is whether the mouse is there.
func (t *tip) accepts(there bool) bool {
	t.wanted = t.wanted || there
	return there && !t.due && t.rested >= restDraws
}

// begin discards the tip of the last Draw, and counts the Draws in which the mouse rests.
func (t *tip) begin() {
	t.due, t.wanted = false, false
	t.rested = min(t.rested+1, restDraws)
}

// waiting reports whether a tip will appear if the mouse goes on resting.
func (t *tip) waiting() bool { return t.wanted && t.rested < restDraws }

// drawTip draws the tip that is due, or one for the kind of the place, unless a menu or the help is open.
func (p *Panel) drawTip(screen rect) {
	if p.menu.kind == menuNone && p.help.page == 0 && p.guide.step <= offered {
		p.explainHit()
		p.explainParts()
		p.canvas.drawTip(screen)
	}
}

var newline = []byte("\n")

// tipLine is the height of a line of a tip in nominal pixels.
const tipLine = 16

// drawTip draws the tip below the place that it explains, or above it where there is no room below.
func (c *canvas) drawTip(screen rect) {
	t := &c.tip
	if !t.due {
		return
	}
	width, lines := c.Width(draw.FaceBold, t.title), 0
	for rest := t.words; rest != ""; lines++ {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		width = max(width, c.Width(draw.FaceSmall, line))
	}
	for rest := t.number; len(rest) > 0; lines++ {
		var line []byte
		line, rest, _ = bytes.Cut(rest, newline)
		width = max(width, c.BytesWidth(draw.FaceSmall, line))
	}
	width, height := width+24*c.em, float32(14+20+tipLine*lines)*c.em
	x, y := t.at.x0, t.at.y1+6*c.em
	if y+height > screen.y1-4*c.em {
		y = t.at.y0 - 6*c.em - height
	}
	in := c.tipGround(screen, x, y, width, height)
	c.left(in.x0, in.width(), rect{in.x0, in.y0, in.x1, in.y0 + 18*c.em}, draw.FaceBold, t.title, c.TextBright)
	line := rect{in.x0, in.y0 + 20*c.em, in.x1, in.y0 + (20+tipLine)*c.em}
	for rest := t.number; len(rest) > 0; line.y0, line.y1 = line.y1, line.y1+tipLine*c.em {
		var words []byte
		words, rest, _ = bytes.Cut(rest, newline)
		c.text(line.x0, 1e6, line, draw.FaceSmall, words, c.TextNormal)
	}
	for rest := t.words; rest != ""; line.y0, line.y1 = line.y1, line.y1+tipLine*c.em {
		var words string
		words, rest, _ = strings.Cut(rest, "\n")
		c.left(line.x0, line.width()+2*c.em, line, draw.FaceSmall, words, c.TextDim)
	}
}

// tipGround draws the ground of a tip, moves it onto the screen, and returns the room inside.
func (c *canvas) tipGround(screen rect, x, y, width, height float32) rect {
	x = max(min(x, screen.x1-4*c.em-width), screen.x0+2*c.em)
	box := rect{draw.Snap(x), draw.Snap(max(y, screen.y0+2*c.em)), 0, 0}
	box.x1, box.y1 = box.x0+draw.Snap(width), box.y0+draw.Snap(height)
	c.raised(box)
	return box.inset(12*c.em, 7*c.em)
}

// raised draws the ground of a tip with its shadow.
func (c *canvas) raised(box rect) {
	c.Round(box.x0-c.em, box.y0+3*c.em, box.x1+c.em, box.y1+3*c.em, 7*c.em, draw.Fade(c.Background, 0.5))
	c.Round(box.x0, box.y0, box.x1, box.y1, 7*c.em, draw.Mix(c.Surface, c.Raised, 0.45))
	c.Border(box.x0, box.y0, box.x1, box.y1, 7*c.em, draw.Mix(c.Outline, c.TextFaint, 0.35))
}
