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
