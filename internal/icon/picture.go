package icon

import (
	"image"
	"image/color"
	"math"
)

// Sizes are the widths, in pixels, that desktops ask for.
var Sizes = [...]int{16, 32, 48, 64, 128, 256}

// Picture returns the icon, size pixels wide and high. size is clamped to 1..1024.
func Picture(size int) *image.NRGBA {
	size = min(max(size, 1), 1024)
	p := image.NewNRGBA(image.Rect(0, 0, size, size))
	unit := float64(size) / side
	for y := range size {
		for x := range size {
			p.SetNRGBA(x, y, shade(ground, inside(x, y, size, corner*unit)))
		}
	}
	for _, r := range rectangles() {
		fill(p, r, unit)
	}
	return p
}

func shade(c color.NRGBA, coverage float64) color.NRGBA {
	c.A = uint8(math.Round(255 * coverage))
	return c
}

// inside returns the share of a pixel within the ground, measured by a grid of points.
func inside(x, y, size int, radius float64) float64 {
	const points = 8
	hits := 0
	for i := range points * points {
		px, py := float64(x)+(float64(i%points)+0.5)/points, float64(y)+(float64(i/points)+0.5)/points
		dx := max(radius-px, px-(float64(size)-radius), 0)
		dy := max(radius-py, py-(float64(size)-radius), 0)
		if dx*dx+dy*dy <= radius*radius {
			hits++
		}
	}
	return float64(hits) / (points * points)
}

// fill blends a rectangle into the pixels it covers, by the share of each pixel that it covers.
func fill(p *image.NRGBA, r rectangle, unit float64) {
	x0, y0 := r.x*unit, r.y*unit
	x1, y1 := (r.x+r.width)*unit, (r.y+r.height)*unit
	for y := int(y0); y < int(math.Ceil(y1)); y++ {
		for x := int(x0); x < int(math.Ceil(x1)); x++ {
			mix(p, x, y, r.color, overlap(x, x0, x1)*overlap(y, y0, y1))
		}
	}
}

// overlap returns the part of a pixel's edge between two positions.
func overlap(pixel int, from, to float64) float64 {
	return min(float64(pixel)+1, to) - max(float64(pixel), from)
}

func mix(p *image.NRGBA, x, y int, c color.NRGBA, part float64) {
	under := p.NRGBAAt(x, y)
	blend := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-part) + float64(b)*part)) }
	p.SetNRGBA(x, y, color.NRGBA{blend(under.R, c.R), blend(under.G, c.G), blend(under.B, c.B), under.A})
}
