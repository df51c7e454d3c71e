package hosts

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"

	"example.com/iprof/draw"
	"example.com/iprof/viewer"
)

// Save writes a picture to a PNG file, without its alpha channel. Without a name it does nothing.
func Save(name string, p *image.NRGBA) error {
	if name == "" {
		return nil
	}
	for i := 3; i < len(p.Pix); i += 4 {
		p.Pix[i] = 255
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, p), f.Close())
}

// Compare returns an error if a pixel outside the overlay changed, if a visible overlay changed no pixel, or if a
// hidden one changed any. It compares alpha, too. was is Cover before the overlay was drawn: while it is drawn, times
// of the GPU may arrive, and the next picture of it has other rows.
func Compare(before, after *image.NRGBA, was *image.Alpha) error {
	covered := Cover(before.Rect)
	inside := false
	for y := range before.Rect.Dy() {
		for x := range before.Rect.Dx() {
			i := before.PixOffset(x, y)
			same := bytes.Equal(before.Pix[i:i+4], after.Pix[i:i+4])
			if covered.AlphaAt(x, y).A == 0 && was.AlphaAt(x, y).A == 0 && !same {
				return fmt.Errorf("outside the overlay, pixel (%d, %d) was %v and is %v",
					x, y, before.NRGBAAt(x, y), after.NRGBAAt(x, y))
			}
			inside = inside || !same
		}
	}
	if visible := Panel().Options().Mode != viewer.PanelOff; visible != inside {
		return fmt.Errorf("an overlay that is visible: %v; pixels that it changed: %v", visible, inside)
	}
	return nil
}

// Cover returns a mask of the overlay's quads, as laid out for a screen of that size.
func Cover(screen image.Rectangle) *image.Alpha {
	covered := image.NewAlpha(screen)
	var list draw.List
	if Panel().Options().Mode != viewer.PanelOff {
		Panel().Draw(&list, float32(screen.Dx()), float32(screen.Dy()), 1)
	}
	for v := list.V; len(v) > 0; v = v[4:] {
		box := image.Rect(int(v[0].X), int(v[0].Y), int(v[0].X), int(v[0].Y))
		for _, corner := range v[:4] {
			x, y := int(corner.X), int(corner.Y)
			box = box.Union(image.Rect(x, y, x+1, y+1))
		}
		box = box.Intersect(screen)
		for y := box.Min.Y; y < box.Max.Y; y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				covered.SetAlpha(x, y, color.Alpha{A: 255})
			}
		}
	}
	return covered
}
