package gofonts

import (
	"encoding/binary"

	"golang.org/x/image/math/fixed"
)

// typeface is a TrueType file. The files are part of the program, so their tables are not doubted. Package
// golang.org/x/image/font/sfnt would do, but every program that imports package iprof would link character sets of
// golang.org/x/text with it. The tests compare the two.
type typeface struct {
	glyf, loca, hmtx, cmap []byte
	long                   bool // loca has words of 4 bytes
	units                  fixed.Int26_6
	advances               int // widths in hmtx
	ascent, descent        fixed.Int26_6
}

func u16(b []byte, at int) int { return int(binary.BigEndian.Uint16(b[at:])) }
func i16(b []byte, at int) int { return int(int16(binary.BigEndian.Uint16(b[at:]))) }
func u32(b []byte, at int) int { return int(binary.BigEndian.Uint32(b[at:])) }

// parse finds the tables of a file.
func parse(file []byte) *typeface {
	tables := func(name string) []byte {
		for at := 12; at < 12+16*u16(file, 4); at += 16 {
			if string(file[at:at+4]) == name {
				return file[u32(file, at+8):][:u32(file, at+12)]
			}
		}
		panic("fonts: a typeface without table " + name)
	}
	head, hhea, cmap := tables("head"), tables("hhea"), tables("cmap")
	f := &typeface{glyf: tables("glyf"), loca: tables("loca"), hmtx: tables("hmtx"), long: u16(head, 50) != 0,
		units: fixed.Int26_6(u16(head, 18)), advances: u16(hhea, 34),
		ascent: fixed.Int26_6(i16(hhea, 4)), descent: fixed.Int26_6(-i16(hhea, 6))}
	for at := 4; at < 4+8*u16(cmap, 2); at += 8 { // the table of Unicode's first plane
		if of := cmap[u32(cmap, at+4):]; u16(of, 0) == 4 {
			f.cmap = of
			return f
		}
	}
	panic("fonts: a typeface without a table of characters")
}

// index returns the number of a character's glyph, 0 without one: see format 4 of table cmap.
func (f *typeface) index(c rune) int {
	double := u16(f.cmap, 6) // the number of segments, twice
	ends, begins := f.cmap[14:], f.cmap[16+double:]
	deltas, ranges := f.cmap[16+2*double:], f.cmap[16+3*double:]
	for at := 0; at < double && c <= 0xffff; at += 2 {
		begin := u16(begins, at)
		if int(c) > u16(ends, at) {
			continue
		}
		if int(c) < begin {
			return 0
		}
		if offset := u16(ranges, at); offset != 0 {
			glyph := u16(ranges, at+offset+2*(int(c)-begin))
			if glyph == 0 {
				return 0
			}
			return (glyph + u16(deltas, at)) & 0xffff
		}
		return (int(c) + u16(deltas, at)) & 0xffff
	}
	return 0
}

// scaled converts units of the typeface to pixels. size is in pixels per em.
func (f *typeface) scaled(units, size fixed.Int26_6) fixed.Int26_6 {
	v := units * size
	if v >= 0 {
		return (v + f.units/2) / f.units
	}
	return (v - f.units/2) / f.units
}

// advance is the distance to the next character, in units.
func (f *typeface) advance(glyph int) fixed.Int26_6 {
	return fixed.Int26_6(u16(f.hmtx, 4*min(glyph, f.advances-1)))
}

// segment is a part of an outline: a move if there are no points, a line to one, or a curve of the second degree.
type segment struct {
	points  int // 0: a move to the last one
	control fixed.Point26_6
	to      fixed.Point26_6
}

// glyph returns the data of a glyph.
func (f *typeface) glyph(number int) []byte {
	if f.long {
		return f.glyf[u32(f.loca, 4*number):u32(f.loca, 4*number+4)]
	}
	return f.glyf[2*u16(f.loca, 2*number) : 2*u16(f.loca, 2*number+2)]
}

// outline appends the outline of a glyph, in units, y up.
func (f *typeface) outline(dst []segment, glyph int) []segment {
	data := f.glyph(glyph)
	switch {
	case len(data) == 0:
		return dst
	case i16(data, 0) < 0:
		return f.compound(dst, data[10:])
	}
	return simple(dst, data)
}

