package system_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/fonts/system"
	"example.com/iprof/internal/boxfont"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/longtest"
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

// More marks than a reader can tell apart are text, so they cannot cover other lines.
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

// Letters of Arabic have the shape of their place in the word.
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

// A file that is no font is an error that names it; a damaged one leaves the text without pictures.
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

// names are in the scripts that names of zones may have. The font of the tests draws a box for each sign.
var names = []string{
	"Рендер сцены", "Ελληνική σκηνή", "物理演算 step",
	"ببب (2) جحب", "update שלום (1)",
	"हिन्दी दी", "a\u0351 Z\u0351\u036b\u0343 e\u0301t", "🎮 input 😀",
	"丂 has no glyph", "\u202eturned\x1b",
}

// TestNamesInAllScripts looks at names as they are drawn, at two scales, from the first frame and after others.
func TestNamesInAllScripts(t *testing.T) {
	draw.SetScripts(some(t).Layout)
	defer draw.SetScripts(nil)
	for _, scale := range []float32{1, 2} {
		for range 3 {
			var l draw.List
			l.Begin(scale)
			for i, name := range names {
				y := scale * float32(22*i+20)
				l.Text(10*scale, y, draw.FaceText, name, color.NRGBA{230, 230, 230, 255})
				l.TextCut(200*scale, y, 60*scale, draw.FaceBold, name, color.NRGBA{120, 200, 250, 255})
				l.Text(300*scale, y, draw.FaceMono, name, color.NRGBA{230, 200, 120, 255})
			}
			m := image.NewRGBA(image.Rect(0, 0, int(500*scale), int(236*scale)))
			imagedraw.Draw(m, m.Rect, image.NewUniform(color.RGBA{14, 17, 22, 255}), image.Point{}, imagedraw.Src)
			soft.Render(m, &l)
			golden.PictureWithin(t, fmt.Sprintf("names@%gx.png", scale), m, golden.Driver)
		}
	}
}

// words16 returns numbers of two bytes each, big-endian.
func words16(numbers ...uint16) (b []byte) {
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint16(b, n)
	}
	return b
}

// words32 returns numbers of four bytes each, big-endian.
func words32(numbers ...uint32) (b []byte) {
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return b
}

// with returns a font in which some tables are others.
func with(others map[string][]byte) []byte {
	tables := boxfont.Tables("物理")
	for tag, table := range others {
		tables[tag] = table
	}
	return boxfont.Assemble(tables)
}

// glyphs returns the tables for outlines.
func glyphs(outlines ...[]byte) map[string][]byte {
	var glyf, loca []byte
	for _, o := range outlines {
		loca = append(loca, words32(uint32(len(glyf)))...)
		glyf = append(glyf, o...)
	}
	maxp := append(words32(0x10000), words16(uint16(len(outlines)))...)
	return map[string][]byte{"glyf": glyf, "loca": append(loca, words32(uint32(len(glyf)))...),
		"maxp": append(maxp, make([]byte, 26)...)}
}

// composedOf returns an outline that consists of other glyphs.
func composedOf(others ...uint16) []byte {
	b := words16(0xffff, 0, 0, 0, 0)
	for i, o := range others {
		flags := uint16(1 << 5)
		if i == len(others)-1 {
			flags = 0
		}
		b = append(b, words16(flags, o, 0)...)
	}
	return b
}

// doubling is n outlines, each of which is two of the one before.
func doubling(n int) (all [][]byte) {
	for i := range n {
		all = append(all, composedOf(uint16(max(i-1, 0)), uint16(max(i-1, 0))))
	}
	all[0] = words16(0, 0, 0, 0, 0)
	return all
}

// groups returns a table of characters with n groups.
func groups(n int, first, last uint32) []byte {
	b := append(words16(0, 1, 3, 10), words32(12)...)
	b = append(b, words16(12, 0)...)
	b = append(b, words32(uint32(16+12*n), 0, uint32(n))...)
	for range n {
		b = append(b, words32(first, last, 0)...)
	}
	return b
}

// shared returns a table of layout: each of its lookups is the same one, and so are the lists in that.
func shared(lookups, subtables, sets, rules uint16) []byte {
	same := func(n, to uint16) []byte { return append(words16(n), bytes.Repeat(words16(to), int(n))...) }
	b := words16(1, 0, 0, 0, 10)
	b = append(b, same(lookups, 2*lookups+2)...)
	lookup := append(words16(4, 0), same(subtables, 2*subtables+6)...)
	b = append(b, lookup...)
	b = append(b, append(words16(1, 4), same(sets, 2*sets+6)...)...)
	return append(b, same(rules, 2*rules+2)...)
}

