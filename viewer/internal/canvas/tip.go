package canvas

import (
	"bytes"
	"strings"
	"time"

	"example.com/iprof/draw"
)

// Tip is a small window that explains the place under the mouse. Every part of the screen may request a tip. It is
// drawn last, above all parts.
type Tip struct {
	Due       bool
	explained bool      // the place under the mouse has an explanation
	Moved     time.Time // time of the mouse's last move
	rested    bool
	Ended     bool // the user has acted since the mouse moved
	Acts      int  // number of the user's actions
	at        Rect // the place that it explains
	Beside    bool // it lies left of the place: above and below are others of its kind
	Title     string
	Words     string // lines
	Number    []byte // lines of numbers before the words
}

// Explain requests a tip for a place, if the mouse is there.
func (c *Canvas) Explain(at Rect, title, words string) {
	if c.Tip.Accepts(c.Hovers(at)) {
		c.Tip.Due = true
		c.Tip.at, c.Tip.Beside = at, false
		c.Tip.Title = title
		c.Tip.Words = words
		c.Tip.Number = c.Tip.Number[:0]
	}
}

// restTime is the time for which the mouse must rest before a tip appears. A tip that appears under a moving mouse is
// in the way.
const restTime = 250 * time.Millisecond

// Accepts reports whether a place may fill the tip now: the mouse rests there, and no other place has filled it. The
// argument is whether the mouse is there.
func (t *Tip) Accepts(there bool) bool {
	t.explained = t.explained || there
	return there && !t.Due && t.rested
}

// Begin discards the tip of the last Draw. now is the time of this one.
func (t *Tip) Begin(now time.Time) {
	t.Due, t.explained = false, false
	t.rested = !t.Ended && now.Sub(t.Moved) >= restTime
}

// End ends the tip until the mouse moves: the user has acted.
func (t *Tip) End() {
	t.Ended = true
	t.Acts++
}

// Waiting reports whether a tip will appear if the mouse goes on resting.
func (t *Tip) Waiting() bool { return t.explained && !t.rested && !t.Ended }

var newline = []byte("\n")

// tipLine is the height of a line of a tip in nominal pixels.
const tipLine = 16

// besideGap is the gap between a tip and the place at its right, in nominal pixels: the place may have a line to it.
const besideGap = 22

// DrawTip draws the tip below the place that it explains, or above it without room below, or left of it.
func (c *Canvas) DrawTip(screen Rect) {
	t := &c.Tip
	if !t.Due {
		return
	}
	width, lines := c.Width(draw.FaceBold, t.Title), 0
	for rest := t.Words; rest != ""; lines++ {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		width = max(width, c.Width(draw.FaceSmall, line))
	}
	for rest := t.Number; len(rest) > 0; lines++ {
		var line []byte
		line, rest, _ = bytes.Cut(rest, newline)
		width = max(width, c.BytesWidth(draw.FaceSmall, line))
	}
	width, height := width+24*c.Em, float32(14+20+tipLine*lines)*c.Em
	x, y := t.at.X0, t.at.Y1+6*c.Em
	if y+height > screen.Y1-4*c.Em {
		y = t.at.Y0 - 6*c.Em - height
	}
	if left := t.at.X0 - besideGap*c.Em - width; t.Beside && left > screen.X0 {
		x, y = left, min((t.at.Y0+t.at.Y1-height)/2, screen.Y1-4*c.Em-height)
	}
	in := c.TipGround(screen, x, y, width, height)
	c.Left(in.X0, in.Width(), Rect{in.X0, in.Y0, in.X1, in.Y0 + 18*c.Em}, draw.FaceBold, t.Title, c.TextBright)
	line := Rect{in.X0, in.Y0 + 20*c.Em, in.X1, in.Y0 + (20+tipLine)*c.Em}
	for rest := t.Number; len(rest) > 0; line.Y0, line.Y1 = line.Y1, line.Y1+tipLine*c.Em {
		var words []byte
		words, rest, _ = bytes.Cut(rest, newline)
		c.Bytes(line.X0, line.Width()+2*c.Em, line, draw.FaceSmall, words, c.TextNormal)
	}
	for rest := t.Words; rest != ""; line.Y0, line.Y1 = line.Y1, line.Y1+tipLine*c.Em {
		var words string
		words, rest, _ = strings.Cut(rest, "\n")
		c.Left(line.X0, line.Width()+2*c.Em, line, draw.FaceSmall, words, c.TextDim)
	}
}

