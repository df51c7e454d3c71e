package html

import (
	"image/color"
	"unicode/utf8"

	"example.com/iprof/draw"
	"example.com/iprof/internal/printed"
)

// picture is a drawing of the page: shapes in a [draw.List], and texts. The browser draws the texts in a typeface of
// its own, in the width that they have in ours.
type picture struct {
	draw.List
	*draw.Palette
	words []word
	items []item

	width, height float32
}

// word is a text of a picture.
type word struct {
	after    int // vertices before it
	x, y     float32
	width    float32 // 0: the typeface lacks a character, so the browser's width holds
	text     string
	ink      color.NRGBA
	backward bool // the text ends at x
}

// item is a part of a picture with a link and a text under the pointer; both may be empty.
type item struct {
	from  int // vertices before it
	href  markup
	title markup
}

// newPicture returns an empty picture. Its colours are those of the dark theme, which the page replaces: see inks.
func newPicture(width, height float32) *picture {
	p := &picture{Palette: draw.PaletteOf(draw.ThemeDark), width: width, height: height}
	p.Begin(1)
	return p
}

// item begins a part that has a link, or none, and a text under the pointer.
func (p *picture) item(href, title markup) { p.items = append(p.items, item{len(p.V), href, title}) }

// plain ends the part.
func (p *picture) plain() { p.item("", "") }

// area adds a rectangle that is seen only under the pointer. It catches the pointer for its item.
func (p *picture) area(x0, y0, x1, y1 float32) { p.Fill(x0, y0, x1, y1, color.NRGBA{}) }

// face is the typeface in which texts of pictures are measured. style.css has its size.
const face = draw.FaceSmall

// left writes a text from x on a baseline, cut at its end to the room.
func (p *picture) left(x, y, room float32, text string, c color.NRGBA) {
	text, width, known := p.fit(drawn(text), room)
	p.write(word{x: x, y: y, width: width, text: text, ink: c}, known)
}

// name is left, but the text loses its middle.
func (p *picture) name(x, y, room float32, text string, c color.NRGBA) {
	text = middle(text, room, p.Width(face, "…"), func(char string) float32 {
		r, _ := utf8.DecodeRuneInString(char)
		width, _ := p.advance(r)
		return width
	})
	text, width, known := p.fit(text, room+1)
	p.write(word{x: x, y: y, width: width, text: text, ink: c}, known)
}

// middle makes a text safe, and cuts out its middle if it has no room.
func middle(text string, room, mark float32, width func(char string) float32) string {
	begin, end := printed.Middle(visible(text), room, mark, width)
	if end != "" {
		begin += "…"
	}
	return begin + end
}

// right writes a text that ends at x.
func (p *picture) right(x, y float32, text string, c color.NRGBA) {
	text, width, known := p.fit(drawn(text), p.width)
	p.write(word{x: x, y: y, width: width, text: text, ink: c, backward: true}, known)
}

func (p *picture) write(w word, known bool) {
	if w.text == "" {
		return
	}
	if w.after = len(p.V); !known {
		w.width = 0
	}
	p.words = append(p.words, w)
}

// mostDrawn is the greatest number of bytes of a text that are measured.
const mostDrawn = 300

// drawn makes a text safe, and shortens it to what can have room in a picture.
func drawn(text string) string {
	if len(text) > mostDrawn {
		return visible(head(text, mostDrawn)) + "…"
	}
	return visible(text)
}

// fit cuts a safe text at its end to a room. known reports whether the typeface has its characters; else the width is
// an estimate.
func (p *picture) fit(text string, room float32) (fitting string, width float32, known bool) {
	known = true
	mark := p.Width(face, "…")
	var keep int
	var kept float32
	for at, r := range text {
		w, has := p.advance(r)
		known = known && has
		if width += w; width > room {
			if keep == 0 {
				return "", 0, known
			}
			return text[:keep] + "…", kept + mark, known
		}
		if width+mark <= room {
			keep, kept = at+utf8.RuneLen(r), width
		}
	}
	return text, width, known
}

// head returns the first n bytes of a text, in whole characters if it is UTF-8.
func head(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// advance returns the width of a character, and whether the typeface has it. The typeface has the letters of Latin,
// Greek and Cyrillic; the width of others is that of a wide letter.
func (p *picture) advance(r rune) (width float32, known bool) {
	switch {
	case r < 0x530 || r >= 0x2010 && r < 0x2600:
		return p.Width(face, string(r)), true
	case r < 0x1100:
		return p.Width(face, "n"), false
	}
	return p.Width(face, "m") * 1.3, false
}
