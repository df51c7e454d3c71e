//go:build !iprof_off

package fonts

import (
	"example.com/iprof/internal/outlines"
	"example.com/iprof/internal/outlines/gofonts"
)

// open opens a face. Only this function refers to the typefaces, so that a program that draws nothing does not link
// them.
func open(typeface int, pixels float64) outlines.Face { return gofonts.New(typeface, pixels) }
