package input

import "example.com/iprof/draw"

// Hints words bindings for a help text: those with equal actions share a line, with the keys in order.
func Hints(bindings []Binding) []draw.KeyHint { return hints(bindings) }
