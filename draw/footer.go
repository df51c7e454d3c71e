package draw

import (
	"slices"
	"strings"
)

// FocusAction is what the key that gives the panel the keys, or the host, does, as SetKeys has it: a display without focus names
// the key.
const FocusAction = "keys to the overlay or the program"

// helpKey is the key whose hint the footer always has room for, as it lists the others.
const helpKey = "?"

// focusKey is the key that gives the panel the keys; none where it has them.
func (p *Panel) focusKey() string {
	if p.focused {
		return ""
	}
	for i := range p.keys {
		if p.keys[i].Action == FocusAction {
			return p.keys[i].Keys
		}
	}
	return ""
}

// drawFooter draws the first hints that fit, and what measuring costs. A display without the keys says first how to get them.
func drawFooter(c *canvas, d *shown, r rect, keys []KeyHint, focus string) {
	limit := r.x1
	if d.info.Frames > 0 {
		c.buffer = append(c.buffer[:0], "profiler overhead "...)
		c.buffer = append(appendFixed(c.buffer, d.info.Overhead*d.info.Length, 2), " ms"...)
		limit -= c.asciiRight(r.x1-4*c.em, c.baseline(r.y0, r.y1, FaceSmall), FaceSmall, c.buffer, c.textFaint) + 16*c.em
	}
	x := r.x0 + 8*c.em
	if focus != "" {
		x += c.chip(x, r, focus, c.tab, c.textBright) + 8*c.em
		x += c.left(x, limit-x, r, FaceSmall, "gives these keys to the display", c.accent) + 18*c.em
	}
	help := slices.IndexFunc(keys, func(k KeyHint) bool { return k.Keys == helpKey })
	for i, k := range keys {
		room := limit - x
		if i < help {
			room -= keys[help].width(c)
		}
		if need := k.width(c); need <= room {
			x += c.chip(x, r, k.Keys, c.raised, c.textNormal) + 8*c.em
			x += c.left(x, need, r, FaceSmall, k.Action, c.textDim) + 18*c.em
		} else if i >= help {
			return
		}
	}
}

// width is what a hint takes in the footer.
func (k *KeyHint) width(c *canvas) float32 {
	return c.Width(FaceSmall, k.Keys) + c.Width(FaceSmall, k.Action) + 38*c.em
}

// help is the pages of keys: what does not fit on one goes on on the next.
type help struct{ page, pages int } // page 0 is closed

// next turns the page; after the last one the help is closed.
func (h *help) next() {
	if h.page++; h.page > max(h.pages, 1) {
		h.page = 0
	}
}

// draw draws a page of keys over the screen, in as many columns as they need.
func (h *help) draw(c *canvas, screen rect, keys []KeyHint) {
	if h.page == 0 {
		return
	}
	c.Rect(screen.x0, screen.y0, screen.x1, screen.y1, fade(c.background, 0.72))
	line, room := 23*c.em, screen.width()-60*c.em
	fit := max(int((screen.height()-90*c.em)/line), 1)
	columns := (len(keys) + fit - 1) / fit
	if len(keys) > 12 {
		columns = max(columns, 2)
	}
	columns = max(1, min(columns, int(room/(250*c.em))))
	h.pages = max((len(keys)+fit*columns-1)/(fit*columns), 1)
	h.page = min(h.page, h.pages)
	keys = keys[(h.page-1)*fit*columns:]
	column := min(390*c.em, room/float32(columns))
	rows := min((len(keys)+columns-1)/columns, fit)
	width, height := float32(columns)*column+30*c.em, float32(rows)*line+66*c.em
	x, y := snap((screen.width()-width)/2), snap((screen.height()-height)/2)
	box := rect{x, y, x + snap(width), y + snap(height)}
	c.card(box)
	head := rect{x, y + 8*c.em, box.x1, y + 38*c.em}
	c.left(x+22*c.em, width, head, FaceBold, "Keys", c.textBright)
	closes := "? closes"
	if h.page < h.pages {
		closes = "? turns the page"
	}
	c.right(box.x1-20*c.em, head, FaceSmall, closes, c.textFaint)
	c.Rect(x+20*c.em, y+42*c.em, box.x1-20*c.em, y+42*c.em+ringWidth(c.em), c.outline)
	for i, k := range keys[:min(len(keys), rows*columns)] {
		left := x + 22*c.em + float32(i/rows)*column
		top := y + 52*c.em + float32(i%rows)*line
		c.hint(rect{left, top, left + column - 16*c.em, top + line}, k)
	}
}

// hint draws one line of help: each key on its own ground, then what they do.
func (c *canvas) hint(r rect, k KeyHint) {
	x := r.x0
	for rest := k.Keys; rest != ""; {
		var key string
		if key, rest, _ = strings.Cut(rest, " "); key != "" {
			x += c.chip(x, r, key, c.raised, c.textNormal) + 4*c.em
		}
	}
	x = max(x+6*c.em, r.x0+124*c.em)
	words := k.Words
	if words == "" {
		words = k.Action
	}
	c.left(x, r.x1-x, r, FaceSmall, words, c.textNormal)
}
