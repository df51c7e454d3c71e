package gofonts

import "golang.org/x/image/font/gofont/goregular"

// medium is the regular typeface in a browser, which has to load what is linked. No display of this module has medium
// letters.
func medium() []byte { return goregular.TTF }
