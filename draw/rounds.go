package draw

import (
	"image"
	"image/color"
	"math"
)

// barRadius is the corner radius of ThinBar and ThickBar, in nominal pixels.
const barRadius = 3

// The atlas holds rounded bars of these heights, in nominal pixels, as whole sprites. Round draws them with fewer
// quads.
const (
	ThinBar  = 17
	ThickBar = 19
)

// roundShapes are the rounded rectangles that the atlas holds as whole sprites: bullets, the bars in rows, and
// ThinBar and ThickBar. Sizes are in nominal pixels. A screen has many of these shapes, and whole sprites save quads.
var roundShapes = [...]struct{ height, radius float32 }{
	{7, 2}, {8, 3}, {7, 3.5}, {ThinBar, barRadius}, {ThickBar, barRadius},
}

// tallestRound is the upper bound of those heights, in nominal pixels.
const tallestRound = 20

// rounds holds a rounded square for each height and radius in pixels. Entries without a sprite have width 0.
type rounds struct {
	sprites []roundSprite
	radii   int // number of radii per height
}

// roundSprite is a rounded square. Its middle columns are full, so it can be cut there and stretched.
type roundSprite struct {
	sprite
	left, right uint16 // u at the end of the left corners and at the beginning of the right ones
}

// addRounds adds the shapes, each in both heights that rounding can result in. The returned function completes them.
func (a *Atlas) addRounds(p *packer) (finish func(picture *image.Alpha)) {
	a.rounds.radii = len(a.discs)
	tallest := int(math.Ceil(tallestRound * float64(a.scale)))
	a.rounds.sprites = make([]roundSprite, (tallest+1)*a.rounds.radii)
	for _, s := range roundShapes {
		low, high := math.Floor(float64(s.height*a.scale)), math.Ceil(float64(s.height*a.scale))
		for _, height := range [...]float64{low, high} {
			h := float32(height)
			r := int(cornerRadius(a.discs, h, h, s.radius*a.scale))
			if at := a.rounds.find(int(h), r); at != nil && at.width == 0 && r > 0 {
				p.add(roundedSquare(int(h), r), &at.sprite)
			}
		}
	}
	return func(picture *image.Alpha) {
		for i := range a.rounds.sprites {
			s, width := &a.rounds.sprites[i], picture.Rect.Dx()
			x := (int(s.from.u)*width + 32767) / 65535
			s.left = texelOf(image.Pt(x+i%a.rounds.radii, 0), width, 1).u
			s.right = texelOf(image.Pt(x+int(s.width)-i%a.rounds.radii, 0), width, 1).u
		}
	}
}

// find returns the entry of a shape, or nil if the table cannot hold it.
func (r *rounds) find(height, radius int) *roundSprite {
	if at := height*r.radii + radius; radius < r.radii && at < len(r.sprites) {
		return &r.sprites[at]
	}
	return nil
}

// roundedSquare returns a square mask with rounded corners.
func roundedSquare(side, radius int) *image.Alpha {
	m, d := solid(side), disc(radius, 0)
	for _, x := range [...]int{0, side - radius} {
		for _, y := range [...]int{0, side - radius} {
			part := image.Rect(0, 0, radius, radius).Add(image.Pt(min(x, radius), min(y, radius)))
			paste(m, image.Pt(x, y), d, part)
		}
	}
	return m
}

// roundWhole draws a rounded rectangle from a sprite of its height. It returns false without such a sprite.
func (l *List) roundWhole(x0, y0, x1, y1, r float32, c color.NRGBA) (done bool) {
	a := l.Atlas
	s := a.rounds.find(int(y1-y0), int(r))
	if s == nil || s.width == 0 {
		return false
	}
	if x1-x0 == float32(s.width) {
		l.quad(x0, y0, x1, y1, s.from, s.to, c)
		return true
	}
	l.quad(x0, y0, x0+r, y1, s.from, texel{s.left, s.to.v}, c)
	if x1-x0 > 2*r {
		l.quad(x0+r, y0, x1-r, y1, a.white, a.white, c)
	}
	l.quad(x1-r, y0, x1, y1, texel{s.right, s.from.v}, s.to, c)
	return true
}
