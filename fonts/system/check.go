package system

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// The limits of a font file. The largest fonts of systems are below them; the library that reads fonts has none.
const (
	mostFile   = 256 << 20 // bytes
	mostParsed = 1 << 30   // bytes of the tables of all fonts in a collection, which may share them
	mostFaces  = 128       // fonts in a collection
	mostTables = 64
	mostPoints = 16 << 20 // of all outlines of a font
	mostParts  = 4096     // glyphs that a glyph is composed of, with their own parts
	mostNested = 16       // glyphs within glyphs
)

var (
	errDamaged  = errors.New("the font is damaged")
	errTooLarge = errors.New("the font is too large")
	errKind     = errors.New("not a font: TrueType, OpenType or a collection of these")
)

// readable returns the content of a font file that is safe to parse: parsing it takes memory and time in proportion to
// its size. It hides the tables that this package does not use.
func readable(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errKind
	case info.Size() > mostFile:
		return nil, errTooLarge
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, mostFile))
	if err != nil {
		return nil, err
	}
	return content, check(content)
}

// check returns an error if it may take too much to parse a file.
func check(file []byte) error {
	starts, err := beginnings(file)
	if err != nil {
		return err
	}
	parsed := 0
	for _, start := range starts {
		t, err := tablesOf(file, start)
		if err != nil {
			return err
		}
		for _, table := range t {
			parsed += len(table)
		}
		if parsed > mostParsed {
			return errTooLarge
		}
		if err := t.check(); err != nil {
			return err
		}
	}
	return nil
}

// beginnings returns where the fonts of a file begin.
func beginnings(file []byte) (starts []int, err error) {
	if len(file) < 12 {
		return nil, errKind
	}
	switch string(file[:4]) {
	case "\x00\x01\x00\x00", "OTTO", "true", "typ1":
		return []int{0}, nil
	case "ttcf":
	default:
		return nil, errKind
	}
	n := int(number32(file, 8))
	if n > mostFaces {
		return nil, errTooLarge
	}
	for i := range n {
		if len(file) < 16+4*i {
			return nil, errDamaged
		}
		starts = append(starts, int(number32(file, 12+4*i)))
	}
	return starts, nil
}

// fontTables are the tables of one font that this package uses, by their tags.
type fontTables map[string][]byte

// used are the tags of the tables that shaping and drawing need. Others may be as large to parse as they like: they are
// hidden.
var used = []string{"OS/2", "cmap", "head", "hhea", "hmtx", "maxp", "name", "post", "loca", "glyf", "CFF ", "CFF2",
	"GSUB", "GPOS", "GDEF", "vhea", "vmtx", "VORG", "CBLC", "CBDT", "EBLC", "EBDT", "sbix"}

// hidden is the tag of a table that no program reads.
const hidden = "\x00\x00\x00\x00"

// tablesOf returns the tables of the font that begins at a place of a file.
func tablesOf(file []byte, start int) (fontTables, error) {
	if start < 0 || start+12 > len(file) {
		return nil, errDamaged
	}
	t := fontTables{}
	n := int(number16(file, start+4))
	if n > mostTables {
		return nil, errTooLarge
	}
	for i := range n {
		at := start + 12 + 16*i
		if at+16 > len(file) {
			return nil, errDamaged
		}
		tag := string(file[at : at+4])
		begin, length := int(number32(file, at+8)), int(number32(file, at+12))
		switch {
		case !slices.Contains(used, tag):
			copy(file[at:], hidden)
			continue
		case begin > len(file) || length > len(file)-begin || t[tag] != nil:
			return nil, fmt.Errorf("%w: table %q is missing or duplicated", errDamaged, tag)
		}
		t[tag] = file[begin : begin+length : begin+length]
	}
	return t, nil
}

func (t fontTables) check() error {
	if len(t["maxp"]) < 6 || len(t["head"]) < 54 {
		return fmt.Errorf("%w: its number of glyphs is missing", errDamaged)
	}
	for _, check := range []func() error{t.checkCharacters, t.checkOutlines, t.checkLayout} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// mostCharacters is more than Unicode has.
const mostCharacters = 0x110000

// checkCharacters checks the table that says which glyph a character has: its groups are in order, so that they have
// each character once.
func (t fontTables) checkCharacters() error {
	cmap := t["cmap"]
	for i := range int(number16(cmap, 2)) {
		at := int(number32(cmap, 8+8*i))
		if at >= len(cmap) {
			return fmt.Errorf("%w: its characters are not in it", errDamaged)
		}
		sub := cmap[at:]
		groups, record, next := 0, 0, int64(-1)
		switch number16(sub, 0) {
		case 12, 13:
			groups, record = int(number32(sub, 12)), 12
		case 10:
			if number32(sub, 16) > mostCharacters {
				return errDamaged
			}
		case 14:
			if err := checkVariants(sub); err != nil {
				return err
			}
		}
		if groups > len(sub)/12 || i >= mostTables {
			return fmt.Errorf("%w: its characters are not in it", errDamaged)
		}
		for g := range groups {
			first, last := int64(number32(sub, 16+g*record)), int64(number32(sub, 20+g*record))
			if first <= next || last < first || last >= mostCharacters {
				return fmt.Errorf("%w: its characters are out of order", errDamaged)
			}
			next = last
		}
	}
	return nil
}

// checkVariants checks the ranges of variants of characters, which the selectors may share.
func checkVariants(sub []byte) error {
	ranges := 0
	for i := range int(number32(sub, 6)) {
		record := 10 + 11*i
		if record+11 > len(sub) {
			return errDamaged
		}
		for _, offset := range []int{3, 7} {
			if at := int(number32(sub, record+offset)); at != 0 {
				ranges += int(number32(sub, at))
			}
		}
		if ranges > len(sub) {
			return errTooLarge
		}
	}
	return nil
}

// number16 and number32 read a number, 0 beyond the end.
func number16(b []byte, at int) uint16 {
	if at < 0 || at+2 > len(b) {
		return 0
	}
	return binary.BigEndian.Uint16(b[at:])
}

func number32(b []byte, at int) uint32 {
	if at < 0 || at+4 > len(b) {
		return 0
	}
	return binary.BigEndian.Uint32(b[at:])
}
