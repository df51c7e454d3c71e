package gofonts

import (
	"bytes"
	"encoding/binary"
	"flag"
	"os"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"

	"example.com/iprof/internal/must"
)

var update = flag.Bool("update", false, "write the typefaces' files")

var originals = [4]struct {
	file string
	data []byte
}{{"regular.ttf", goregular.TTF}, {"medium.ttf", gomedium.TTF}, {"bold.ttf", gobold.TTF}, {"mono.ttf", gomono.TTF}}

func TestTypefacesWithoutHints(t *testing.T) {
	for _, of := range originals {
		want := withoutHints(of.data)
		if *update {
			must.Do(t, os.WriteFile(of.file, want, 0o644))
		}
		if got := must.Get(os.ReadFile(of.file))(t); !bytes.Equal(got, want) {
			t.Errorf("%s is not that of golang.org/x/image: run go test -update ./internal/outlines/gofonts", of.file)
		}
	}
}

// kept are the tables that a program needs to draw a typeface without hints, in the order of the format.
var kept = [...]string{"cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp"}

// withoutHints returns a TrueType file without hints, and without names that only an editor shows.
func withoutHints(file []byte) []byte {
	tables := map[string][]byte{}
	for at := 12; at < 12+16*u16(file, 4); at += 16 {
		tables[string(file[at:at+4])] = file[u32(file, at+8):][:u32(file, at+12)]
	}
	head := bytes.Clone(tables["head"])
	binary.BigEndian.PutUint16(head[50:], 0) // words of 2 bytes in loca
	tables["glyf"], tables["loca"] = outlinesOf(parse(file), u16(tables["maxp"], 4))
	tables["head"] = head
	out := binary.BigEndian.AppendUint32(nil, 0x10000)
	for _, n := range [...]uint16{uint16(len(kept)), 64, 2, uint16(16*len(kept) - 64)} { // for a binary search
		out = binary.BigEndian.AppendUint16(out, n)
	}
	at := len(out) + 16*len(kept)
	for _, name := range kept {
		out = append(out, name...)
		for _, n := range [...]uint32{sum(tables[name]), uint32(at), uint32(len(tables[name]))} {
			out = binary.BigEndian.AppendUint32(out, n)
		}
		at += (len(tables[name]) + 3) &^ 3
	}
	for _, name := range kept {
		out = append(out, tables[name]...)
		out = append(out, make([]byte, -len(out)&3)...)
	}
	return out
}

// outlinesOf returns the tables of outlines without hints, and of their offsets.
func outlinesOf(f *typeface, glyphs int) (glyf, loca []byte) {
	for i := range glyphs + 1 {
		loca = binary.BigEndian.AppendUint16(loca, uint16(len(glyf)/2))
		if i == glyphs {
			break
		}
		data := f.glyph(i)
		if len(data) > 0 && i16(data, 0) >= 0 {
			hints := 10 + 2*i16(data, 0)
			glyf = append(append(glyf, data[:hints]...), 0, 0)
			data = data[hints+2+u16(data, hints):]
		}
		glyf = append(glyf, data...)
		glyf = append(glyf, make([]byte, len(glyf)&1)...)
	}
	return glyf, loca
}

// sum is the checksum of a table.
func sum(table []byte) (sum uint32) {
	padded := append(bytes.Clone(table), 0, 0, 0)
	for i := 0; i+4 <= len(padded); i += 4 {
		sum += binary.BigEndian.Uint32(padded[i:])
	}
	return sum
}
