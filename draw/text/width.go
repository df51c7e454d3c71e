package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/iprof/internal/printed"
)

// wide contains the characters that take two terminal cells: the East Asian and emoji blocks (Unicode TR 11, W and
// F).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, {Lo: 0x2e80, Hi: 0x303e, Stride: 1}, {Lo: 0x3041, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1}, {Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1}, {Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, {Lo: 0x1f680, Hi: 0x1f9ff, Stride: 1},
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}

// runeWidth returns the number of terminal cells of r.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// displayWidth returns the number of terminal cells of s, which must be escaped.
func displayWidth(s string) int {
	cells := 0
	for _, r := range s {
		cells += runeWidth(r)
	}
	return cells
}

// cut returns s shortened to at most width cells, with "..." at the end. It reads only the part it keeps, so a name
// of a megabyte costs no more than a short one. A limit in bytes stops stacks of combining marks.
func cut(s string, width int) string {
	const bytesPerCell = 8
	cells, keep := 0, 0
	for i, r := range s {
		cells += runeWidth(r)
		if cells > width || i > width*bytesPerCell {
			return s[:keep] + "..."
		}
		if cells <= width-3 && i <= (width-3)*bytesPerCell {
			keep = i + utf8.RuneLen(r)
		}
	}
	return s
}

// cutName is cut for a name, which loses its middle.
func cutName(s string, width int) string {
	const mark = "..."
	head, tail := printed.Middle(s, float32(width), float32(len(mark)), func(char string) float32 {
		r, _ := utf8.DecodeRuneInString(char)
		return float32(runeWidth(r))
	})
	if tail != "" || head != s {
		head += mark
	}
	return head + tail
}

// mostName is the width in cells at which names are cut.
const mostName = 100

// shown returns a name in the form for people.
func shown(name string) string {
	if strings.Trim(name, " ") == "" {
		return "(unnamed)"
	}
	return cutName(printed.Distinct(name), mostName)
}
