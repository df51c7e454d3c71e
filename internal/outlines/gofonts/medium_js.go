package gofonts

import "golang.org/x/image/font/gofont/goregular"

// medium is the regular typeface in a browser, to keep the program small. No display of this module has medium letters.
func medium() []byte { return goregular.TTF }
