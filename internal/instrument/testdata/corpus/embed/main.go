// A directive above a declaration, a build tag, and functions that must not be touched.
//go:build !never

package main

import (
	_ "embed"
	"fmt"
	_ "unsafe"
)

//go:embed data.txt
var data string

//go:nosplit
func small(n int) int {
	for range 10 {
		n += n
		n -= 3
		n ^= 5
	}
	return n
}

//go:linkname nanotime runtime.nanotime
func nanotime() int64

//go:noinline
func big(n int) int {
	for range 10 {
		n += small(n)
	}
	return n
}

//iprof:skip
func skipped() int {
	s := 0
	for i := range 10 {
		s += big(i)
	}
	return s
}

//iprof:zone a name of its own
func demanded() int { return 1 }

func main() { fmt.Println(data, big(3), skipped(), demanded(), nanotime() > 0) }
