package golden

import (
	"fmt"
	"image"
)

// Difference measures how much two pictures of the same size differ.
type Difference struct {
	Mean  float64 // mean difference of the channels, 0..255; shows a shift or a tint
	Block float64 // greatest mean over a square of 16 x 16 pixels; shows a wrong digit
	Edge  float64 // share of pixels that differ by more than 24 from all nine around their place; shows a lost line
}

// Driver is the limit for differences by a driver's rounding. One wrong digit exceeds it.
var Driver = Difference{Mean: 1, Block: 8, Edge: 2e-4}

const (
	block    = 16 // side of a block in pixels
	farApart = 24 // difference of a channel that is visible on an edge
)

// Within returns an error that names the values above the limit, or nil.
func (d Difference) Within(limit Difference) error {
	if d.Mean < limit.Mean && d.Block < limit.Block && d.Edge < limit.Edge {
		return nil
	}
	return fmt.Errorf("got mean %.3f, block %.2f, edge %.2g; want below %.3f, %.2f, %.2g",
		d.Mean, d.Block, d.Edge, limit.Mean, limit.Block, limit.Edge)
}

// Measure compares the colours of two pictures of the same size. It ignores opacity.
func Measure(got, want *image.RGBA) Difference {
	got, want = atOrigin(got), atOrigin(want)
	size := want.Rect.Size()
	var d Difference
	var sum float64
	for y := 0; y < size.Y; y += block {
		for x := 0; x < size.X; x += block {
			r := image.Rect(x, y, x+block, y+block).Intersect(want.Rect)
			s, n := blockSum(got, want, r)
			sum += s
			d.Block = max(d.Block, s/float64(3*block*block))
			d.Edge += float64(n)
		}
	}
	pixels := float64(size.X * size.Y)
	d.Mean = sum / (3 * pixels)
	d.Edge /= pixels
	return d
}

// blockSum returns the sum of the differences in a rectangle, and the number of pixels that are far from all
// neighbours.
func blockSum(got, want *image.RGBA, r image.Rectangle) (sum float64, lost int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			g, w := got.Pix[got.PixOffset(x, y):], want.Pix[want.PixOffset(x, y):]
			worst := 0
			for c := range 3 {
				off := gap(g[c], w[c])
				sum += float64(off)
				worst = max(worst, off)
			}
			if worst > farApart && !near(got, want, x, y) {
				lost++
			}
		}
	}
	return sum, lost
}

// near reports whether the picture has a similar pixel at or beside the place.
func near(got, want *image.RGBA, x, y int) bool {
	g := got.RGBAAt(x, y)
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if !(image.Point{x + dx, y + dy}).In(want.Rect) {
				continue
			}
			w := want.RGBAAt(x+dx, y+dy)
			if max(gap(g.R, w.R), gap(g.G, w.G), gap(g.B, w.B)) <= farApart {
				return true
			}
		}
	}
	return false
}