// The flags of a glyph's parts, and of a point.
const (
	partWords  = 1
	partMoves  = 2
	partScale  = 8
	partMore   = 32
	partScales = 64
	partMatrix = 128

	pointOn      = 1
	pointShortX  = 2
	pointShortY  = 4
	pointRepeats = 8
	pointSameX   = 16
	pointSameY   = 32
)

// compound appends the glyphs that a glyph is made of, each moved.
func (f *typeface) compound(dst []segment, data []byte) []segment {
	for more := true; more; {
		flags, glyph, first := u16(data, 0), u16(data, 2), len(dst)
		if flags&partMoves == 0 || flags&(partScale|partScales|partMatrix) != 0 {
			panic("fonts: a glyph with parts that are not only moved")
		}
		x, y := int(int8(data[4])), int(int8(data[5]))
		if data = data[6:]; flags&partWords != 0 {
			x, y = x<<8|int(uint8(y)), i16(data, 0)
			data = data[2:]
		}
		by := fixed.Point26_6{X: fixed.Int26_6(x), Y: fixed.Int26_6(y)}
		dst = f.outline(dst, glyph)
		for i := first; i < len(dst); i++ {
			dst[i].control, dst[i].to = dst[i].control.Add(by), dst[i].to.Add(by)
		}
		more = flags&partMore != 0
	}
	return dst
}

// point is a point of a contour. A point that is not on it draws a curve to itself.
type point struct {
	fixed.Point26_6
	on bool
}

// simple appends a glyph of contours.
func simple(dst []segment, data []byte) []segment {
	contours := i16(data, 0)
	if contours == 0 {
		return dst
	}
	points := make([]point, 1+u16(data, 10+2*(contours-1)))
	rest := data[10+2*contours:]
	rest = rest[2+u16(rest, 0):] // without hints
	flags := make([]byte, len(points))
	for i := 0; i < len(flags); {
		flag, times := rest[0], 1
		if rest = rest[1:]; flag&pointRepeats != 0 {
			times, rest = 1+int(rest[0]), rest[1:]
		}
		for range times {
			flags[i] = flag
			i++
		}
	}
	x, y := 0, 0
	for i, flag := range flags {
		rest = move(&x, rest, flag&pointShortX != 0, flag&pointSameX != 0)
		points[i].X, points[i].on = fixed.Int26_6(x), flag&pointOn != 0
	}
	for i, flag := range flags {
		rest = move(&y, rest, flag&pointShortY != 0, flag&pointSameY != 0)
		points[i].Y = fixed.Int26_6(y)
	}
	begin := 0
	for i := range contours {
		end := 1 + u16(data, 10+2*i)
		dst = contour(dst, points[begin:end])
		begin = end
	}
	return dst
}

// move reads a coordinate. A short one has its sign in same.
func move(v *int, data []byte, short, same bool) (rest []byte) {
	switch {
	case short && same:
		*v += int(data[0])
	case short:
		*v -= int(data[0])
	case !same:
		*v += i16(data, 0)
		return data[2:]
	default:
		return data
	}
	return data[1:]
}

// contour appends a closed contour. Between two consecutive off-curve points lies an implied on-curve point.
func contour(dst []segment, points []point) []segment {
	between := func(p, q fixed.Point26_6) fixed.Point26_6 {
		return fixed.Point26_6{X: (p.X + q.X) / 2, Y: (p.Y + q.Y) / 2}
	}
	start, last, curved := points[0].Point26_6, fixed.Point26_6{}, false
	rest := points[1:]
	var early []point // a first point that is not on the contour comes last
	if !points[0].on {
		early = points[:1]
		if start = points[1].Point26_6; points[1].on {
			rest = points[2:]
		} else {
			start = between(points[0].Point26_6, start)
		}
	}
	dst = append(dst, segment{to: start})
	draw := func(p point) {
		switch {
		case p.on && curved:
			dst, curved = append(dst, segment{2, last, p.Point26_6}), false
		case p.on:
			dst = append(dst, segment{points: 1, to: p.Point26_6})
		case curved:
			dst = append(dst, segment{2, last, between(last, p.Point26_6)})
			last = p.Point26_6
		default:
			last, curved = p.Point26_6, true
		}
	}
	for _, p := range rest {
		draw(p)
	}
	for _, p := range early {
		draw(p)
	}
	draw(point{start, true})
	return dst
}
