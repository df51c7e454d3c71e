package system_test

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/iprof/fonts/system"
	"example.com/iprof/internal/boxfont"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
)

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

// TestFontBombs: a damaged file costs little memory, one line says so, and the other fonts are used.
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

// TestChangedFontsTakeLittle: whatever is changed in a file, and wherever it ends, opening it ends and takes little
// memory.
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

// TestFontsOfThisMachineAreRead: the checks refuse none of them.
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
