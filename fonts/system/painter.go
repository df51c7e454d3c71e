package system

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/draw"
	"golang.org/x/image/vector"
)

// painter draws glyphs as coverage.
type painter struct {
	face   *font.Face
	pixels float64 // per em
	unit   float32 // pixels in a unit of the font
	shaped float32 // pixels in a pixel of the shaper
	raster vector.Rasterizer
	parts  []part
}

// part is a glyph's outline or picture with its origin, in pixels, y down.
type part struct {
	outline []opentype.Segment
	picture image.Image
	bounds  image.Rectangle // of the picture
	x, y    float32
}

// use chooses a font at a size.
func (p *painter) use(face *font.Face, pixels, shaped float64) {
	p.face, p.pixels, p.shaped = face, pixels, float32(shaped)
	p.unit = float32(pixels) / float32(max(face.Upem(), 1))
	ppem := uint16(math.Ceil(pixels))
	if x, _ := face.Ppem(); x != ppem {
		face.SetPpem(ppem, ppem) // drops the cached extents of glyphs
	}
}

// The greatest extent of a picture above and below the baseline, and the greatest width of a glyph, in ems. So no font
// can draw outside its line.
const (
	most, least = 1.25, 0.45
	widest      = 4
)

// paint draws glyphs one after the other from the origin. It returns their coverage and the advance in pixels. The
// coverage is nil if the font is damaged.
func (p *painter) paint(glyphs []shaping.Glyph) (mask *image.Alpha, advance float64) {
	p.parts = p.parts[:0]
	var pen float32
	for _, g := range glyphs {
		x := pen + p.shaped*float32(g.XOffset)/64
		p.add(g.GlyphID, x, -p.shaped*float32(g.YOffset)/64)
		pen += p.shaped * float32(g.Advance) / 64
	}
	em := p.pixels
	if !(pen >= 0 && float64(pen) <= widest*em*float64(len(glyphs))) {
		return nil, 0
	}
	room := image.Rect(-int(em), -int(math.Ceil(most*em)), int(math.Ceil(float64(pen)+em)), int(math.Ceil(least*em)))
	mask = image.NewAlpha(p.bounds().Intersect(room))
	for i := range p.parts {
		p.draw(mask, &p.parts[i])
	}
	return mask, float64(pen)
}

// add adds a glyph: its picture if it has one, else its outline.
func (p *painter) add(glyph font.GID, x, y float32) {
	if bitmap, ok := p.face.GlyphDataBitmap(glyph); ok && bitmap.Format == font.PNG {
		if picture := decoded(bitmap.Data); picture != nil {
			p.parts = append(p.parts, part{picture: picture, bounds: p.box(glyph, x, y), x: x, y: y})
			return
		}
	}
	outline, _ := p.face.GlyphDataOutline(glyph)
	p.parts = append(p.parts, part{outline: outline.Segments, x: x, y: y})
}

// mostPicture bounds the sides of a font's picture before it is made smaller.
const mostPicture = 2048

// decoded returns a picture, nil if it is damaged or too large.
func decoded(data []byte) image.Image {
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || c.Width > mostPicture || c.Height > mostPicture {
		return nil
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	return picture
}

// box returns the rectangle of a glyph's picture.
func (p *painter) box(glyph font.GID, x, y float32) image.Rectangle {
	e, _ := p.face.GlyphExtents(glyph)
	x0, y0 := x+e.XBearing*p.unit, y-e.YBearing*p.unit
	return image.Rect(round(x0), round(y0), round(x0+e.Width*p.unit), round(y0-e.Height*p.unit))
}

func round(v float32) int { return int(math.Floor(float64(v) + 0.5)) }

// bounds returns the pixels that hold all parts.
func (p *painter) bounds() (all image.Rectangle) {
	for i := range p.parts {
		q := &p.parts[i]
		all = all.Union(q.bounds)
		for _, s := range q.outline {
			for _, a := range s.ArgsSlice() {
				x, y := int(q.x+a.X*p.unit), int(q.y-a.Y*p.unit)
				all = all.Union(image.Rect(x-1, y-1, x+2, y+2))
			}
		}
	}
	return all
}

// draw adds a part to a mask.
func (p *painter) draw(mask *image.Alpha, q *part) {
	if q.picture != nil {
		shrink(mask, q.bounds, q.picture)
		return
	}
	size := mask.Rect.Size()
	if len(q.outline) == 0 || size.X <= 0 || size.Y <= 0 {
		return
	}
	p.raster.Reset(size.X, size.Y)
	at := func(a opentype.SegmentPoint) (x, y float32) {
		return q.x + a.X*p.unit - float32(mask.Rect.Min.X), q.y - a.Y*p.unit - float32(mask.Rect.Min.Y)
	}
	for _, s := range q.outline {
		x, y := at(s.Args[0])
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			p.raster.ClosePath()
			p.raster.MoveTo(x, y)
		case opentype.SegmentOpLineTo:
			p.raster.LineTo(x, y)
		case opentype.SegmentOpQuadTo:
			x1, y1 := at(s.Args[1])
			p.raster.QuadTo(x, y, x1, y1)
		case opentype.SegmentOpCubeTo:
			x1, y1 := at(s.Args[1])
			x2, y2 := at(s.Args[2])
			p.raster.CubeTo(x, y, x1, y1, x2, y2)
		}
	}
	p.raster.ClosePath()
	p.raster.Draw(mask, mask.Rect, image.Opaque, image.Point{})
}

// mostPixels bounds the sides of a coloured picture: the largest text has 96 pixels.
const mostPixels = 512

// shrink draws a coloured picture as coverage. Light parts cover more than dark parts, so that its shapes are visible
// in one colour.
func shrink(mask *image.Alpha, into image.Rectangle, picture image.Image) {
	if into.Empty() || into.Dx() > mostPixels || into.Dy() > mostPixels {
		return
	}
	small := image.NewRGBA(into)
	draw.CatmullRom.Scale(small, into, picture, picture.Bounds(), draw.Src, nil)
	for y := into.Min.Y; y < into.Max.Y; y++ {
		for x := into.Min.X; x < into.Max.X; x++ {
			c := small.RGBAAt(x, y)
			light := (54*int(c.R) + 183*int(c.G) + 19*int(c.B)) / 256 // premultiplied
			mask.SetAlpha(x, y, color.Alpha{A: uint8(min(255, int(c.A)/4+light*3/4))})
		}
	}
}
