package draw

import (
	"image"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/iprof/fonts"
)

// Scripts lays out a text with characters that the typefaces of this package lack. It returns the parts of the text
// in the order in which they stand, from left to right: words, or characters of scripts without spaces. All printed
// characters of the text are in one part. It may be called by any goroutine, one at a time for each content scale.
type Scripts func(text string, style Style) []Word

// Style is what a text that Scripts lays out looks like.
type Style struct {
	Pixels     float64 // per em
	Bold, Mono bool
}

// Word is a part of a text.
type Word struct {
	// Text is the part's characters in the order in which they are read.
	Text string
	// Mask is the part's picture, with the pen at the origin on the baseline. Nil: the typefaces of this package draw
	// the text, from left to right, with escapes for what they lack.
	Mask *image.Alpha
	// Advance is the distance to the next part, in pixels.
	Advance float64
}

// SetScripts chooses the function that lays out what the typefaces lack, for all lists. Nil, as at first, means none:
// then such characters are drawn as escapes. What has been drawn is laid out anew by the next Begin. The core has no
// such function, since fonts of all scripts and their rules take megabytes: package fonts/system has one. Any
// goroutine may call SetScripts.
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

// mostLaidOut is how many bytes of a text are laid out as one.
const mostLaidOut = 512

// layoutKey identifies a text that was laid out.
type layoutKey struct {
	text string
	face Face
}

// chunk splits off what is laid out as one.
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

// layOut returns the pieces of a text, from left to right, and the atlas that has their pictures. It is nil if the face
// and its typeface can draw the text alone, or if there are no scripts.
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

// lay lays a text out, and keeps the result. What has found no room gets some with a new spare part.
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

// printable returns the length of the printable start of a text, and of the character after it. What is not printable
// might turn or hide other text, so the scripts never see it.
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

// words appends the pieces of a text that is printable.
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
