package icon

import (
	"fmt"
	"image/color"
	"strings"
)

// SVG returns the icon as a scalable drawing.
func SVG() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "+
		"shape-rendering=\"geometricPrecision\">\n", side, side)
	fmt.Fprintf(&b, "\t<title>IProf</title>\n\t<rect width=\"%d\" height=\"%d\" rx=\"%g\" fill=\"%s\"/>\n",
		side, side, corner, hex(ground))
	for _, r := range rectangles() {
		fmt.Fprintf(&b, "\t<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\"/>\n",
			r.x, r.y, r.width, r.height, hex(r.color))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
