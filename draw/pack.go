package draw

import (
	"image"
	"sort"
)

// packer arranges masks in one picture. It fills shelves from the tallest masks to the lowest.
type packer struct{ boxes []box }

// box is one mask, its position, and the sprite that receives the position.
type box struct {
	mask *image.Alpha
	into *sprite
	x, y int
}

// add adds a mask. pack stores the mask's position in *into, so into must not move until then.
func (p *packer) add(mask *image.Alpha, into *sprite) {
	into.width, into.height = int16(mask.Rect.Dx()), int16(mask.Rect.Dy())
	if into.width > 0 && into.height > 0 {
		p.boxes = append(p.boxes, box{mask: mask, into: into})
	}
}

// pack lays the masks out in a picture of the given width. The height is the smallest power of two, at least 64, that
// holds the masks and spare empty rows. It also returns the first empty row.
func (p *packer) pack(width, spare int) (picture *image.Alpha, bottom int) {
	sort.SliceStable(p.boxes, func(i, j int) bool { return p.boxes[i].into.height > p.boxes[j].into.height })
	bottom = p.shelve(width)
	height := 64
	for height < bottom+spare {
		height *= 2
	}
	picture = image.NewAlpha(image.Rect(0, 0, width, height))
	for _, b := range p.boxes {
		at := image.Rect(b.x, b.y, b.x+int(b.into.width), b.y+int(b.into.height))
		copyMask(picture, at.Min, b.mask)
		b.into.from = texelOf(at.Min, width, height)
		b.into.to = texelOf(at.Max, width, height)
	}
	return picture, bottom
}

// copyMask copies a mask to a place. Package image/draw is slow for masks, and an atlas has thousands.
func copyMask(to *image.Alpha, at image.Point, mask *image.Alpha) {
	width := mask.Rect.Dx()
	for y := range mask.Rect.Dy() {
		copy(to.Pix[to.PixOffset(at.X, at.Y+y):][:width], mask.Pix[y*mask.Stride:])
	}
}

// shelve positions every box, with an empty pixel between boxes, and returns the height used.
func (p *packer) shelve(width int) int {
	x, y, shelf := 1, 1, 0
	for i := range p.boxes {
		b := &p.boxes[i]
		w, h := int(b.into.width), int(b.into.height)
		if x+w+1 > width {
			x, y, shelf = 1, y+shelf+1, 0
		}
		b.x, b.y = x, y
		x, shelf = x+w+1, max(shelf, h)
	}
	return y + shelf + 1
}

// texelOf converts a corner between pixels to a position in the atlas.
func texelOf(at image.Point, width, height int) texel {
	return texel{uint16((at.X*65535 + width/2) / width), uint16((at.Y*65535 + height/2) / height)}
}
