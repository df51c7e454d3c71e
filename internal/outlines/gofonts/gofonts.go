// Package gofonts has the typefaces, the Go fonts by Bigelow & Holmes without their hints, and draws their characters
// for package fonts.
package gofonts

import (
	_ "embed" // for the files
	"sync"
)

// The files of the typefaces have outlines and widths only: TestTypefacesWithoutHints makes them from those of
// golang.org/x/image/font/gofont, whose larger half are hints for displays of few pixels.
var (
	//go:embed regular.ttf
	regular []byte
	//go:embed bold.ttf
	bold []byte
	//go:embed mono.ttf
	mono []byte
)

// data returns the file of the typeface. It is a function, not a table, so that a program without drawing does not link
// the files.
func data(typeface int) []byte {
	switch typeface {
	case 1:
		return medium
	case 2:
		return bold
	case 3:
		return mono
	}
	return regular
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
