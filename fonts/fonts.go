// Package fonts holds the typefaces of the display, the Go fonts by Bigelow & Holmes, and turns their characters into
// coverage masks at an exact size in device pixels.
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

// License is the licence of the typefaces. A program that ships them reproduces it.
//
//go:embed LICENSE
var License string

// Typeface names one of the typefaces. All have digits of one common width, so that columns of numbers line up.
type Typeface uint8

// The typefaces.
const (
	Regular Typeface = iota
	Medium
	Bold
	Mono
	NumTypefaces = iota
)

// data is where each typeface's file lies.
var data = [NumTypefaces][]byte{goregular.TTF, gomedium.TTF, gobold.TTF, gomono.TTF}

// parsed holds the typefaces once they were needed.
var parsed [NumTypefaces]struct {
	once sync.Once
	font *sfnt.Font
}

// font returns the parsed typeface. The files are part of the program, so one that cannot be read is a broken build.
func (f Typeface) font() *sfnt.Font {
	p := &parsed[f]
	p.once.Do(func() {
		var err error
		if p.font, err = sfnt.Parse(data[f]); err != nil {
			panic(fmt.Sprintf("fonts: typeface %d: %v", f, err))
		}
	})
	return p.font
}
