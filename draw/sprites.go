package draw

import (
	"image"
	"math"

	"golang.org/x/image/vector"
)

// maxRadius is the greatest corner radius in nominal pixels.
const maxRadius = 8

// Icon is a symbol that the typefaces lack.
type Icon uint8

// The icons.
const (
	IconRight Icon = iota // caret of a closed row
	IconDown              // caret of an open row; sorted by this column, downwards
	IconUp                // marker below the selected frame; sorted upwards
	IconDot               // round bullet
	numIcons  = iota
)

// iconSide is the side of an icon in nominal pixels.
const iconSide = 10

// iconShapes are the corners of the icons, in units of the icon's side.
var iconShapes = [numIcons][][2]float32{
	IconRight: {{0.22, 0.08}, {0.22, 0.92}, {0.84, 0.5}},
	IconDown:  {{0.08, 0.22}, {0.92, 0.22}, {0.5, 0.80}},
	IconUp:    {{0.5, 0.18}, {1, 0.82}, {0, 0.82}},
}

// numStrokes is the number of line widths.
const numStrokes = 4

// strokeWidths are the widths in nominal pixels.
var strokeWidths = [numStrokes]float32{1, 1.5, 2, 3}

// stroke is the cross section of a line: coverage along v.
type stroke struct {
	width float32 // pixels
	above float32 // from this width on, the next stroke is nearer
	reach float32 // pixels from the middle to the end of the coverage
	from  texel
	to    uint16 // v at the other side
}

// strokeTexels is the number of texels per pixel of a cross section. It is high because the nearest texel is used.
const strokeTexels = 64

// addSprites adds discs, rings, icons and strokes. The returned function completes them after packing.
func (a *Atlas) addSprites(p *packer) (finish func()) {
	largest := int(math.Ceil(maxRadius * float64(a.scale)))
	a.discs, a.rings = make([]sprite, largest+1), make([]sprite, largest+1)
	for r := 1; r <= largest; r++ {
		p.add(disc(r, 0), &a.discs[r])
		p.add(disc(r, float64(r)-float64(Hairline(a.scale))), &a.rings[r])
	}
	side := int(Snap(iconSide * a.scale))
	for i := range a.icons {
		p.add(icon(Icon(i), side), &a.icons[i])
	}
	var sections [numStrokes]sprite
	for i := range sections {
		a.strokes[i].width = strokeWidths[i] * a.scale
		a.strokes[i].reach = (a.strokes[i].width + 1) / 2
		if i > 0 {
			a.strokes[i-1].above = (a.strokes[i-1].width + a.strokes[i].width) / 2
		}
		p.add(crossSection(a.strokes[i]), &sections[i])
	}
	return func() {
		for i, s := range sections {
			a.strokes[i].from = texel{middle(s).u, s.from.v}
			a.strokes[i].to = s.to.v
		}
	}
}

// Hairline returns the width of borders, rules and dashes at a scale: whole pixels, at least 1.
func Hairline(scale float32) float32 { return max(1, Snap(scale)) }

// strokeOf returns the stroke nearest to a width in pixels.
func (a *Atlas) strokeOf(width float32) *stroke {
	best := 0
	for best+1 < numStrokes && width > a.strokes[best].above {
		best++
	}
	return &a.strokes[best]
}

func abs(v float32) float32 { return max(v, -v) }

// disc returns a round mask of the given radius with a hole of the given radius.
func disc(radius int, hole float64) *image.Alpha {
	m := image.NewAlpha(image.Rect(0, 0, 2*radius, 2*radius))
	quarter := make([]uint8, radius*radius) // below and right of the middle; the others are mirrored
	for y := range radius {
		for x := range y + 1 {
			covered := share(x, y, float64(radius)) - share(x, y, hole)
			quarter[y*radius+x] = uint8(math.Round(255 * covered))
			quarter[x*radius+y] = quarter[y*radius+x]
		}
	}
	away := func(at int) int { return max(at-radius, radius-1-at) }
	for y := range 2 * radius {
		for x := range 2 * radius {
			m.Pix[y*m.Stride+x] = quarter[away(y)*radius+away(x)]
		}
	}
	return m
}

// share returns how much of the pixel at (x, y) lies within a circle around the origin. It tests 16 x 16 points.
func share(x, y int, radius float64) float64 {
	const n = 16
	inside := 0
	for i := range n * n {
		dx := float64(x) + (float64(i%n)+0.5)/n
		dy := float64(y) + (float64(i/n)+0.5)/n
		if float64(dx*dx)+float64(dy*dy) < radius*max(radius, 0) {
			inside++
		}
	}
	return float64(inside) / (n * n)
}

// paste copies a part of a mask to a place in another, which has room for it. Package image/draw does it for all kinds
// of pictures, which a browser would load, too.
func paste(to *image.Alpha, at image.Point, from *image.Alpha, part image.Rectangle) {
	for y := range part.Dy() {
		begin := from.PixOffset(part.Min.X, part.Min.Y+y)
		copy(to.Pix[to.PixOffset(at.X, at.Y+y):], from.Pix[begin:begin+part.Dx()])
	}
}

// icon draws a symbol.
func icon(id Icon, side int) *image.Alpha {
	if id == IconDot {
		m := image.NewAlpha(image.Rect(0, 0, side, side))
		r := (side - 2) / 2
		d := disc(r, 0)
		at := image.Pt((side-2*r)/2, (side-2*r)/2)
		paste(m, at, d, d.Rect)
		return m
	}
	z := vector.NewRasterizer(side, side)
	for i, c := range iconShapes[id] {
		if i == 0 {
			z.MoveTo(c[0]*float32(side), c[1]*float32(side))
		} else {
			z.LineTo(c[0]*float32(side), c[1]*float32(side))
		}
	}
	z.ClosePath()
	m := image.NewAlpha(image.Rect(0, 0, side, side))
	z.Draw(m, m.Rect, image.Opaque, image.Point{})
	return m
}

// crossSection returns a line's coverage from one side to the other: full inside, falling over one pixel at each
// edge.
func crossSection(s stroke) *image.Alpha {
	m := image.NewAlpha(image.Rect(0, 0, 4, strokeTexels))
	for y := range strokeTexels {
		off := math.Abs((float64(y)+0.5)/strokeTexels*2-1) * float64(s.reach)
		covered := min(max(float64(s.reach)-off, 0), 1, float64(s.width))
		for x := range 4 {
			m.Pix[y*m.Stride+x] = uint8(math.Round(255 * covered))
		}
	}
	return m
}
