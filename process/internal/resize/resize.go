// Package resize changes the length of slices.
package resize

import "slices"

// To returns a slice of n values and keeps the existing ones. Values beyond them are what the memory had.
func To[T any](s []T, n int) []T {
	return slices.Grow(s, max(n-len(s), 0))[:n]
}
