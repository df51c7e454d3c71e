// Package resize changes the length of slices.
package resize

import "slices"

// To returns a slice of n values and keeps the existing ones. Values beyond them are what the memory had.
func To[T any](s []T, n int) []T {
	return slices.Grow(s, max(n-len(s), 0))[:n]
}

// Insert puts a value before the one at a place. slices.Insert, which takes any number of values, would add 4 kB of
// code for each type to every program.
func Insert[T any](s []T, at int, v T) []T {
	s = append(s, v)
	copy(s[at+1:], s[at:])
	s[at] = v
	return s
}
