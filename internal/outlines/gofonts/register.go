//go:build iprof_off

package gofonts

import "example.com/iprof/internal/outlines"

func init() { outlines.Register(New) }
