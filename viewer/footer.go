package viewer

import (
	"slices"
	"strings"

	"example.com/iprof/draw"
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
func drawFooter(c *canvas, d *shown, r rect, keys []KeyHint, focus string) {
	limit := r.x1
	if d.info.Frames > 0 {
		c.explain(rect{r.x1 - 150*c.em, r.y0, r.x1, r.y1}, "profiler overhead",
			"what measuring the zones cost in the frame shown,\nin milliseconds")
		c.buffer = append(c.buffer[:0], "profiler overhead "...)
		c.buffer = append(draw.AppendFixed(c.buffer, d.info.Overhead*d.info.Length, 2), " ms"...)
		y := c.baseline(r.y0, r.y1, draw.FaceSmall)
		limit -= c.ASCIIRight(r.x1-4*c.em, y, draw.FaceSmall, c.buffer, c.TextFaint) + 16*c.em
		limit -= drawTrace(c, d, rect{r.x0, r.y0, limit, r.y1})
	}
	x := r.x0 + 8*c.em
	if focus != "" {
		x += c.chip(x, r, focus, c.Tab, c.TextBright) + 8*c.em
		x += c.left(x, limit-x, r, draw.FaceSmall, "gives these keys to the display", c.Accent) + 18*c.em
	}
	help := slices.IndexFunc(keys, func(k KeyHint) bool { return k.Keys == helpKey })
	for i, k := range keys {
		room := limit - x
		if i < help {
			room -= keys[help].width(c)
		}
		if need := k.width(c); need <= room {
			c.explain(rect{x, r.y0, x + need - 10*c.em, r.y1}, k.Keys, k.words())
			x += c.chip(x, r, k.Keys, c.Raised, c.TextNormal) + 8*c.em
			x += c.left(x, need, r, draw.FaceSmall, k.Action, c.TextDim) + 18*c.em
		} else if i >= help {
			return
		}
	}
}

// width returns the width of a hint in the footer.
func (k *KeyHint) width(c *canvas) float32 {
	return c.Width(draw.FaceSmall, k.Keys) + c.Width(draw.FaceSmall, k.Action) + 38*c.em
}

// help is the list of all keys, in as many pages as the screen needs.
type help struct{ page, pages int } // page 0 is closed

// next turns the page. After the last page it closes the help.
func (h *help) next() {
	if h.page++; h.page > max(h.pages, 1) {
		h.page = 0
	}
}

// draw draws a page of keys over the screen, in as many columns as it needs.
func (h *help) draw(c *canvas, screen rect, keys []KeyHint) {
	if h.page == 0 {
		return
	}
	c.Rect(screen.x0, screen.y0, screen.x1, screen.y1, draw.Fade(c.Background, 0.72))
	line, room := 23*c.em, screen.width()-60*c.em
	fit := max(int((screen.height()-90*c.em)/line), 1)
	columns := (len(keys) + fit - 1) / fit
	if len(keys) > 12 {
		columns = max(columns, 2)
	}
	widest := c.hintWidth(keys)
	columns = max(1, min(columns, int(room/widest)))
	h.pages = max((len(keys)+fit*columns-1)/(fit*columns), 1)
	h.page = min(h.page, h.pages)
	keys = keys[(h.page-1)*fit*columns:]
	column := min(max(widest, 390*c.em), room/float32(columns))
	rows := min((len(keys)+columns-1)/columns, fit)
	width, height := float32(columns)*column+30*c.em, float32(rows)*line+66*c.em
	x, y := draw.Snap((screen.width()-width)/2), draw.Snap((screen.height()-height)/2)
	box := rect{x, y, x + draw.Snap(width), y + draw.Snap(height)}
	c.card(box)
	head := rect{x, y + 8*c.em, box.x1, y + 38*c.em}
	c.left(x+22*c.em, width, head, draw.FaceBold, "Keys", c.TextBright)
	closes := "? closes"
	if h.page < h.pages {
		closes = "? turns the page"
	}
	c.right(box.x1-20*c.em, head, draw.FaceSmall, closes, c.TextFaint)
	c.Rect(x+20*c.em, y+42*c.em, box.x1-20*c.em, y+42*c.em+draw.Hairline(c.em), c.Outline)
	for i, k := range keys[:min(len(keys), rows*columns)] {
		left := x + 22*c.em + float32(i/rows)*column
		top := y + 52*c.em + float32(i%rows)*line
		c.hint(rect{left, top, left + column - 16*c.em, top + line}, k)
	}
}

// wordsAt is where the words of a line of the help begin, if its keys end before.
const wordsAt = 124

// hintWidth returns the width of a column of the help that cuts no words.
func (c *canvas) hintWidth(keys []KeyHint) float32 {
	widest := 250 * c.em
	for i := range keys {
		k := &keys[i]
		chips := c.Width(draw.FaceSmall, k.Keys) + float32(1+strings.Count(k.Keys, " "))*16*c.em
		widest = max(widest, max(chips+6*c.em, wordsAt*c.em)+c.Width(draw.FaceSmall, k.words())+18*c.em)
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
func (c *canvas) hint(r rect, k KeyHint) {
	x := r.x0
	for rest := k.Keys; rest != ""; {
		var key string
		if key, rest, _ = strings.Cut(rest, " "); key != "" {
			x += c.chip(x, r, key, c.Raised, c.TextNormal) + 4*c.em
		}
	}
	x = max(x+6*c.em, r.x0+wordsAt*c.em)
	c.left(x, r.x1-x, r, draw.FaceSmall, k.words(), c.TextNormal)
}
