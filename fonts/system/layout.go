package system

import (
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"

	"example.com/iprof/draw"
	"example.com/iprof/fonts"
)

// Layout lays out a text, as draw.Scripts describes. Characters that no font has, and characters with more than three
// marks, stay text without a picture. It never fails: text in an unreadable font stays without pictures.
func (f *Fonts) Layout(text string, style draw.Style) (all []draw.Word) {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer func() {
		if recover() != nil { // a damaged font
			all = []draw.Word{{Text: text}}
		}
	}()
	f.choose(style.Bold, style.Mono)
	own := f.own[0]
	if style.Mono {
		own = f.own[1]
	}
	runes, marked := composed(text)
	in := shaping.Input{Text: runes, Size: fixed.I(max(1, int(style.Pixels+0.999)))}
	for _, part := range f.visual(runes) {
		in.RunStart, in.RunEnd, in.Direction = part.Start, part.End, di.DirectionLTR
		if !part.IsLeftToRight() {
			in.Direction = di.DirectionRTL
		}
		runs := f.split.Split(in, &faces{f, own, marked})
		if !part.IsLeftToRight() {
			slices.Reverse(runs)
		}
		for _, run := range runs {
			if run.Face == ours {
				all = append(all, plain(run))
			} else {
				all = f.words(all, run, style.Pixels)
			}
		}
	}
	return all
}

// composed returns the characters of a text. It replaces letters with marks by one character if there is one. It
// reports whether marks are left, because a mark and its letter must come from one font.
func composed(text string) (runes []rune, marked bool) {
	runes = []rune(text)
	if isMark := func(r rune) bool { return unicode.Is(unicode.Mn, r) }; slices.ContainsFunc(runes, isMark) {
		runes = []rune(norm.NFC.String(text))
		marked = slices.ContainsFunc(runes, isMark)
	}
	return runes, marked
}

// visual returns the runs of a text that have one direction, from left to right: rule L2 of Unicode's bidirectional
// algorithm (UAX 9).
func (f *Fonts) visual(text []rune) (runs []bidi.Run) {
	all := f.paragraph.Segment(text, bidi.LeftToRight)
	highest := bidi.Level(0)
	for i := range all.NumRuns() {
		runs = append(runs, all.Run(i))
		highest = max(highest, all.Run(i).Level)
	}
	for level := highest; level > 0; level-- {
		for i := 0; i < len(runs); i++ {
			end := i
			for end < len(runs) && runs[end].Level >= level {
				end++
			}
			slices.Reverse(runs[i:end])
			i = max(i, end)
		}
	}
	return runs
}

// choose sets the preferred fonts. The same choice keeps the cache of characters.
func (f *Fonts) choose(bold, mono bool) {
	if q := query(bold, mono); !slices.Equal(q.Families, f.style.Families) || q.Aspect != f.style.Aspect {
		f.style = q
		f.found.SetQuery(q)
		clear(f.chosen)
	}
}

// ours stands for the typefaces of package fonts.
var ours = &font.Face{Font: &font.Font{}}

// faces chooses the font of a character. It prefers the typefaces of package fonts.
type faces struct {
	*Fonts
	own    *fonts.Rasterizer
	marked bool
}

func (f *faces) ResolveFace(r rune) *font.Face {
	if r == ' ' || !f.marked && f.own.Has(r) {
		return ours
	}
	if face := f.faceOf(r); face != nil {
		return face
	}
	return ours
}

// faceOf returns the font of a character in the script of the last SetScript. Searching for a font is slow.
func (f *Fonts) faceOf(r rune) *font.Face {
	key := character{r, f.script}
	face, known := f.chosen[key]
	if known {
		return face
	}
	if f.script != f.searched {
		f.searched = f.script
		f.found.SetScript(f.script)
	}
	face = f.found.ResolveFace(r)
	if f.chosen == nil || len(f.chosen) >= mostChosen {
		f.chosen = map[character]*font.Face{}
	}
	f.chosen[key] = face
	return face
}

