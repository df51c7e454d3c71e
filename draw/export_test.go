package draw

import "image/color"

// RoundParts draws what Round does, none of it from a sprite of the whole.
func RoundParts(l *List, x0, y0, x1, y1, radius float32, c color.NRGBA) {
	l.roundParts(x0, y0, x1, y1, cornerRadius(l.atlas().discs, x1-x0, y1-y0, radius), c)
}

// LaidOut returns the number of parts of rows that AppendReport laid out, and did not copy.
func LaidOut(l *List) int { return l.kept.laid }
