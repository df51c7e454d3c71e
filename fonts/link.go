//go:build !iprof_off

package fonts

import (
	"example.com/iprof/internal/outlines"
	"example.com/iprof/internal/outlines/gofonts"
)

// open opens a face. It names its function, so that a program that draws nothing links no typeface.
func open(typeface int, pixels float64) outlines.Face { return gofonts.New(typeface, pixels) }
