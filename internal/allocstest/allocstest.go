// Package allocstest counts the allocations of a function in tests beside which other goroutines may run.
package allocstest

import (
	"testing"
	"time"
)

// tries is the number of PerRun's measurements. Goroutines of earlier tests may end in between.
const tries = 10

// PerRun returns the least of up to ten results of [testing.AllocsPerRun], because that counts allocations of other
// goroutines, too. It ends at the first that is 0.
func PerRun(runs int, f func()) float64 {
	least := testing.AllocsPerRun(runs, f)
	for i := 1; i < tries && least > 0; i++ {
		time.Sleep(10 * time.Millisecond)
		least = min(least, testing.AllocsPerRun(runs, f))
	}
	return least
}