// TipGround draws the background of a tip, no wider than the screen, moves it there, and returns the room inside.
func (c *Canvas) TipGround(screen Rect, x, y, width, height float32) Rect {
	width = min(width, screen.Width()-6*c.Em)
	x = max(min(x, screen.X1-4*c.Em-width), screen.X0+2*c.Em)
	box := Rect{draw.Snap(x), draw.Snap(max(y, screen.Y0+2*c.Em)), 0, 0}
	box.X1, box.Y1 = box.X0+draw.Snap(width), box.Y0+draw.Snap(height)
	c.Float(box)
	return box.Inset(12*c.Em, 7*c.Em)
}

// Float draws the background of a tip with its shadow.
func (c *Canvas) Float(box Rect) {
	c.Round(box.X0-c.Em, box.Y0+3*c.Em, box.X1+c.Em, box.Y1+3*c.Em, 7*c.Em, draw.Fade(c.Background, 0.5))
	c.Round(box.X0, box.Y0, box.X1, box.Y1, 7*c.Em, draw.Mix(c.Surface, c.Raised, 0.45))
	c.Border(box.X0, box.Y0, box.X1, box.Y1, 7*c.Em, draw.Mix(c.Outline, c.TextFaint, 0.35))
}

// Notice is a text in the middle of the screen in place of missing data.
type Notice struct {
	Title string
	Words []string
	Code  []string
}

// Notice draws a notice in the middle of r.
func (c *Canvas) Notice(r Rect, n Notice) {
	width := 180 * c.Em
	for _, s := range n.Words {
		width = max(width, c.Width(draw.FaceText, s))
	}
	height := float32(34+20*len(n.Words))*c.Em + c.codeHeight(n)
	x, y := draw.Snap(max((r.X0+r.X1-width)/2, r.X0+6*c.Em)), draw.Snap(max((r.Y0+r.Y1-height)/2, r.Y0))
	c.Left(x, r.X1-x, Rect{x, y, 0, y + 24*c.Em}, draw.FaceBold, n.Title, c.TextBright)
	y += 32 * c.Em
	for _, s := range n.Words {
		c.Left(x, r.X1-x, Rect{x, y, 0, y + 18*c.Em}, draw.FaceText, s, c.TextDim)
		y += 20 * c.Em
	}
	if len(n.Code) > 0 {
		c.drawCode(Rect{x, y + 8*c.Em, x + max(width, 330*c.Em), y + c.codeHeight(n)}, n.Code)
	}
}

func (c *Canvas) codeHeight(n Notice) float32 {
	if len(n.Code) == 0 {
		return 0
	}
	return float32(32+18*len(n.Code)) * c.Em
}

// drawCode draws lines of Go for the user to copy.
func (c *Canvas) drawCode(r Rect, lines []string) {
	c.Round(r.X0, r.Y0, r.X1, r.Y1, 6*c.Em, c.Surface)
	c.Border(r.X0, r.Y0, r.X1, r.Y1, 6*c.Em, c.Outline)
	y := r.Y0 + 12*c.Em
	for _, s := range lines {
		x := r.X0 + 16*c.Em
		for s != "" && s[0] == '\t' {
			x, s = x+32*c.Em, s[1:]
		}
		c.Left(x, r.X1-x, Rect{x, y, 0, y + 18*c.Em}, draw.FaceMono, s, c.TextNormal)
		y += 18 * c.Em
	}
}
