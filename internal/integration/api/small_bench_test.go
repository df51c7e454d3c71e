package api_test

import (
	"testing"

	"example.com/iprof"
)

// What a zone costs a function so small that the compiler would have put it into its callers: it does so no more with
// functions that defer, nor with most that call anything.

func square(x int) int { return x*x + 1 }

//go:noinline
func squareCalled(x int) int { return x*x + 1 }

var squared = iprof.Zone{Name: "square"}

func squareZone(x int) int {
	defer squared.Begin().End()
	return x*x + 1
}

func BenchmarkSmallFunction(b *testing.B) {
	run := func(name string, recording bool, f func(n int)) {
		b.Run("form="+name, func(b *testing.B) {
			iprof.SetRecording(recording)
			defer iprof.SetRecording(true)
			f(b.N)
		})
	}
	run("inlined", true, func(n int) {
		x := 0
		for range n {
			x = square(x)
		}
		work += x
	})
	run("called", true, func(n int) {
		x := 0
		for range n {
			x = squareCalled(x)
		}
		work += x
	})
	run("zone-switched-off", false, func(n int) {
		x := 0
		for range n {
			x = squareZone(x)
		}
		work += x
	})
	run("zone", true, func(n int) {
		x := 0
		for range n {
			x = squareZone(x)
		}
		work += x
	})
}
