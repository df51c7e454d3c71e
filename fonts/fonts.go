// Package fonts contains the typefaces of the display, the Go fonts by Bigelow & Holmes, and draws their characters.
//
//	r := fonts.NewRasterizer(fonts.TypefaceRegular, 13)
//	mask, advance := r.Glyph('g', 0)
//
// A mask has one coverage byte for each device pixel.
package fonts

import (
	_ "embed" // for the licence
	"fmt"
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// License is the licence of the typefaces. A program that distributes them must reproduce it.
//
//go:embed LICENSE
var License string

// Typeface identifies one of the typefaces. Within each, all digits have the same width, so that columns of numbers
// line up.
type Typeface uint8

// The typefaces.
const (
	TypefaceRegular Typeface = iota
	TypefaceMedium
	TypefaceBold
	TypefaceMono
	NumTypefaces = iota
)

// data returns the file of the typeface. It is a function, not a table, so that a program that draws nothing links
// none of the files.
func (f Typeface) data() []byte {
	switch f {
	case TypefaceMedium:
		return gomedium.TTF
	case TypefaceBold:
		return gobold.TTF
	case TypefaceMono:
		return gomono.TTF
	}
	return goregular.TTF
}

// parsed caches the parsed typefaces.
var parsed [NumTypefaces]struct {
	once sync.Once
	font *sfnt.Font
}

// font returns the parsed typeface. The files are part of the program, so a parse error is a bug and panics.
func (f Typeface) font() *sfnt.Font {
	p := &parsed[f]
	p.once.Do(func() {
		var err error
		if p.font, err = sfnt.Parse(f.data()); err != nil {
			panic(fmt.Sprintf("fonts: typeface %d: %v", f, err))
		}
	})
	return p.font
}
