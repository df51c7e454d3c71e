package draw

import (
	"image"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/iprof/fonts"
)

// Scripts lays out a text with characters that the typefaces of this package lack. It returns the parts of the text
// from left to right: words, or characters of scripts without spaces. Each printed character of the text is in exactly
// one part. Any goroutine may call it, one at a time for each content scale.
type Scripts func(text string, style Style) []Word

// Style is the look of a text that Scripts lays out.
type Style struct {
	Pixels     float64 // per em
	Bold, Mono bool
}

// Word is a part of a text.
type Word struct {
	// Text has the part's characters in reading order.
	Text string
	// Mask is the part's picture, with the pen at the origin on the baseline. If it is nil, the typefaces of this
	// package draw the text, from left to right, with escapes for missing characters.
	Mask *image.Alpha
	// Advance is the distance to the next part, in pixels.
	Advance float64
}

// SetScripts sets the function that lays out characters that the typefaces lack, for all lists. With nil, the default,
// such characters are drawn as escapes. The next Begin lays out texts anew. Package fonts/system has such a function.
// This package has none, because fonts of all scripts and their rules take megabytes. Any goroutine may call
// SetScripts.
func SetScripts(f Scripts) {
	if f == nil {
		scripts.Store(nil)
	} else {
		scripts.Store(&f)
	}
	atlases.Lock()
	defer atlases.Unlock()
	clear(atlases.byStep)
}

// mostLaidOut is the greatest number of bytes of a text that are laid out together.
const mostLaidOut = 512

// layoutKey identifies a text that was laid out.
type layoutKey struct {
	text string
	face Face
}

// chunk splits off the part of a text that is laid out together.
func chunk(s string) (first, rest string) {
	if len(s) <= mostLaidOut {
		return s, ""
	}
	at := mostLaidOut
	for at > mostLaidOut-utf8.UTFMax && !utf8.RuneStart(s[at]) {
		at--
	}
	return s[:at], s[at:]
}

// layOut returns the pieces of a text, from left to right, and the atlas that has their pictures. It returns nil if the
// face and its typeface have all characters, or if no Scripts function is set.
func (a *Atlas) layOut(face Face, text string) ([]*piece, *Atlas) {
	s, f := a.spare, scripts.Load()
	if s == nil || f == nil {
		return nil, a
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all, ok := s.layouts[layoutKey{text, face}]
	if !ok {
		all = s.lay(*f, layoutKey{strings.Clone(text), face})
	}
	for _, p := range all {
		s.use(p)
	}
	return all, s.newest
}

// lay lays a text out, and keeps the result. Pieces without room get room in a new spare part.
func (s *spare) lay(f Scripts, key layoutKey) (all []*piece) {
	if !s.drawn.spend(s.clock.Load()) {
		return []*piece{{text: key.text, plain: true}}
	}
	for text := key.text; text != ""; {
		n, hidden := printable(text)
		if n > 0 {
			all = s.words(all, f, key.face, text[:n])
		}
		if hidden > 0 {
			all = append(all, &piece{text: text[n : n+hidden], plain: true})
		}
		text = text[n+hidden:]
	}
	if s.layouts == nil || len(s.layouts) >= mostLayouts {
		s.layouts = map[layoutKey][]*piece{}
	}
	s.layouts[key] = all
	return all
}

// printable returns the length of the printable start of a text, and of the character after it. Characters that are not
// printable might turn or hide other text, so Scripts never gets them.
func printable(text string) (n, hidden int) {
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if broken(r, size) || !unicode.IsPrint(r) {
			return n, size
		}
		n += size
	}
	return n, 0
}

// words appends the pieces of a printable text.
func (s *spare) words(all []*piece, f Scripts, face Face, text string) []*piece {
	spec := &faceSpecs[face]
	style := Style{Pixels: spec.pixels * float64(s.scale), Bold: spec.typeface == fonts.TypefaceBold,
		Mono: spec.typeface == fonts.TypefaceMono}
	for _, w := range f(text, style) {
		key := pieceKey{text: w.Text, face: face, word: true}
		switch {
		case w.Mask == nil:
			all = append(all, &piece{text: w.Text, plain: true})
		case s.pieces[key] != nil:
			all = append(all, s.pieces[key])
		default:
			all = append(all, s.add(key, &piece{advance: float32(w.Advance)}, w.Mask))
		}
	}
	return all
}
