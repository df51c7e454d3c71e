package gofonts

// medium is the regular typeface in a browser, to keep the program small. No display of this module has medium letters.
var medium = regular
