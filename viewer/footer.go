package viewer

import (
	"slices"
	"strings"

	"example.com/iprof/draw"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
)

// FocusAction is the Action of the command that gives the focus to the panel or back to the host. The footer of a panel
// without the focus names its key.
const FocusAction = "keys to overlay or program"

// helpKey is the key of the help. The footer always has room for it, because the help lists the other keys.
const helpKey = "?"

// focusKey returns the key that gives the panel the focus, "" if it has the focus.
func (p *Panel) focusKey() string {
	if p.options.Focused {
		return ""
	}
	for i := range p.keys {
		if p.keys[i].Action == FocusAction {
			return p.keys[i].Keys
		}
	}
	return ""
}

// drawFooter draws the hints that fit and the overhead. A panel without the focus first shows the key that gives it the
// focus.
func drawFooter(c *canvas.Canvas, d *scene.Scene, r canvas.Rect, keys []KeyHint, focus string) {
	limit := r.X1
	if d.Info.Frames > 0 {
		c.Explain(canvas.Box(r.X1-150*c.Em, r.Y0, r.X1, r.Y1), "profiler overhead",
			"what measuring the zones cost in the frame shown,\nin milliseconds")
		c.Buffer = append(c.Buffer[:0], "profiler overhead "...)
		c.Buffer = append(draw.AppendFixed(c.Buffer, d.Info.Overhead*d.Info.Length, 2), " ms"...)
		y := c.Baseline(r.Y0, r.Y1, draw.FaceSmall)
		limit -= c.ASCIIRight(r.X1-4*c.Em, y, draw.FaceSmall, c.Buffer, c.TextFaint) + 16*c.Em
		limit -= drawTrace(c, d, canvas.Box(r.X0, r.Y0, limit, r.Y1))
	}
	x := r.X0 + 8*c.Em
	if focus != "" {
		x += c.Chip(x, r, focus, c.Tab, c.TextBright) + 8*c.Em
		x += c.Left(x, limit-x, r, draw.FaceSmall, "gives these keys to the display", c.Accent) + 18*c.Em
	}
	help := slices.IndexFunc(keys, func(k KeyHint) bool { return k.Keys == helpKey })
	for i, k := range keys {
		room := limit - x
		if i < help {
			room -= keys[help].width(c)
		}
		if need := k.width(c); need <= room {
			c.Explain(canvas.Box(x, r.Y0, x+need-10*c.Em, r.Y1), k.Keys, k.words())
			x += c.Chip(x, r, k.Keys, c.Raised, c.TextNormal) + 8*c.Em
			x += c.Left(x, need, r, draw.FaceSmall, k.Action, c.TextDim) + 18*c.Em
		} else if i >= help {
			return
		}
	}
}

// width returns the width of a hint in the footer.
func (k *KeyHint) width(c *canvas.Canvas) float32 {
	return c.Width(draw.FaceSmall, k.Keys) + c.Width(draw.FaceSmall, k.Action) + 38*c.Em
}

// help is the list of all keys, in as many pages as the screen needs.
type help struct{ page, pages int } // page 0 is closed

// next turns the page. After the last page it closes the help.
func (h *help) next() {
	if h.page++; h.page > max(h.pages, 1) {
		h.page = 0
	}
}

// draw draws a page of keys over the screen, in as many columns as it needs, and a line about the clock.
func (h *help) draw(c *canvas.Canvas, screen canvas.Rect, keys []KeyHint, clock string) {
	if h.page == 0 {
		return
	}
	c.Rect(screen.X0, screen.Y0, screen.X1, screen.Y1, draw.Fade(c.Background, 0.72))
	line, room := 23*c.Em, screen.Width()-60*c.Em
	fit := max(int((screen.Height()-90*c.Em)/line), 1)
	columns := (len(keys) + fit - 1) / fit
	if len(keys) > 12 {
		columns = max(columns, 2)
	}
	widest := hintWidth(c, keys)
	columns = max(1, min(columns, int(room/widest)))
	h.pages = max((len(keys)+fit*columns-1)/(fit*columns), 1)
	h.page = min(h.page, h.pages)
	keys = keys[(h.page-1)*fit*columns:]
	column := min(max(widest, 390*c.Em), room/float32(columns))
	rows := min((len(keys)+columns-1)/columns, fit)
	width, height := float32(columns)*column+30*c.Em, float32(rows)*line+66*c.Em
	if clock != "" {
		height += line
	}
	x, y := draw.Snap((screen.Width()-width)/2), draw.Snap((screen.Height()-height)/2)
	box := canvas.Box(x, y, x+draw.Snap(width), y+draw.Snap(height))
	c.Card(box)
	if clock != "" {
		foot := canvas.Box(x, box.Y1-line-6*c.Em, box.X1, box.Y1-6*c.Em)
		c.Left(x+22*c.Em, width-44*c.Em, foot, draw.FaceSmall, clock, c.TextDim)
	}
	head := canvas.Box(x, y+8*c.Em, box.X1, y+38*c.Em)
	c.Left(x+22*c.Em, width, head, draw.FaceBold, "Keys", c.TextBright)
	closes := "? closes"
	if h.page < h.pages {
		closes = "? turns the page"
	}
	c.Right(box.X1-20*c.Em, head, draw.FaceSmall, closes, c.TextFaint)
	c.Rect(x+20*c.Em, y+42*c.Em, box.X1-20*c.Em, y+42*c.Em+draw.Hairline(c.Em), c.Outline)
	for i, k := range keys[:min(len(keys), rows*columns)] {
		left := x + 22*c.Em + float32(i/rows)*column
		top := y + 52*c.Em + float32(i%rows)*line
		hint(c, canvas.Box(left, top, left+column-16*c.Em, top+line), k)
	}
}

