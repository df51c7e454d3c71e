// Package boxfont makes fonts of boxes, for tests of scripts that no font here has.
//
//	file := boxfont.Font("日本語")
package boxfont

import (
	"encoding/binary"
	"slices"
)

// units is the number of font units in an em.
const units = 1000

// Font returns a TrueType font in which each of the characters is a box of its own height. The advance of all but marks
// is an em.
func Font(characters string) []byte { return Assemble(Tables(characters)) }

// Tables returns the tables of such a font, by their tags.
func Tables(characters string) map[string][]byte {
	runes := []rune(characters)
	slices.Sort(runes)
	runes = slices.Compact(runes)
	var glyf, loca, hmtx, groups []byte
	loca = be(loca, uint32(0))
	add := func(advance, height int) {
		glyf = append(glyf, box(advance, height)...)
		loca = be(loca, uint32(len(glyf)))
		hmtx = be(hmtx, uint16(advance), uint16(0))
	}
	add(500, 500) // what the font lacks
	for i, r := range runes {
		add(units, 100+i%16*50)
		groups = be(groups, uint32(r), uint32(r), uint32(i+1))
	}
	n := len(runes) + 1
	cmap := be(nil, uint16(0), uint16(1), uint16(3), uint16(10), uint32(12), uint16(12), uint16(0),
		uint32(16+len(groups)), uint32(0), uint32(len(runes)))
	return map[string][]byte{
		"cmap": append(cmap, groups...),
		"glyf": glyf, "loca": loca, "hmtx": hmtx,
		"head": be(nil, uint32(0x10000), uint32(0), uint32(0), uint32(0x5f0f3cf5), uint16(0), uint16(units),
			uint64(0), uint64(0), uint16(0), uint16(0), uint16(units), uint16(units), uint16(0), uint16(8), uint16(2),
			uint16(1), uint16(0)),
		"hhea": be(nil, uint32(0x10000), int16(800), int16(-200), uint16(0), uint16(units), make([]byte, 22),
			uint16(n)),
		"maxp": be(nil, uint32(0x10000), uint16(n), make([]byte, 26)),
		"name": be(nil, uint16(0), uint16(0), uint16(6)),
	}
}

// box returns a glyph that is a rectangle.
func box(width, height int) []byte {
	w, h := int16(width-100), int16(height)
	return be(nil, int16(1), int16(0), int16(0), w, h, uint16(3), uint16(0), []byte{1, 1, 1, 1},
		int16(0), w, int16(0), -w, int16(0), int16(0), h, int16(0), uint16(0))
}

// Assemble returns a file of tables.
func Assemble(tables map[string][]byte) []byte {
	var tags []string
	for tag := range tables {
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	file := be(nil, uint32(0x10000), uint16(len(tags)), uint16(0), uint16(0), uint16(0))
	at := len(file) + 16*len(tags)
	var content []byte
	for _, tag := range tags {
		table := tables[tag]
		file = be(file, []byte(tag), uint32(0), uint32(at+len(content)), uint32(len(table)))
		content = append(content, table...)
		for len(content)%4 != 0 {
			content = append(content, 0)
		}
	}
	return append(file, content...)
}

// be appends values, big-endian.
func be(b []byte, values ...any) []byte {
	for _, v := range values {
		var err error
		if b, err = binary.Append(b, binary.BigEndian, v); err != nil {
			panic(err)
		}
	}
	return b
}
