package soft

// sample returns the coverage, 0..255, at a position in the atlas.
func (p *painter) sample(u, v int64) int64 {
	w, h := int64(p.atlas.Rect.Dx()), int64(p.atlas.Rect.Dy())
	if !p.smooth {
		return p.texel(u*w/65535, v*h/65535)
	}
	x, y := u*w*sub/65535-half, v*h*sub/65535-half
	ix, iy := x>>subBits, y>>subBits
	fx, fy := x&(sub-1), y&(sub-1)
	upper := p.texel(ix, iy)*(sub-fx) + p.texel(ix+1, iy)*fx
	lower := p.texel(ix, iy+1)*(sub-fx) + p.texel(ix+1, iy+1)*fx
	return (upper*(sub-fy) + lower*fy + sub*half) >> (2 * subBits)
}

// texel returns one value of the atlas. Positions outside the atlas are clamped to its edge.
func (p *painter) texel(x, y int64) int64 {
	x = min(max(x, 0), int64(p.atlas.Rect.Dx()-1))
	y = min(max(y, 0), int64(p.atlas.Rect.Dy()-1))
	return int64(p.atlas.Pix[int(y)*p.atlas.Stride+int(x)])
}

// blend paints one pixel. (0, 0) is the top left of the image.
func (p *painter) blend(x, y int, c rgba, coverage int64) {
	a := (c.a*coverage + 127) / 255
	if a == 0 {
		return
	}
	d := p.dst.Pix[y*p.dst.Stride+4*x:][:4:4]
	rest := 255 - a
	d[0] = uint8((c.r*a + int64(d[0])*rest + 127) / 255)
	d[1] = uint8((c.g*a + int64(d[1])*rest + 127) / 255)
	d[2] = uint8((c.b*a + int64(d[2])*rest + 127) / 255)
	d[3] = uint8(a + (int64(d[3])*rest+127)/255)
}

// fill paints part of a row in one colour.
func (p *painter) fill(left, right, y int, c rgba, coverage int64) {
	if c.a*coverage != 255*255 {
		for x := left; x < right; x++ {
			p.blend(x, y, c, coverage)
		}
		return
	}
	row := p.dst.Pix[y*p.dst.Stride:]
	for i := 4 * left; i < 4*right; i += 4 {
		row[i] = uint8(c.r)
		row[i+1] = uint8(c.g)
		row[i+2] = uint8(c.b)
		row[i+3] = 255
	}
}