// wordsAt is where the words of a line of the help begin, if its keys end before.
const wordsAt = 124

// hintWidth returns the width of a column of the help that cuts no words.
func hintWidth(c *canvas.Canvas, keys []KeyHint) float32 {
	widest := 250 * c.Em
	for i := range keys {
		k := &keys[i]
		chips := c.Width(draw.FaceSmall, k.Keys) + float32(1+strings.Count(k.Keys, " "))*16*c.Em
		widest = max(widest, max(chips+6*c.Em, wordsAt*c.Em)+c.Width(draw.FaceSmall, k.words())+18*c.Em)
	}
	return widest
}

// words returns what the help says of a key.
func (k *KeyHint) words() string {
	if k.Words != "" {
		return k.Words
	}
	return k.Action
}

// hint draws one line of the help: each key on its own ground, then the words.
func hint(c *canvas.Canvas, r canvas.Rect, k KeyHint) {
	x := r.X0
	for rest := k.Keys; rest != ""; {
		var key string
		if key, rest, _ = strings.Cut(rest, " "); key != "" {
			x += c.Chip(x, r, key, c.Raised, c.TextNormal) + 4*c.Em
		}
	}
	x = max(x+6*c.Em, r.X0+wordsAt*c.Em)
	c.Left(x, r.X1-x, r, draw.FaceSmall, k.words(), c.TextNormal)
}

// drawTrace draws what the program's execution trace costs, at the right of r, and returns the width that it takes.
func drawTrace(c *canvas.Canvas, d *scene.Scene, r canvas.Rect) float32 {
	t := &d.Trace
	if !t.On || r.Width() < 240*c.Em {
		return 0
	}
	c.Buffer = append(c.Buffer[:0], "trace "...)
	if t.Measured {
		c.Buffer = append(draw.AppendFixed(c.Buffer, 100*t.Share(), 1), " %"...)
	} else {
		c.Buffer = append(c.Buffer, "on"...)
	}
	col := c.TextFaint
	if t.Share() > costlyTrace {
		col = c.Amber
	}
	width := c.ASCIIRight(r.X1, c.Baseline(r.Y0, r.Y1, draw.FaceSmall), draw.FaceSmall, c.Buffer, col)
	at := canvas.Box(r.X1-width, r.Y0, r.X1, r.Y1)
	c.Add(at, hit.OfCommand("trace"))
	if c.Tip.Accepts(c.Hovers(at)) {
		c.Explain(at, "execution trace",
			"what tracing why goroutines do not run takes of a\n"+
				"processor, as measured in this program.\nA click stops it")
		c.Tip.Number = appendTraceParts(c.Tip.Number, t)
	}
	return width + 16*c.Em
}

// appendTraceParts appends what the cost is made of.
func appendTraceParts(b []byte, t *report.Tracing) []byte {
	if !t.Measured {
		return append(b, "to be measured in a second"...)
	}
	b = append(draw.AppendFixed(b, t.Events, 0), " events a second, "...)
	b = append(draw.AppendFixed(b, t.PerEvent, 0), " ns each; reading them "...)
	return append(draw.AppendFixed(b, 100*t.Reading, 1), " %"...)
}

// costlyTrace is the share of a processor from which on the cost of tracing is amber.
const costlyTrace = 0.05
