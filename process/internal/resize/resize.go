// Package resize changes the length of slices.
package resize

import "slices"

// To returns a slice of n values and keeps the existing ones. Further values are the old contents of the memory.
func To[T any](s []T, n int) []T {
	return slices.Grow(s, max(n-len(s), 0))[:n]
}

// Insert inserts a value at an index. slices.Insert, which takes any number of values, would add 4 kB of code for each
// type to every program.
func Insert[T any](s []T, at int, v T) []T {
	s = append(s, v)
	copy(s[at+1:], s[at:])
	s[at] = v
	return s
}

// Delete removes the values for which drop is true, and clears the memory behind the others. slices.DeleteFunc has code
// of its own for each type of slice.
func Delete[T any](s []T, drop func(T) bool) []T {
	n := 0
	for _, v := range s {
		if !drop(v) {
			s[n] = v
			n++
		}
	}
	clear(s[n:])
	return s[:n]
}
