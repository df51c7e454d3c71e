//go:build js && wasm

package main

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"syscall/js"
	"unicode"

	"example.com/iprof/draw"
	"example.com/iprof/fonts"
)

// letters draws characters that our typefaces lack with the browser's fonts: other scripts, shaped, and emoji. It is
// for draw.SetScripts.
type letters struct {
	canvas, paper js.Value
	font          string               // that the paper has
	bytes         []byte               // pixels of one word
	own           [2]*fonts.Rasterizer // text and mono, to look up their characters
	known         map[rune]bool        // whether some font of the browser has it
}

const (
	longestWord = 24   // characters in one picture
	mostMarks   = 3    // on one letter; a reader cannot tell more apart
	widestWord  = 1024 // pixels
	mostKnown   = 1 << 14
)

// layout lays out a text. The words of a run from right to left stand in the other order; within a word the browser
// does that.
func (l *letters) layout(text string, style draw.Style) (all []draw.Word) {
	l.prepare(style)
	var run []draw.Word // from right to left
	flush := func() {
		at := len(run)
		for at > 0 && run[at-1].Text == " " {
			at-- // a space at its end belongs to the next part
		}
		slices.Reverse(run[:at])
		all, run = append(all, run...), nil
	}
	for i, word := range strings.Split(text, " ") {
		backwards := strings.ContainsFunc(word, isBackwards)
		if !backwards && strings.ContainsFunc(word, unicode.IsLetter) {
			flush()
		}
		if i > 0 {
			l.add(&all, &run, len(run) > 0, draw.Word{Text: " "})
		}
		l.add(&all, &run, len(run) > 0 || backwards, l.word(word, style, backwards)...)
	}
	flush()
	return all
}

// add adds words to those from left to right, or to the run from right to left.
func (l *letters) add(all, run *[]draw.Word, backwards bool, words ...draw.Word) {
	if backwards {
		all = run
	}
	*all = append(*all, words...)
}

// isBackwards reports whether a character is of a script from right to left.
func isBackwards(r rune) bool {
	return r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfeff ||
		r >= 0x10800 && r <= 0x10fff || r >= 0x1e800 && r <= 0x1efff
}

// word splits a word into characters of our typefaces and pictures of the rest: one picture for each character that
// stands alone, so that pictures serve many texts. A word from right to left is one picture.
func (l *letters) word(word string, style draw.Style, whole bool) (all []draw.Word) {
	own := l.own[0]
	if style.Mono {
		own = l.own[1]
	}
	var part []rune
	flush := func() {
		if len(part) > 0 {
			all = append(all, l.picture(string(part), style))
		}
		part = nil
	}
	plain := ""
	for _, r := range word {
		mark := unicode.Is(unicode.M, r)
		switch {
		case !whole && !mark && own.Has(r):
			flush()
			plain += string(r)
			continue
		case !mark && (len(part) >= longestWord || separate(r) && !whole):
			flush()
		case mark && len(part) == 0 && plain != "": // the letter below it is ours
			last := []rune(plain)
			plain, part = string(last[:len(last)-1]), last[len(last)-1:]
		}
		if plain != "" {
			all = append(all, draw.Word{Text: plain})
			plain = ""
		}
		part = append(part, r)
	}
	flush()
	if plain != "" {
		all = append(all, draw.Word{Text: plain})
	}
	return all
}

// separate reports whether the letters of a script are not joined.
func separate(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo)
}

// prepare makes the paper, and puts the style's font on it.
func (l *letters) prepare(style draw.Style) {
	if l.own[0] == nil {
		l.own = [2]*fonts.Rasterizer{fonts.NewRasterizer(fonts.TypefaceRegular, 16),
			fonts.NewRasterizer(fonts.TypefaceMono, 16)}
		l.known = map[rune]bool{}
		l.canvas = js.Global().Get("document").Call("createElement", "canvas")
		l.canvas.Set("width", widestWord)
		l.canvas.Set("height", widestWord/4)
		l.paper = l.canvas.Call("getContext", "2d", js.ValueOf(map[string]any{"willReadFrequently": true}))
		l.paper.Set("fillStyle", "#fff")
	}
	weight, family := "", "sans-serif"
	if style.Bold {
		weight = "bold "
	}
	if style.Mono {
		family = "monospace"
	}
	if font := fmt.Sprintf("%s%.2fpx %s", weight, style.Pixels, family); font != l.font {
		l.font = font
		l.paper.Set("font", font)
	}
}

// picture draws a word. Characters without a font, and piles of marks, stay text.
func (l *letters) picture(text string, style draw.Style) draw.Word {
	marks := 0
	for _, r := range text {
		if marks++; !unicode.Is(unicode.Mn, r) {
			marks = 0
		}
		if marks > mostMarks || !l.has(r) {
			return draw.Word{Text: text}
		}
	}
	mask, advance := l.mask(text)
	if mask == nil {
		return draw.Word{Text: text}
	}
	return draw.Word{Text: text, Mask: mask, Advance: advance}
}

// has reports whether a font of the browser has a character. It compares the picture with that of a character without a
// font.
func (l *letters) has(r rune) bool {
	known, asked := l.known[r]
	if !asked {
		if len(l.known) >= mostKnown {
			clear(l.known)
		}
		const unassigned = "\u0378"
		lacking, _ := l.mask(unassigned)
		mask, _ := l.mask(string(r))
		known = mask != nil && (lacking == nil || mask.Stride != lacking.Stride || !slices.Equal(mask.Pix, lacking.Pix))
		l.known[r] = known
	}
	return known
}

// mask returns the picture of a text with the pen at the origin, and how far the pen goes.
func (l *letters) mask(text string) (mask *image.Alpha, advance float64) {
	m := l.paper.Call("measureText", text)
	side := func(name string) int { return int(math.Ceil(m.Get("actualBoundingBox"+name).Float())) + 1 }
	bounds := image.Rect(-side("Left"), -side("Ascent"), side("Right"), side("Descent"))
	width, height := bounds.Dx(), bounds.Dy()
	if width > widestWord || height > widestWord/4 || bounds.Empty() {
		return nil, 0
	}
	l.paper.Call("clearRect", 0, 0, width, height)
	l.paper.Call("fillText", text, -bounds.Min.X, -bounds.Min.Y)
	pixels := l.paper.Call("getImageData", 0, 0, width, height).Get("data")
	l.bytes = slices.Grow(l.bytes[:0], 4*width*height)[:4*width*height]
	js.CopyBytesToGo(l.bytes, pixels)
	mask = image.NewAlpha(bounds)
	for i := range mask.Pix {
		mask.Pix[i] = coverage(l.bytes[4*i:])
	}
	return mask, m.Get("width").Float()
}

// coverage is the opacity of a pixel of white text. Where a font has colours, as emoji have, dark ones are less.
func coverage(p []byte) byte {
	light := (299*int(p[0]) + 587*int(p[1]) + 114*int(p[2])) / 1000
	return byte(int(p[3]) * (64 + light*191/255) / 255)
}
