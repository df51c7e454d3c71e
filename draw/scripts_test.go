package draw_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"
	"unicode"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
)

// read returns the texts of a list.
func read(l *draw.List) (all []string) {
	for _, w := range l.AppendWords(nil) {
		all = append(all, w.Text)
	}
	return all
}

// Each face draws Latin, Cyrillic and Greek letters as letters.
func TestLettersThatTheFontsHave(t *testing.T) {
	for face := range draw.Face(draw.NumFaces) {
		for _, scale := range []float32{1, 2, 3} {
			t.Run(fmt.Sprint(face, scale), func(t *testing.T) {
				for _, text := range []string{"Рендер сцены", "Ελληνικά", "façade", "ŁódźŐ"} {
					var l draw.List
					l.Begin(scale)
					width := l.Width(face, text)
					advance := l.Text(10, 20, face, text, ink)
					if got := read(&l); len(got) != 1 || got[0] != text {
						t.Errorf("%q: got %q", text, got)
					}
					if advance < width-1 || advance > width+1 {
						t.Errorf("%q: got width %v; drawn %v", text, width, advance)
					}
					l.Reset()
					l.Begin(scale)
					l.TextBytes(10, 20, 1e6, face, []byte(text), ink)
					if got := read(&l); len(got) != 1 || got[0] != text || l.BytesWidth(face, []byte(text)) != width {
						t.Errorf("%q in a buffer: got %q", text, got)
					}
				}
			})
		}
	}
}

// boxes is a draw.Scripts that draws each word as a box, and orders words from right to left.
func boxes(text string, style draw.Style) (all []draw.Word) {
	for _, word := range strings.SplitAfter(text, " ") {
		w := draw.Word{Text: word}
		if n := len([]rune(word)); strings.ContainsFunc(word, strange) {
			w.Advance = float64(n) * style.Pixels
			w.Mask = image.NewAlpha(image.Rect(0, -int(style.Pixels), int(w.Advance), 0))
			for i := range w.Mask.Pix {
				w.Mask.Pix[i] = uint8(len(word)*31 + int([]rune(word)[0])*7 | 1)
			}
		}
		all = append([]draw.Word{w}, all...)
	}
	return all
}

// strange reports whether only boxes draws a character.
func strange(r rune) bool { return r > 0x2fff }

// withScripts uses a function for a test.
func withScripts(t *testing.T, f draw.Scripts) {
	draw.SetScripts(f)
	t.Cleanup(func() { draw.SetScripts(nil) })
}

func TestScriptsDrawTheRest(t *testing.T) {
	seen := ""
	withScripts(t, func(text string, style draw.Style) []draw.Word {
		seen += text
		return boxes(text, style)
	})
	var l draw.List
	l.Begin(1)
	text := "物理 abc 中\u202e\x1b\xff文"
	width := l.Width(draw.FaceText, text)
	advance := l.Text(0, 20, draw.FaceText, text, ink)
	if got, want := strings.Join(read(&l), ""), `中abc 物理 \u202e\x1b\xff文`; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
	if advance != width {
		t.Errorf("width: got %v; drawn %v", width, advance)
	}
	if strings.ContainsFunc(seen, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Errorf("the function was given %q", seen)
	}
	l.Reset()
	l.TextCut(0, 20, 60, draw.FaceText, "文 名 物理演算物理演算", ink)
	for _, v := range l.V {
		if v.X > 62 {
			t.Fatalf("cut to 60: got ink at %v", v.X)
		}
	}
}

// render draws a list.
func render(l *draw.List) []byte {
	m := image.NewRGBA(image.Rect(0, 0, 200, 40))
	soft.Render(m, l)
	return m.Pix
}

// TestAFullAtlasNeverDrawsAWrongLetter draws more words than there is room for, frame after frame. Each is read back as
// itself or is its escape, what is drawn again and again stays, and an old list looks as before.
func TestAFullAtlasNeverDrawsAWrongLetter(t *testing.T) {
	withScripts(t, boxes)
	var old, l draw.List
	old.Begin(1)
	old.Text(0, 20, draw.FaceText, "常在 あ", ink)
	before := bytes.Clone(render(&old))
	boxed, replaced := 0, 0
	var picture *image.Alpha
	for frame := range 150 {
		l.Reset()
		l.Begin(1)
		if picture != l.Atlas.Image {
			picture, replaced = l.Atlas.Image, replaced+1
		}
		l.Text(0, 20, draw.FaceText, "常在 あ", ink)
		var words []string
		for i := range 20 {
			words = append(words, string([]rune{rune(0x4e00 + frame*20 + i), '中', '中', '中'}))
			l.Text(0, float32(60+40*i), draw.FaceLarge, words[i], ink)
		}
		got := read(&l)
		if len(got) != 21 || got[0] != "あ常在 " {
			t.Fatalf("frame %d: got %q", frame, got)
		}
		for i, word := range words {
			if got[1+i] == word {
				boxed++
			} else if !strings.HasPrefix(got[1+i], `\u`) {
				t.Fatalf("frame %d: got %q; want %q or its escapes", frame, got[1+i], word)
			}
		}
	}
	if replaced < 2 || boxed < 1000 {
		t.Errorf("got %d atlases and %d of 3000 words; want some and most", replaced, boxed)
	}
	if !bytes.Equal(before, render(&old)) {
		t.Error("an old list looks different")
	}
}

// A page of unknown characters is drawn in parts, and then has them all.
func TestNewCharactersWaitForOtherFrames(t *testing.T) {
	withScripts(t, boxes)
	var l draw.List
	frames := 0
	for waits := true; waits; waits = l.Atlas.Waiting() {
		l.Reset()
		l.Begin(1)
		for i := range 1000 {
			l.Text(0, 20, draw.FaceText, string(rune(0x4e00+i)), color.NRGBA{1, 2, 3, 255})
		}
		if frames++; frames > 20 {
			t.Fatal("it waits for ever")
		}
	}
	if frames < 3 || l.Quads() != 1000 {
		t.Errorf("got %d frames and %d quads; want several and 1000", frames, l.Quads())
	}
}