// character is a character in a script, because signs that several scripts share may look different in each.
type character struct {
	rune   rune
	script language.Script
}

// mostChosen bounds the cache of the fonts of characters.
const mostChosen = 1 << 15

// SetScript sets the script of the next characters.
func (f *faces) SetScript(s language.Script) { f.script = s }

// plain returns a run without a picture. A run from right to left is turned here.
func plain(run shaping.Input) draw.Word {
	text := slices.Clone(run.Text[run.RunStart:run.RunEnd])
	if backwards(run) {
		slices.Reverse(text)
		for i, r := range text {
			text[i] = mirrored(r)
		}
	}
	return draw.Word{Text: string(text)}
}

// mirrored returns the other bracket of a pair.
func mirrored(r rune) rune {
	const pairs = "()[]{}<>«»"
	for i, p := range []rune(pairs) {
		if p == r {
			return []rune(pairs)[i^1]
		}
	}
	return r
}

func backwards(run shaping.Input) bool { return run.Direction.Progression() == di.TowardTopLeft }

// The greatest number of characters in a picture, and of marks on a character.
const (
	longest   = 24
	mostMarks = 3
)

// words appends a run as words. Letters of a word may be joined, so it is one picture; in scripts without spaces each
// character is a picture, so that pictures serve many texts.
func (f *Fonts) words(all []draw.Word, run shaping.Input, pixels float64) []draw.Word {
	out := f.shaper.Shape(run)
	f.painter.use(run.Face, pixels, pixels/float64(run.Size.Ceil()))
	single := unjoined(run.Script)
	var word []shaping.Glyph
	clusters := 0
	flush := func() {
		if len(word) > 0 {
			all = append(all, f.word(run.Text, word))
		}
		word, clusters = word[:0], 0
	}
	for at := 0; at < len(out.Glyphs); {
		end := at + 1
		for end < len(out.Glyphs) && out.Glyphs[end].TextIndex() == out.Glyphs[at].TextIndex() {
			end++
		}
		cluster := out.Glyphs[at:end]
		text := clusterText(run.Text, cluster)
		at = end
		if unreadable(cluster, text) {
			flush()
			all = append(all, draw.Word{Text: string(text)})
			continue
		}
		word = append(word, cluster...)
		if clusters++; single || clusters == longest {
			flush()
		}
	}
	flush()
	return all
}

// unjoined reports whether the characters of a script stand alone.
func unjoined(s language.Script) bool {
	switch s {
	case language.Han, language.Hiragana, language.Katakana, language.Hangul, language.Bopomofo, language.Common,
		language.Unknown:
		return true
	}
	return false
}

// clusterText returns the characters that a cluster of glyphs shows.
func clusterText(text []rune, cluster []shaping.Glyph) []rune {
	from := cluster[0].TextIndex()
	return text[from:min(from+cluster[0].RunesCount(), len(text))]
}

// unreadable reports whether a cluster is better written as text: the font lacks a part of it, or it has more marks
// than a reader can tell apart.
func unreadable(cluster []shaping.Glyph, text []rune) bool {
	marks := 0
	for _, r := range text {
		if unicode.Is(unicode.Mn, r) {
			marks++
		}
	}
	lacks := func(g shaping.Glyph) bool { return g.GlyphID == 0 }
	return marks > mostMarks || len(text) > longest || slices.ContainsFunc(cluster, lacks) ||
		strings.TrimSpace(string(text)) == ""
}

// word draws glyphs as one picture.
func (f *Fonts) word(text []rune, glyphs []shaping.Glyph) draw.Word {
	low, high := len(text), 0
	for _, g := range glyphs {
		low, high = min(low, g.TextIndex()), max(high, g.TextIndex()+g.RunesCount())
	}
	w := draw.Word{Text: string(text[low:min(high, len(text))])}
	w.Mask, w.Advance = f.painter.paint(glyphs)
	return w
}
