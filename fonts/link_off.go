//go:build iprof_off

package fonts

import "example.com/iprof/internal/outlines"

func open(typeface int, pixels float64) outlines.Face { return outlines.Open(typeface, pixels) }
