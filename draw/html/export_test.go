package html

// ColorsOf returns the colours of a dump's zones, by id.
var ColorsOf = colorsOf
