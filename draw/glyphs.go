package draw

import (
	"math/bits"
	"sort"
	"strings"
	"sync"

	"example.com/iprof/fonts"
)

// symbols are the characters beyond ASCII that the display itself writes, in ascending order. Each atlas has them.
// Other characters are added when a text needs them, because drawing all of them would take most of a viewer's start.
const symbols = "°±µ·×øΔμσ–—…‹›←↑→↓−≈≤≥█"

// symbolList returns the symbols as a list, made at the first use.
func symbolList() []rune {
	listing.Do(func() { listed = []rune(symbols) })
	return listed
}

var (
	listing sync.Once
	listed  []rune
)

// latin is the number of characters with a direct index.
const latin = 128

// missing is the index of a character that a face lacks.
const missing = -1

// glyph is the picture of one character at one phase, that is, at one horizontal offset within a pixel.
type glyph struct {
	sprite
	x, y int16 // offset in pixels from the pen to the top left corner
}

// faceGlyphs holds the characters of one face.
type faceGlyphs struct {
	phases          int          // number of horizontal positions within a pixel, a power of two
	shift           int          // logarithm of phases to base 2
	steps           float32      // phases as a float32
	direct          [latin]int16 // index by character
	micro           int16        // of µ
	symbol          []int16      // index by position in symbolList
	advance         []float32    // pixels, by index
	glyphs          []glyph      // by index*phases + phase
	ascent, descent float32      // pixels
	ellipsis        int16
}

// rasterise draws all characters of a face and adds them to the packer.
func (f *faceGlyphs) rasterise(p *packer, spec faceSpec, scale float64) {
	r := fonts.NewRasterizer(spec.typeface, spec.pixels*scale)
	f.phases = phasesFor(spec, scale)
	f.shift, f.steps = bits.Len(uint(f.phases))-1, float32(f.phases)
	ascent, descent := r.Metrics()
	f.ascent, f.descent = float32(ascent), float32(descent)
	runes := f.choose(r, spec)
	f.glyphs = make([]glyph, len(runes)*f.phases)
	f.advance = make([]float32, len(runes))
	for i, c := range runes {
		for phase := range f.phases {
			mask, advance := r.Glyph(c, float64(phase)/float64(f.phases))
			g := &f.glyphs[i*f.phases+phase]
			g.x, g.y = int16(mask.Rect.Min.X), int16(mask.Rect.Min.Y)
			p.add(mask, &g.sprite)
			f.advance[i] = float32(advance)
			if spec.tabular {
				f.advance[i] = Snap(float32(advance))
			}
		}
	}
	f.ellipsis = f.index('…')
}

// phasesFor returns the number of phases of a face. Small pixels need fewer phases.
func phasesFor(spec faceSpec, scale float64) int {
	switch {
	case spec.tabular || scale >= 3:
		return 1
	case scale >= 2:
		return 2
	}
	return 4
}

// choose numbers the characters that the face will have, and returns them.
func (f *faceGlyphs) choose(r *fonts.Rasterizer, spec faceSpec) (runes []rune) {
	pick := func(c rune, wanted bool) int16 {
		if !wanted || !r.Has(c) {
			return missing
		}
		runes = append(runes, c)
		return int16(len(runes) - 1)
	}
	for c := range f.direct {
		f.direct[c] = pick(rune(c), c >= ' ' && c < 0x7f)
	}
	f.symbol = make([]int16, len(symbolList()))
	for i, c := range symbolList() {
		f.symbol[i] = pick(c, !spec.ASCII || strings.ContainsRune("µ…−", c))
	}
	f.micro = f.index('µ')
	return runes
}

// number returns the index of a character of a number by a byte of it, or missing. Of the two bytes of µ the second has
// the index.
func (f *faceGlyphs) number(b byte) int16 {
	switch {
	case b < latin:
		return f.direct[b]
	case b == "µ"[1]:
		return f.micro
	}
	return missing
}

// index returns the index of a character, or missing.
func (f *faceGlyphs) index(c rune) int16 {
	if c == 0xa0 {
		c = ' '
	}
	if c < latin {
		return f.direct[c]
	}
	list := symbolList()
	i := sort.Search(len(list), func(i int) bool { return list[i] >= c })
	if i < len(list) && list[i] == c {
		return f.symbol[i]
	}
	return missing
}
