package draw

import (
	"image/color"
	"math"
	"unicode"
	"unicode/utf8"

	"example.com/iprof/internal/printed"
)

// Text draws s from x on a baseline, in pixels. The baseline is rounded to a whole pixel. Text returns the width.
// Characters that the face lacks come from its typeface, or else from the function of SetScripts. Characters that
// neither has, that are not printable or not UTF-8 are drawn as escapes: \x1b, \u4e2d, \U0001f600. So a hostile name
// cannot leave its line or hide a part of itself.
func (l *List) Text(x, baseline float32, face Face, s string, c color.NRGBA) (advance float32) {
	return l.TextCut(x, baseline, math.MaxFloat32, face, s, c)
}

// TextCut is Text limited to a width in pixels. Text that does not fit is cut and ends in an ellipsis. The cost
// depends on the text drawn, not on the length of s.
func (l *List) TextCut(x, baseline, width float32, face Face, s string, c color.NRGBA) (advance float32) {
	p := pen{list: l, face: face, f: &l.atlas().faces[face], x: x, from: x, y: Snap(baseline), ink: packColor(c),
		limit: x + width}
	p.room = p.limit - p.f.advance[p.f.ellipsis]
	p.keep, p.keepX = len(l.V), x
	if !p.text(s) {
		p.cut()
	}
	return p.x - x
}

// TextBytes is TextCut for text in a buffer. It allocates a string only for characters that the display itself does not
// write. Bytes that are not UTF-8, and characters that the typeface lacks, become question marks.
func (l *List) TextBytes(x, baseline, width float32, face Face, b []byte, c color.NRGBA) (advance float32) {
	p := pen{list: l, face: face, f: &l.atlas().faces[face], x: x, from: x, y: Snap(baseline), ink: packColor(c),
		limit: x + width}
	p.room = p.limit - p.f.advance[p.f.ellipsis]
	p.keep, p.keepX = len(l.V), x
	if !p.bytes(b) {
		p.cut()
	}
	return p.x - x
}

// bytes draws a text in a buffer. It returns false if the text does not fit.
func (p *pen) bytes(b []byte) bool {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if i := p.f.index(r); i != missing {
			if !p.glyph(i) {
				return false
			}
		} else if !p.orQuestion(r, b[:size]) {
			return false
		}
		b = b[size:]
	}
	return true
}

// orQuestion draws a character that the face lacks from its typeface, or else a question mark.
func (p *pen) orQuestion(r rune, raw []byte) bool {
	if !broken(r, len(raw)) {
		if q := p.character(r, string(raw)); q != nil {
			return p.piece(q, p.x-q.phase)
		}
	}
	return p.glyph(p.f.direct['?'])
}

// BytesWidth returns the width of b in pixels, as TextBytes draws it.
func (l *List) BytesWidth(face Face, b []byte) (width float32) {
	p := pen{list: l, face: face, f: &l.atlas().faces[face], limit: math.MaxFloat32, room: -1, blind: true}
	p.bytes(b)
	return p.x
}

// TextRight draws s so that it ends at x. It returns the width.
func (l *List) TextRight(x, baseline float32, face Face, s string, c color.NRGBA) (advance float32) {
	width := l.Width(face, s)
	return l.Text(x-width, baseline, face, s, c)
}

// Width returns the width of s in pixels, as Text draws it.
func (l *List) Width(face Face, s string) float32 {
	if width, all := l.direct(face, s); all {
		return width
	}
	p := pen{list: l, face: face, f: &l.atlas().faces[face], limit: math.MaxFloat32, room: -1, blind: true}
	p.text(s)
	return p.x
}

// direct is Width for a text of characters that each face finds without a search. It reports whether they are all so.
func (l *List) direct(face Face, s string) (width float32, all bool) {
	f := &l.atlas().faces[face]
	for at := range len(s) {
		if s[at] >= utf8.RuneSelf {
			return 0, false
		}
		i := f.direct[s[at]]
		if i == missing {
			return 0, false
		}
		width += f.advance[i]
	}
	return width, true
}

// broken reports whether decoding found a byte that is not UTF-8.
func broken(r rune, size int) bool { return r == utf8.RuneError && size == 1 }

// pen draws characters one after the other.
type pen struct {
	list        *List
	face        Face
	f           *faceGlyphs
	x, y        float32
	from        float32
	limit, room float32 // right end of text, and of text followed by an ellipsis
	keep        int     // vertices that stay when the text is cut
	keepX       float32
	ink         uint32 // see together
	blind       bool   // only measures
}

// text draws a text. It returns false if the text does not fit.
func (p *pen) text(s string) bool {
	for s != "" {
		var first string
		if first, s = chunk(s); !p.chunk(first) {
			return false
		}
	}
	return true
}

