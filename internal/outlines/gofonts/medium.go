//go:build !js

package gofonts

import "golang.org/x/image/font/gofont/gomedium"

func medium() []byte { return gomedium.TTF }
