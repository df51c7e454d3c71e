package html

import (
	"image/color"
	"unicode/utf8"

	"example.com/iprof/draw"
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
	text, width, known := p.fit(text, room, false)
	p.write(word{x: x, y: y, width: width, text: text, ink: c}, known)
}

// tail is left, but the text is cut at its beginning, because names of one family differ at their ends.
func (p *picture) tail(x, y, room float32, text string, c color.NRGBA) {
	text, width, known := p.fit(text, room, true)
	p.write(word{x: x, y: y, width: width, text: text, ink: c}, known)
}

// right writes a text that ends at x.
func (p *picture) right(x, y float32, text string, c color.NRGBA) {
	text, width, known := p.fit(text, p.width, false)
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

// fit makes a text safe, and cuts it to a width. known reports whether the typeface has its characters; else the width
// is an estimate.
func (p *picture) fit(text string, room float32, tail bool) (fitting string, width float32, known bool) {
	cut := len(text) > mostDrawn
	if text = head(text, mostDrawn, tail); cut {
		room -= p.Width(face, "…")
	}
	text, known = visible(text), true
	var widths [4 * mostDrawn]float32
	all := widths[:0]
	for _, r := range text {
		w, has := p.advance(r)
		all, width, known = append(all, w), width+w, known && has
	}
	if width > room && !cut {
		cut, room = true, room-p.Width(face, "…")
	}
	for len(all) > 0 && width > room {
		if tail {
			_, size := utf8.DecodeRuneInString(text)
			width, all, text = width-all[0], all[1:], text[size:]
			continue
		}
		_, size := utf8.DecodeLastRuneInString(text)
		width, all, text = width-all[len(all)-1], all[:len(all)-1], text[:len(text)-size]
	}
	switch {
	case text == "" || !cut:
	case tail:
		text, width = "…"+text, width+p.Width(face, "…")
	default:
		text, width = text+"…", width+p.Width(face, "…")
	}
	return text, width, known
}

// head returns the first, or the last, n bytes of a text, in whole characters if it is UTF-8.
func head(text string, n int, last bool) string {
	if len(text) <= n {
		return text
	}
	if !last {
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		return text[:n]
	}
	for text = text[len(text)-n:]; text != "" && !utf8.RuneStart(text[0]); {
		text = text[1:]
	}
	return text
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