// copies returns a collection of n times the same font.
func copies(n uint32, font []byte) []byte {
	head := append([]byte("ttcf"), words32(0x10000, n)...)
	at := uint32(len(head)) + 4*min(n, 1000)
	for range min(n, 1000) {
		head = append(head, words32(at)...)
	}
	return append(head, moved(font, at)...)
}

// moved returns a font whose tables are at places that are larger.
func moved(font []byte, by uint32) []byte {
	font = bytes.Clone(font)
	for i := range int(binary.BigEndian.Uint16(font[4:])) {
		at := font[12+16*i+8:]
		binary.BigEndian.PutUint32(at, binary.BigEndian.Uint32(at)+by)
	}
	return font
}

// changed returns a font with other bytes at a place.
func changed(at int, by ...byte) []byte {
	font := with(nil)
	copy(font[at:], by)
	return font
}

// bombs are small files that would take much memory or time, and files that are no fonts.
var bombs = map[string][]byte{
	"a table beyond the end":   changed(12+12, 0xcf, 0, 0, 0),
	"a table far away":         changed(12+8, 0xff, 0xff, 0xff, 0xff),
	"many tables":              changed(4, 0xff, 0xff),
	"many fonts":               copies(0xffffffff, with(nil)),
	"the same font very often": copies(1000, with(nil)),
	"the same large font":      copies(120, with(map[string][]byte{"GSUB": make([]byte, 10<<20)})),
	"groups of all characters": with(map[string][]byte{"cmap": groups(10_000, 0, 0x10ffff)}),
	"characters that are none": with(map[string][]byte{"cmap": groups(1, 0, 0xffffffff)}),
	"a glyph within itself":    with(glyphs(composedOf(0))),
	"glyphs within each other": with(glyphs(composedOf(1), composedOf(0))),
	"glyphs that double":       with(glyphs(doubling(17)...)),
	"a glyph of many":          with(glyphs(words16(0, 0, 0, 0, 0), composedOf(make([]uint16, 5000)...))),
	"lookups that are shared":  with(map[string][]byte{"GSUB": shared(5000, 5000, 5000, 5000)}),
	"lists that are shared":    with(map[string][]byte{"GPOS": shared(1, 5000, 5000, 5000)}),
	"the web's":                append([]byte("wOFF"), make([]byte, 100)...),
	"nothing":                  nil,
	"a text":                   []byte("#!/bin/sh\necho no font\n"),
}

// A damaged file costs little memory, one line says so, and the other fonts are used.
func TestFontBombs(t *testing.T) {
	good := fontFile(t, "good.ttf", "物理")
	for name, bomb := range bombs {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "bomb.ttf")
			must.Do(t, os.WriteFile(file, bomb, 0o600))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f, err := system.OpenFiles(file, good)
			runtime.ReadMemStats(&after)
			if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "bomb.ttf") {
				t.Errorf("got %v; want one line with the file's name", err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
				t.Errorf("it took %d MB; want little", took>>20)
			}
			if got := words(f.Layout("物", style)); got != "[物]" {
				t.Errorf("the other font: got %q; want its character", got)
			}
		})
	}
}

// Whatever is changed in a file, and wherever it ends, opening it ends and takes little memory.
func TestChangedFontsTakeLittle(t *testing.T) {
	whole := with(map[string][]byte{"GSUB": shared(2, 2, 2, 2), "GPOS": shared(2, 2, 2, 2)})
	file, r := filepath.Join(t.TempDir(), "damaged.ttf"), rand.New(rand.NewPCG(1, 41))
	for round := range longtest.Pick(20_000, 1500) {
		font := bytes.Clone(whole)
		for range 1 + r.IntN(4) {
			font[r.IntN(len(font))] = []byte{0, 1, 0x7f, 0x80, 0xff, byte(r.Uint32())}[r.IntN(6)]
		}
		if r.IntN(4) == 0 {
			font = font[:r.IntN(len(font))]
		}
		must.Do(t, os.WriteFile(file, font, 0o600))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, _ := system.OpenFiles(file)
		f.Layout("物理", style)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 256<<20 {
			t.Fatalf("round %d: it took %d MB; want little", round, took>>20)
		}
	}
}

// The checks refuse none of them.
func TestFontsOfThisMachineAreRead(t *testing.T) {
	n := 0
	_ = filepath.WalkDir("/usr/share/fonts", func(path string, _ fs.DirEntry, err error) error {
		switch strings.ToLower(filepath.Ext(path)) {
		case ".ttf", ".otf", ".ttc":
			n++
			if _, err := system.OpenFiles(path); err != nil {
				t.Error(err)
			}
		}
		return err
	})
	if n == 0 {
		t.Skip("this machine has no fonts")
	}
}
