package system_test

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/fonts/system"
	"example.com/iprof/internal/boxfont"
	"example.com/iprof/internal/must"
	_ "example.com/iprof/internal/outlines/gofonts" // package fonts does not link them with the tag iprof_off
)

// arabicForms are the shapes that the letters of "ببب" take: alone, at the end, at the beginning, and between.
const arabicForms = "\ufe8f\ufe90\ufe91\ufe92"

// fontFile writes a font with some characters, and returns its name.
func fontFile(t testing.TB, name, characters string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(file, boxfont.Font(characters), 0o644))
	return file
}

// some has a font with a few characters of each kind.
func some(t testing.TB) *system.Fonts {
	t.Helper()
	f := must.Get(system.OpenFiles(fontFile(t, "some.ttf",
		"物理演算中文カタ한국שלוםבאجحب"+arabicForms+
			"हिन्दी🎮😀Za\u0351\u036b\u0343\u0357")))(t)
	return f
}

var style = draw.Style{Pixels: 20}

// words returns the texts of the parts, with [] around those that have a picture.
func words(all []draw.Word) string {
	var b strings.Builder
	for _, w := range all {
		if w.Mask == nil {
			b.WriteString(w.Text)
		} else {
			fmt.Fprintf(&b, "[%s]", w.Text)
		}
	}
	return b.String()
}

func TestLayout(t *testing.T) {
	f := some(t)
	for text, want := range map[string]string{
		"plain":         "plain",
		"Рендер Ελλ":    "Рендер Ελλ",
		"物理 abc":        "[物][理] abc",
		"カタ한국":          "[カ][タ][한][국]",
		"שלום":          "[שלום]",
		"a שלום (1) בא": "a [בא] (1) [שלום]",
		"🎮 frame":       "[🎮] frame",
		"丂中":            "丂[中]",      // the font lacks the first
		"e\u0301x":      "éx",        // one character of our typefaces
		"a\u0351":       "[a\u0351]", // a letter and its mark come from one font
		"":              "",
	} {
		if got := words(f.Layout(text, style)); got != want {
			t.Errorf("%q: got %q; want %q", text, got, want)
		}
	}
}

// TestPilesOfMarks: more marks than a reader can tell apart are text, so they cannot cover other lines.
func TestPilesOfMarks(t *testing.T) {
	f := some(t)
	pile := "a\u0351\u036b\u0343\u0357"
	if got := words(f.Layout(pile, style)); strings.Contains(got, "[") {
		t.Errorf("got %q", got)
	}
	for _, w := range f.Layout("a\u0351中한", style) {
		if w.Mask != nil && !w.Mask.Rect.In(image.Rect(-20, -25, 60, 9)) {
			t.Errorf("%q: got a picture of %v", w.Text, w.Mask.Rect)
		}
	}
}

// TestLettersAreJoined: letters of Arabic have the shape of their place in the word.
func TestLettersAreJoined(t *testing.T) {
	f := some(t)
	height := func(text string) (all []int) {
		for _, w := range f.Layout(text, style) {
			m := w.Mask
			for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
				n := 0
				for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
					if m.AlphaAt(x, y).A > 128 {
						n++
					}
				}
				if n > 0 && (len(all) == 0 || all[len(all)-1] != n) {
					all = append(all, n)
				}
			}
		}
		return all
	}
	alone, word := height("ب"), height("ببب")
	if len(alone) != 1 || len(word) < 2 || word[0] == alone[0] {
		t.Errorf("got heights %v alone and %v in a word; want other shapes", alone, word)
	}
}

func TestAdvanceIsTheFonts(t *testing.T) {
	f := some(t)
	for _, pixels := range []float64{11.5, 13, 26, 46} {
		w := f.Layout("中", draw.Style{Pixels: pixels})[0]
		if w.Advance < pixels-0.1 || w.Advance > pixels+0.1 || w.Mask.Rect.Dx() < int(0.8*pixels) {
			t.Errorf("%v pixels: got an advance of %v, a picture of %v", pixels, w.Advance, w.Mask.Rect)
		}
	}
}

// TestDamagedFonts: a file that is no font is an error that names it; a damaged one leaves the text without pictures.
func TestDamagedFonts(t *testing.T) {
	whole := fontFile(t, "whole.ttf", "中文")
	if _, err := system.OpenFiles(whole, filepath.Join(t.TempDir(), "none.ttf")); err == nil ||
		!strings.Contains(err.Error(), "none.ttf") {
		t.Errorf("a file that is not there: got %v", err)
	}
	content := must.Get(os.ReadFile(whole))(t)
	file := filepath.Join(t.TempDir(), "damaged.ttf")
	for at := 0; at < len(content); at += 7 {
		damaged := append([]byte(nil), content...)
		damaged[at] ^= 0xff
		must.Do(t, os.WriteFile(file, damaged, 0o644))
		f, _ := system.OpenFiles(file)
		all := f.Layout("中文 a", style)
		got := strings.NewReplacer("[", "", "]", "").Replace(words(all))
		if got != "中文 a" {
			t.Fatalf("byte %d: got %q", at, got)
		}
	}
}

// TestSystemFonts uses what the machine has: text is never lost.
func TestSystemFonts(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv(system.Environment, fontFile(t, "named.ttf", "物理"))
	f := must.Get(system.Open())(t)
	if got := words(f.Layout("物理", style)); got != "[物][理]" {
		t.Errorf("of a font that the environment names: got %q", got)
	}
	const text = "हिन्दी مرحبا 한국 🎮"
	got := strings.NewReplacer("[", "", "]", "").Replace(words(f.Layout(text, style)))
	if len([]rune(got)) != len([]rune(text)) {
		t.Errorf("got %q; want all of %q", got, text)
	}
}

func Example() {
	found, err := system.Open()
	if err != nil {
		fmt.Println(err)
		return
	}
	draw.SetScripts(found.Layout)
}

func BenchmarkLayout(b *testing.B) {
	f := some(b)
	for b.Loop() {
		f.Layout("物理 演算", style)
	}
}
