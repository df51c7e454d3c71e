//go:build cgo

package gl

import (
	"fmt"
	"image"
)

// differ describes where two pictures differ first and how often.
func differ(got, want *image.RGBA) string {
	n, first := 0, ""
	for y := got.Rect.Min.Y; y < got.Rect.Max.Y; y++ {
		for x := got.Rect.Min.X; x < got.Rect.Max.X; x++ {
			if a, b := got.RGBAAt(x, y), want.RGBAAt(x, y); a != b {
				if n++; n == 1 {
					first = fmt.Sprintf("at (%d,%d) %v for %v", x, y, a, b)
				}
			}
		}
	}
	return fmt.Sprintf("%d pixels, first %s", n, first)
}

// alike says how two pictures of one list by two rasterisers differ beyond what their arithmetic explains: in the mean, in
// a block of 16 by 16 pixels, or in single pixels that no neighbour explains. "" is alike.
func alike(got, want *image.RGBA) string {
	if got.Rect != want.Rect {
		return fmt.Sprintf("bounds %v for %v", got.Rect, want.Rect)
	}
	d := distances(got, want)
	width, height := want.Rect.Dx(), want.Rect.Dy()
	sum, strays, worst := 0, 0, 0.0
	for i, v := range d {
		sum += v
		if v > 3*24 && !explained(got, want, i%width, i/width) {
			strays++
		}
	}
	for y := 0; y < height; y += 16 {
		for x := 0; x < width; x += 16 {
			worst = max(worst, blockMean(d, width, height, x, y))
		}
	}
	mean, share := float64(sum)/float64(3*len(d)), float64(strays)/float64(len(d))
	if mean < 1 && worst < 8 && share < 2e-4 {
		return ""
	}
	return fmt.Sprintf("mean %.3f (limit 1), worst block %.2f (limit 8), unexplained %.2g (limit 2e-4)", mean, worst, share)
}

// distances returns the sum of the channels' differences of each pixel.
func distances(a, b *image.RGBA) []int {
	d := make([]int, a.Rect.Dx()*a.Rect.Dy())
	for i := range d {
		d[i] = distance(a.Pix[4*i:], b.Pix[4*i:])
	}
	return d
}

func distance(a, b []uint8) (sum int) {
	for c := range 3 {
		sum += int(max(a[c], b[c]) - min(a[c], b[c]))
	}
	return sum
}

// explained reports whether a neighbour in the other picture has nearly the pixel's colour.
func explained(got, want *image.RGBA, x, y int) bool {
	at := got.Pix[got.PixOffset(x, y):]
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			p := image.Pt(x+dx, y+dy)
			if p.In(want.Rect) && distance(at, want.Pix[want.PixOffset(p.X, p.Y):]) <= 3*24 {
				return true
			}
		}
	}
	return false
}

func blockMean(d []int, width, height, x0, y0 int) float64 {
	sum, n := 0, 0
	for y := y0; y < min(y0+16, height); y++ {
		for x := x0; x < min(x0+16, width); x++ {
			sum, n = sum+d[y*width+x], n+3
		}
	}
	return float64(sum) / float64(n)
}
