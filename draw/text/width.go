package text

import (
	"strings"
	"unicode/utf8"

	"example.com/iprof/internal/printed"
)

// displayWidth returns the number of terminal cells of s, which must be escaped.
func displayWidth(s string) int { return printed.Cells(s) }

// cut returns s shortened to at most width cells, with "..." at the end. It reads only the part it keeps, so a name
// of a megabyte costs no more than a short one. A limit in bytes stops stacks of combining marks.
func cut(s string, width int) string {
	const bytesPerCell = 8
	cells, keep := 0, 0
	for i, r := range s {
		cells += printed.RuneCells(r)
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
		return float32(printed.RuneCells(r))
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