// chunk draws a text. It lays the text out if the typeface lacks a character. It returns false if the text does not
// fit.
func (p *pen) chunk(s string) bool {
	begin, x := len(p.list.V), p.x
	for at := 0; at < len(s); {
		r, size := rune(s[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[at:])
		} else if i := p.f.direct[r]; i != missing {
			if !p.glyph(i) {
				return false
			}
			at++
			continue
		}
		fits, known := p.rune(r, s[at:at+size])
		if !known {
			if all := p.layOut(s); all != nil {
				p.list.V, p.x = p.list.V[:begin], x
				p.keep, p.keepX = min(p.keep, begin), min(p.keepX, x)
				return p.pieces(all)
			}
			fits = p.escape(r, s[at:at+size])
		}
		if !fits {
			return false
		}
		at += size
	}
	return true
}

// layOut lays a text out if a Scripts function is set.
func (p *pen) layOut(s string) (all []*piece) {
	all, p.list.Atlas = p.list.Atlas.layOut(p.face, s)
	return all
}

// rune draws one character, or its escape if it is not printable. fits is false if there is no room, and known is false
// if the typeface lacks the character.
func (p *pen) rune(r rune, raw string) (fits, known bool) {
	if i := p.f.index(r); i != missing && !broken(r, len(raw)) {
		return p.glyph(i), true
	}
	if broken(r, len(raw)) || !unicode.IsPrint(r) {
		return p.escape(r, raw), true
	}
	if q := p.character(r, raw); q != nil {
		return p.piece(q, p.x-q.phase), true
	}
	return false, false
}

// escape draws the escape of a character. It returns false if the escape does not fit.
func (p *pen) escape(r rune, raw string) bool {
	var b [10]byte
	for _, e := range printed.AppendEscape(b[:0], r, raw) {
		if !p.glyph(p.f.direct[e]) {
			return false
		}
	}
	return true
}

// character returns a character of the typeface at the phase of the pen's position.
func (p *pen) character(r rune, raw string) (q *piece) {
	_, phase := p.at()
	q, p.list.Atlas = p.list.Atlas.character(p.face, raw, r, phase)
	return q
}

// pieces draws a text that was laid out. It returns false if that does not fit.
func (p *pen) pieces(all []*piece) bool {
	for _, q := range all {
		if !q.plain {
			if !p.piece(q, p.x) {
				return false
			}
			continue
		}
		for i, r := range q.text {
			raw := q.text[i:]
			_, size := utf8.DecodeRuneInString(raw)
			fits, known := p.rune(r, raw[:size])
			if !known {
				fits = p.escape(r, raw[:size])
			}
			if !fits {
				return false
			}
		}
	}
	return true
}

// piece draws a piece with its origin near x, at a whole pixel, and advances. It returns false if the piece does not
// fit.
func (p *pen) piece(q *piece, x float32) bool {
	next := p.x + q.advance
	if next > p.limit {
		return false
	}
	p.show(&q.glyph, int(Snap(x)))
	p.to(next)
	return true
}

// glyph draws one character of the face and advances. It returns false if the character does not fit.
func (p *pen) glyph(i int16) bool {
	next := p.x + p.f.advance[i]
	if next > p.limit {
		return false
	}
	p.put(i)
	p.to(next)
	return true
}

// to moves the pen, and stores the last place where an ellipsis fits.
func (p *pen) to(x float32) {
	p.x = x
	if x <= p.room {
		p.keep, p.keepX = len(p.list.V), x
	}
}

// at returns the pixel of the pen's position and the nearest phase in it.
func (p *pen) at() (pixel, phase int) {
	at := int(math.Floor(float64(p.x*p.f.steps) + 0.5))
	return at >> p.f.shift, at & (p.f.phases - 1)
}

// put draws a character at the pen's position, at the nearest phase.
func (p *pen) put(i int16) {
	pixel, phase := p.at()
	p.show(&p.f.glyphs[int(i)<<p.f.shift+phase], pixel)
}

// show draws a picture with its origin at a pixel.
func (p *pen) show(g *glyph, pixel int) {
	if g.width == 0 || p.blind {
		return
	}
	x, y := float32(pixel+int(g.x)), p.y+float32(g.y)
	p.list.inked(x, y, x+float32(g.width), y+float32(g.height), g.from, g.to, p.ink)
}

// cut removes characters until the ellipsis fits, and draws the ellipsis. If not even the ellipsis fits, it draws
// nothing.
func (p *pen) cut() {
	p.list.V, p.x = p.list.V[:p.keep], p.keepX
	if p.x+p.f.advance[p.f.ellipsis] <= p.limit {
		p.put(p.f.ellipsis)
		p.x += p.f.advance[p.f.ellipsis]
	}
}

// Printable returns s with unsafe characters written as escapes: those that could leave the line or turn the text
// direction.
func Printable(s string) string { return string(printed.Of(s)) }
