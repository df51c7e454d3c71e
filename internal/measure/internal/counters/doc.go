// Package counters keeps counts and levels by name.
//
// Each goroutine has Cells, one cell for each name that it uses. Cells find a constant name by its address, without
// reading its text, so counting takes no lock:
//
//	if c := cells.Find(name, counters.Count); c != nil {
//		c.Add(n)
//	}
//
// A Table numbers the names. It also has a cell for each number, behind a mutex, for goroutines without Cells. A
// Reading sums all cells once a frame, while the goroutines go on.
package counters

import (
	"math"

	"example.com/iprof/platform"
)

// Kind is the kind of a counter.
type Kind int

// The kinds of counters.
const (
	Count Kind = iota // a sum
	Level             // the latest value, valid until the next
)

// plus adds without wrapping around: a sum stays at the largest or smallest value.
//
//go:norace
func plus(a, b platform.Ticks) platform.Ticks {
	sum := a + b
	switch {
	case b > 0 && sum < a:
		return math.MaxInt64
	case b < 0 && sum > a:
		return -math.MaxInt64
	}
	return sum
}
