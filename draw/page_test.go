package draw_test

import (
	"bytes"
	"fmt"
	"image"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
)

// painted counts the characters that hanzi has drawn.
var painted int

// hanzi is a draw.Scripts that draws each character as a box of its own grey and shape, as wide as an em.
func hanzi(text string, style draw.Style) (all []draw.Word) {
	for _, r := range text {
		em := int(style.Pixels + 0.5)
		w := draw.Word{Text: string(r), Advance: style.Pixels, Mask: image.NewAlpha(image.Rect(0, -em, em, 0))}
		for i := range w.Mask.Pix {
			w.Mask.Pix[i] = uint8(int(r)*(1+i%5)+i/7) | 1
		}
		all = append(all, w)
		painted++
	}
	return all
}

// page draws 5,000 characters beginning with one, as 250 names.
func page(l *draw.List, scale float32, first rune) {
	l.Reset()
	l.Begin(scale)
	var name [20]rune
	for i := range 250 {
		for j := range name {
			name[j] = first + rune(i*len(name)+j)
		}
		l.Text(scale*float32(300*(i%5)), scale*float32(20*(1+i/5)), draw.FaceText, string(name[:]), ink)
	}
}

// warm draws a page until it has no new characters. It returns the number of frames that took.
func warm(t testing.TB, l *draw.List, scale float32, first rune) (frames int) {
	page(l, scale, first)
	for frames = 1; l.Atlas.Waiting(); frames++ {
		if page(l, scale, first); frames > 500 {
			t.Fatal("the page is not warm after 500 frames")
		}
	}
	return frames
}

// pixels renders a list.
func pixels(l *draw.List, scale float32) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, int(1500*scale), int(1020*scale)))
	soft.Render(m, l)
	return m
}

// firstHan begins the characters of the pages.
const firstHan = 0x4e00

// A page of 5,000 different characters has a picture of each, at each scale, and once it is warm draws none anew.
func TestAPageOfManyCharacters(t *testing.T) {
	for _, scale := range []float32{0.5, 1, 1.25, 1.5, 2, 2.5, 3, 4} {
		t.Run(fmt.Sprint(scale), func(t *testing.T) {
			withScripts(t, hanzi)
			var l draw.List
			warm(t, &l, scale, firstHan)
			painted = 0
			generation := l.Atlas.Generation
			for range 10 {
				page(&l, scale, firstHan)
			}
			if l.Quads() != 5000 || painted != 0 || l.Atlas.Generation != generation {
				t.Errorf("got %d quads, %d characters drawn anew, %d uploads; want 5000, 0, 0", l.Quads(), painted,
					l.Atlas.Generation-generation)
			}
		})
	}
}

// alone returns the pictures of characters, each drawn alone, by an atlas with room for all.
func alone(from, to rune) map[rune][]byte {
	draw.SetScripts(hanzi)
	all := map[rune][]byte{}
	var l draw.List
	for r := from; r < to; r++ {
		l.Reset()
		l.Begin(1)
		l.Text(0, 13, draw.FaceText, string(r), ink)
		m := image.NewRGBA(image.Rect(0, 0, 13, 13))
		soft.Render(m, &l)
		all[r] = m.Pix
	}
	draw.SetScripts(hanzi)
	return all
}

// Pages after pages of other characters evict the oldest ones. Each page is whole after few frames, a still picture of
// it asks for these frames, and each letter is the letter drawn alone, pixel by pixel.
func TestEvictedCharactersComeBackAsThemselves(t *testing.T) {
	withScripts(t, hanzi)
	const pages, turns = 4, 8
	var want [pages]map[rune][]byte
	for i := range want {
		want[i] = alone(rune(firstHan+5000*i), rune(firstHan+5000*(i+1)))
	}
	var l draw.List
	pictures := map[*image.Alpha]bool{}
	for turn := range turns {
		first := rune(firstHan + 5000*(turn%pages))
		frames := warm(t, &l, 1, first)
		if pictures[l.Atlas.Image] = true; l.Quads() != 5000 || frames > 60 {
			t.Errorf("page %d: got %d letters after %d frames; want 5000 after at most 60", turn, l.Quads(), frames)
		}
		painted = 0
		if page(&l, 1, first); painted != 0 {
			t.Errorf("page %d: got %d letters drawn once more; want none", turn, painted)
		}
		if wrong := wrongLetters(&l, first, want[turn%pages]); wrong > 0 {
			t.Errorf("page %d: %d letters are wrong", turn, wrong)
		}
	}
	if len(pictures) < turns/2 {
		t.Errorf("got %d atlases; want one for each page that found no room", len(pictures))
	}
}

// wrongLetters counts the letters of a page that do not look as they do alone.
func wrongLetters(l *draw.List, first rune, want map[rune][]byte) (wrong int) {
	m := pixels(l, 1)
	for i := range 5000 {
		name, letter := i/20, i%20
		x, y := 300*(name%5)+13*letter, 20*(1+name/5)
		one := image.NewRGBA(image.Rect(0, 0, 13, 13))
		for line := range 13 {
			copy(one.Pix[line*52:][:52], m.Pix[m.PixOffset(x, y-13+line):])
		}
		if !bytes.Equal(one.Pix, want[first+rune(i)]) {
			wrong++
		}
	}
	return wrong
}

// More letters than there is room for: what has a picture keeps it from frame to frame, the rest are escapes, and
// nothing is drawn anew.
func TestTooManyCharactersAreAStillPicture(t *testing.T) {
	withScripts(t, hanzi)
	var l draw.List
	both := func() {
		page(&l, 1, firstHan)
		for i := range 5000 {
			l.Text(0, 20, draw.FaceLarge, string(rune(firstHan+i)), ink)
		}
	}
	frames := 0
	for both(); l.Atlas.Waiting(); both() {
		if frames++; frames > 500 {
			t.Fatal("it asks for more frames after 500")
		}
	}
	painted = 0
	image, quads := l.Atlas.Image, l.Quads()
	for range 20 {
		if both(); l.Quads() != quads || l.Atlas.Image != image || painted != 0 {
			t.Fatalf("got %d quads, another atlas %v, %d drawn anew; want %d, false, 0", l.Quads(),
				l.Atlas.Image != image, painted, quads)
		}
	}
}

// BenchmarkPageOfManyCharacters lays out 5,000 different characters of which all have pictures: at most a fraction of
// the 16.7 ms that a screen has for a frame.
func BenchmarkPageOfManyCharacters(b *testing.B) {
	draw.SetScripts(hanzi)
	defer draw.SetScripts(nil)
	var l draw.List
	warm(b, &l, 1, firstHan)
	for b.Loop() {
		page(&l, 1, firstHan)
	}
	if l.Quads() != 5000 {
		b.Fatalf("got %d letters; want 5000", l.Quads())
	}
}

// BenchmarkNewPageOfCharacters lays out pages of 5,000 characters that take the place of others, with all frames until
// they are whole. It reports the time of a frame.
func BenchmarkNewPageOfCharacters(b *testing.B) {
	draw.SetScripts(hanzi)
	defer draw.SetScripts(nil)
	var l draw.List
	frames, turn := 0, 0
	for b.Loop() {
		frames += warm(b, &l, 1, rune(firstHan+5000*(turn%3)))
		turn++
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(frames), "µs/frame")
}
