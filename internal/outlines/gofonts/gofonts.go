// Package gofonts has the typefaces, the Go fonts by Bigelow & Holmes, and draws their characters for package fonts.
package gofonts

import (
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
)

// data returns the file of the typeface. It is a function, not a table, so that a program without drawing does not link
// the files.
func data(typeface int) []byte {
	switch typeface {
	case 1:
		return medium()
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
	face *typeface
}

// typefaceOf returns the parsed typeface.
func typefaceOf(number int) *typeface {
	p := &parsed[number]
	p.once.Do(func() { p.face = parse(data(number)) })
	return p.face
}
