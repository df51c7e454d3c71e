//go:build !js

package gofonts

import _ "embed" // for the file

//go:embed medium.ttf
var medium []byte
