// Package gofonts has the typefaces, the Go fonts by Bigelow & Holmes, and draws their
// characters for package fonts. It links a parser of typefaces, which links golang.org/x/text.
package gofonts

import (
	"fmt"
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// data returns the file of the typeface. It is a function, not a table, so that a program that draws nothing links
// none of the files.
func data(typeface int) []byte {
	switch typeface {
	case 1:
		return gomedium.TTF
	case 2:
		return gobold.TTF
	case 3:
		return gomono.TTF
	}
	return goregular.TTF
}

// parsed caches the parsed typefaces.
var parsed [4]struct {
	once sync.Once
	font *sfnt.Font
}

// fontOf returns the parsed typeface. The files are part of the program, so a parse error is a bug and panics.
func fontOf(typeface int) *sfnt.Font {
	p := &parsed[typeface]
	p.once.Do(func() {
		var err error
		if p.font, err = sfnt.Parse(data(typeface)); err != nil {
			panic(fmt.Sprintf("fonts: typeface %d: %v", typeface, err))
		}
	})
	return p.font
}
