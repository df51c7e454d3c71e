//go:build cgo

package gl

import (
	"fmt"
	"image"

	"example.com/iprof/internal/golden"
)

// differ describes where two pictures differ first and how often.
func differ(got, want *image.RGBA) string {
	n, first := 0, ""
	for y := got.Rect.Min.Y; y < got.Rect.Max.Y; y++ {
		for x := got.Rect.Min.X; x < got.Rect.Max.X; x++ {
			a := got.RGBAAt(x, y)
			b := want.RGBAAt(x, y)
			if a != b {
				if n++; n == 1 {
					first = fmt.Sprintf("at (%d,%d) %v for %v", x, y, a, b)
				}
			}
		}
	}
	return fmt.Sprintf("%d pixels, first %s", n, first)
}

// alike says how the pictures of one list by two rasterisers differ beyond what their rounding explains; "" is alike.
func alike(got, want *image.RGBA) string {
	if err := golden.Measure(got, want).Within(golden.Driver); err != nil {
		return err.Error()
	}
	return ""
}
