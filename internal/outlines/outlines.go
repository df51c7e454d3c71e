// Package outlines lets package fonts draw characters without linking the typefaces, which are in package gofonts
// below. Without the tag iprof_off, package fonts calls that one. With it, only programs that import it have the
// typefaces: it registers itself here.
package outlines

import "image"

// Face draws the characters of one typeface at one size. Package fonts describes the methods.
type Face interface {
	Has(c rune) bool
	Glyph(c rune, phase float64) (mask *image.Alpha, advance float64)
	Metrics() (ascent, descent float64)
}

var open func(typeface int, pixels float64) Face

// Register sets the function that Open calls. It is for the init function of package gofonts, with the tag iprof_off.
func Register(f func(typeface int, pixels float64) Face) { open = f }

// Open returns a face of typeface 0 to 3: regular, medium, bold or mono. In a program without the typefaces, the face
// has all characters, each half as wide as high and invisible.
func Open(typeface int, pixels float64) Face {
	if open == nil {
		return blank(pixels)
	}
	return open(typeface, pixels)
}

// blank is a face without pictures. Its value is the number of pixels per em.
type blank float64

func (b blank) Has(rune) bool { return true }

func (b blank) Glyph(rune, float64) (mask *image.Alpha, advance float64) {
	return &image.Alpha{}, float64(b) / 2
}

func (b blank) Metrics() (ascent, descent float64) { return float64(b), float64(b) / 4 }
