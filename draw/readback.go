package draw

import (
	"image/color"
	"strings"
)

// Words is a text of a list, read back from its glyphs.
type Words struct {
	Text     string
	Face     Face
	X0, X1   float32 // pixels
	Baseline float32
	Color    color.NRGBA
}

// AppendWords reads the texts of a list back from its glyphs and appends them in the order of drawing. Texts that were
// drawn one after the other without a gap become one text. Tests and screen readers use it: it is slow. The list must
// be in pixels, as List draws it.
func (l *List) AppendWords(dst []Words) []Words {
	if l.Atlas == nil {
		return dst
	}
	known := l.Atlas.runes()
	joins, spaces := false, float32(0)
	for i := 0; i+4 <= len(l.V); i += 4 {
		v := &l.V[i]
		g, ok := known[texel{v.U, v.V}]
		if !ok {
			joins = joins && v.Y == l.V[i+2].Y // a space is a quad without height
			spaces++
			continue
		}
		f := &l.Atlas.faces[g.face]
		w := Words{g.text, g.face, v.X - float32(g.x) + g.phase, 0, v.Y - float32(g.y),
			color.NRGBA{v.R, v.G, v.B, v.A}}
		w.X1 = w.X0 + g.advance
		if n := len(dst); joins && dst[n-1].take(&w, spaces, f.advance[f.direct[' ']]) {
			spaces = 0
			continue
		}
		dst, joins, spaces = append(dst, w), true, 0
	}
	return dst
}

// take appends a character if it follows the text after a number of spaces of a width, and reports whether it did. Some
// spaces leave no quad, so there may be one space more.
func (w *Words) take(next *Words, spaces, width float32) bool {
	gap := next.X0 - w.X1 - spaces*width
	if gap > 0.6*width && gap < 1.5*width {
		spaces, gap = spaces+1, gap-width
	}
	if w.Face != next.Face || w.Baseline != next.Baseline || w.Color != next.Color || gap < -1.5 || gap > 1.5 {
		return false
	}
	w.Text += strings.Repeat(" ", int(spaces)) + next.Text
	w.X1 = next.X1
	return true
}

// readGlyph is a character in the atlas.
type readGlyph struct {
	face    Face
	text    string
	phase   float32 // pixels
	advance float32 // pixels
	x, y    int16
}

// runes returns the characters of the atlas by the corner of their pictures.
func (a *Atlas) runes() map[texel]readGlyph {
	known := make(map[texel]readGlyph)
	for face := range a.faces {
		f := &a.faces[face]
		put := func(r rune, index int16) {
			for phase := 0; index != missing && phase < f.phases; phase++ {
				g := &f.glyphs[int(index)*f.phases+phase]
				if g.width > 0 && g.height > 0 {
					at := float32(phase) / f.steps
					known[g.from] = readGlyph{Face(face), string(r), at, f.advance[index], g.x, g.y}
				}
			}
		}
		for r, index := range f.direct {
			put(rune(r), index)
		}
		for at, index := range f.symbol {
			put(symbolList()[at], index)
		}
	}
	a.spare.read(known)
	return known
}

// read adds the characters of the spare part.
func (s *spare) read(known map[texel]readGlyph) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, p := range s.pieces {
		known[p.from] = readGlyph{key.face, key.text, p.phase, p.advance, p.x, p.y}
	}
}
