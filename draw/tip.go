package draw

import "strings"

// tip is a small window that says what lies under the mouse. Whatever is drawn may ask for it; it goes over all else.
type tip struct {
	due    bool
	wanted bool // there is something to explain under the mouse
	rested int  // Draws since the mouse moved
	at     rect // what it explains
	title  string
	words  string // lines
	number []byte // a line of numbers before them
}

// explain has a tip say what a place means, if the mouse is there.
func (c *canvas) explain(at rect, title, words string) {
	if c.tip.asks(c.hovers(at)) {
		c.tip.due, c.tip.at, c.tip.title, c.tip.words, c.tip.number = true, at, title, words, c.tip.number[:0]
	}
}

// restDraws is for how many Draws the mouse must rest: what pops up under a mouse on its way is in the way.
const restDraws = 15

// asks reports whether a place is to be explained now, if the mouse is there.
func (t *tip) asks(there bool) bool {
	t.wanted = t.wanted || there
	return there && !t.due && t.rested >= restDraws
}

// begin forgets the tip of the Draw before.
func (t *tip) begin() {
	t.due, t.wanted = false, false
	t.rested = min(t.rested+1, restDraws)
}

// waiting reports whether a tip will be due if the mouse goes on resting.
func (t *tip) waiting() bool { return t.wanted && t.rested < restDraws }

// drawTip draws the tip that is due, unless something else lies over the display.
func (p *Panel) drawTip(screen rect) {
	if p.menu.kind == menuNone && p.help.page == 0 {
		p.canvas.drawTip(screen)
	}
}

// tipLine is the height of a line of a tip in nominal pixels.
const tipLine = 16

// drawTip draws the tip that is due, below what it explains, or above where there is no room.
func (c *canvas) drawTip(screen rect) {
	t := &c.tip
	if !t.due {
		return
	}
	width, lines := c.Width(FaceBold, t.title), 0
	for rest := t.words; rest != ""; lines++ {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		width = max(width, c.Width(FaceSmall, line))
	}
	if len(t.number) > 0 {
		width, lines = max(width, c.bytesWidth(FaceSmall, t.number)), lines+1
	}
	width, height := width+24*c.em, float32(14+20+tipLine*lines)*c.em
	x, y := t.at.x0, t.at.y1+6*c.em
	if y+height > screen.y1-4*c.em {
		y = t.at.y0 - 6*c.em - height
	}
	in := c.tipGround(screen, x, y, width, height)
	c.left(in.x0, in.width(), rect{in.x0, in.y0, in.x1, in.y0 + 18*c.em}, FaceBold, t.title, c.textBright)
	line := rect{in.x0, in.y0 + 20*c.em, in.x1, in.y0 + (20+tipLine)*c.em}
	if len(t.number) > 0 {
		c.text(line.x0, 1e6, line, FaceSmall, t.number, c.textNormal)
		line.y0, line.y1 = line.y1, line.y1+tipLine*c.em
	}
	for rest := t.words; rest != ""; line.y0, line.y1 = line.y1, line.y1+tipLine*c.em {
		var words string
		words, rest, _ = strings.Cut(rest, "\n")
		c.left(line.x0, line.width()+2*c.em, line, FaceSmall, words, c.textDim)
	}
}

// tipGround draws the ground of a tip, kept on the screen, and returns its inside.
func (c *canvas) tipGround(screen rect, x, y, width, height float32) rect {
	x = max(min(x, screen.x1-4*c.em-width), screen.x0+2*c.em)
	box := rect{snap(x), snap(max(y, screen.y0+2*c.em)), 0, 0}
	box.x1, box.y1 = box.x0+snap(width), box.y0+snap(height)
	c.Round(box.x0-c.em, box.y0+3*c.em, box.x1+c.em, box.y1+3*c.em, 7*c.em, fade(c.background, 0.5))
	c.Round(box.x0, box.y0, box.x1, box.y1, 7*c.em, mix(c.surface, c.raised, 0.45))
	c.Border(box.x0, box.y0, box.x1, box.y1, 7*c.em, mix(c.outline, c.textFaint, 0.35))
	return box.inset(12*c.em, 7*c.em)
}
