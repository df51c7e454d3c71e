package draw

import (
	"image"
	"image/color"
	"image/draw"
	"math"
)

// roundShapes are the heights and radii in nominal pixels of the rounded rectangles that there are many of: bullets of the
// report and of rows, bars of rows, scopes of a timeline, bars of the call structure. They are in the atlas as a whole,
// which saves quads.
var roundShapes = [...]struct{ height, radius float32 }{{7, 2}, {8, 3}, {7, 3.5}, {scopeRowHeight - 1, 3}, {iceRow - 1, 3}}

// tallestRound bounds the heights of those, in nominal pixels.
const tallestRound = 20

// rounds are rounded squares by height and radius in pixels, side by side: those that are not there have no width.
type rounds struct {
	sprites []roundSprite
	radii   int // how many radii there may be
}

// roundSprite is one of them: its middle column and those beside it are full, so that it can be cut there.
type roundSprite struct {
	sprite
	left, right uint16 // u of where its corners end
}

// addRounds adds the shapes, in both heights that one may have between whole pixels.
func (a *Atlas) addRounds(p *packer) (finish func(picture *image.Alpha)) {
	a.rounds.radii = len(a.discs)
	tallest := int(math.Ceil(tallestRound * float64(a.scale)))
	a.rounds.sprites = make([]roundSprite, (tallest+1)*a.rounds.radii)
	for _, s := range roundShapes {
		for _, height := range [...]float64{math.Floor(float64(s.height * a.scale)), math.Ceil(float64(s.height * a.scale))} {
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

// find returns the place of a shape, nil if none like it can be there.
func (r *rounds) find(height, radius int) *roundSprite {
	if at := height*r.radii + radius; radius < r.radii && at < len(r.sprites) {
		return &r.sprites[at]
	}
	return nil
}

// roundedSquare is a square mask with round corners.
func roundedSquare(side, radius int) *image.Alpha {
	m, d := solid(side), disc(radius, 0)
	for _, x := range [...]int{0, side - radius} {
		for _, y := range [...]int{0, side - radius} {
			from := image.Pt(min(x, radius), min(y, radius))
			draw.Draw(m, image.Rect(x, y, x+radius, y+radius), d, from, draw.Src)
		}
	}
	return m
}

// roundWhole draws a rounded rectangle from a sprite of its height, if there is one.
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
