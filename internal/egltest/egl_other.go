//go:build !(linux && cgo) && !(windows && amd64)

package egltest

import (
	"errors"
	"image/color"
)

type handle struct{}

var errPlatform = errors.New("it needs Linux and cgo (a C compiler), or Windows")

func (c *Context) open() error                     { return errPlatform }
func (c *Context) Close()                          {}
func (c *Context) Share() (*Context, error)        { return nil, errPlatform }
func (c *Context) MakeCurrent()                    {}
func (c *Context) clear(color.RGBA)                {}
func (c *Context) readPixels([]byte)               {}
func (c *Context) LoadMatrix(uint32, *[16]float32) {}
func (c *Context) OddFixedFunction()               {}
func ReleaseCurrent()                              {}
