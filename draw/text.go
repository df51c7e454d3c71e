package draw

import (
	"image/color"
	"math"
	"unicode/utf8"

	"example.com/iprof/internal/printed"
)

// Text draws s from x on a baseline, in pixels. The baseline is rounded to a whole pixel. Text returns the width. A
// character that the face lacks, or a byte that is not UTF-8, is drawn as its escape: \x1b, \u4e2d, \U0001f600. So a
// hostile name cannot leave its line or turn its direction.
func (l *List) Text(x, baseline float32, face Face, s string, c color.NRGBA) (advance float32) {
	return l.TextCut(x, baseline, math.MaxFloat32, face, s, c)
}

// TextCut is Text limited to a width in pixels. Text that does not fit is cut and ends in an ellipsis. The cost
// depends on the text drawn, not on the length of s.
func (l *List) TextCut(x, baseline, width float32, face Face, s string, c color.NRGBA) (advance float32) {
	p := pen{list: l, f: &l.atlas().faces[face], x: x, from: x, y: Snap(baseline), color: c, limit: x + width}
	p.room = p.limit - p.f.advance[p.f.ellipsis]
	p.keep, p.keepX = len(l.V), x
	for s != "" {
		r, size := rune(s[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s)
		}
		if !p.rune(r, s[:size]) {
			p.cut()
			break
		}
		s = s[size:]
	}
	return p.x - x
}

// TextBytes is TextCut for text in a buffer. It does not allocate a string. Bytes that are not UTF-8, and characters
// that the face lacks, become question marks.
func (l *List) TextBytes(x, baseline, width float32, face Face, b []byte, c color.NRGBA) (advance float32) {
	p := pen{list: l, f: &l.atlas().faces[face], x: x, from: x, y: Snap(baseline), color: c, limit: x + width}
	p.room = p.limit - p.f.advance[p.f.ellipsis]
	p.keep, p.keepX = len(l.V), x
	for len(b) > 0 {
		v, size := utf8.DecodeRune(b)
		if !p.glyph(p.f.indexOr(v, '?')) {
			p.cut()
			break
		}
		b = b[size:]
	}
	return p.x - x
}

// BytesWidth returns the width of b in pixels, as TextBytes draws it.
func (l *List) BytesWidth(face Face, b []byte) (width float32) {
	f := &l.atlas().faces[face]
	for len(b) > 0 {
		v, size := utf8.DecodeRune(b)
		width += f.advance[f.indexOr(v, '?')]
		b = b[size:]
	}
	return width
}

// TextRight draws s so that it ends at x. It returns the width.
func (l *List) TextRight(x, baseline float32, face Face, s string, c color.NRGBA) (advance float32) {
	width := l.Width(face, s)
	return l.Text(x-width, baseline, face, s, c)
}

// Width returns the width of s in pixels, as Text draws it.
func (l *List) Width(face Face, s string) float32 {
	f := &l.atlas().faces[face]
	var width float32
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		if i := f.index(r); i != missing && !broken(r, size) {
			width += f.advance[i]
		} else {
			var b [10]byte
			for _, e := range printed.AppendEscape(b[:0], r, s[:size]) {
				width += f.advance[f.direct[e]]
			}
		}
		s = s[size:]
	}
	return width
}

// broken reports whether decoding found a byte that is not UTF-8.
func broken(r rune, size int) bool { return r == utf8.RuneError && size == 1 }

// pen draws characters one after the other.
type pen struct {
	list        *List
	f           *faceGlyphs
	x, y        float32
	from        float32
	limit, room float32 // right end of text, and of text followed by an ellipsis
	keep        int     // vertices that stay when the text is cut
	keepX       float32
	color       color.NRGBA
}

// rune draws one character or its escape. It returns false if that does not fit.
func (p *pen) rune(r rune, raw string) bool {
	if i := p.f.index(r); i != missing && !broken(r, len(raw)) {
		return p.glyph(i)
	}
	var b [10]byte
	for _, e := range printed.AppendEscape(b[:0], r, raw) {
		if !p.glyph(p.f.direct[e]) {
			return false
		}
	}
	return true
}

// glyph draws one character of the face and advances. It returns false if the character does not fit.
func (p *pen) glyph(i int16) bool {
	next := p.x + p.f.advance[i]
	if next > p.limit {
		return false
	}
	p.put(i)
	p.x = next
	if next <= p.room {
		p.keep, p.keepX = len(p.list.V), next
	}
	return true
}

// put draws a character at the pen's position, at the nearest phase.
func (p *pen) put(i int16) {
	f := p.f
	at := int(math.Floor(float64(p.x*f.steps) + 0.5))
	pixel, phase := at>>f.shift, at&(f.phases-1)
	g := &f.glyphs[int(i)<<f.shift+phase]
	if g.width == 0 {
		return
	}
	x, y := float32(pixel+int(g.x)), p.y+float32(g.y)
	p.list.quad(x, y, x+float32(g.width), y+float32(g.height), g.from, g.to, p.color)
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
