// Assembly that calls Go, a header of the package, and functions under two names.
//go:build amd64

package main

import (
	"fmt"
	_ "unsafe"
)

// add is in assembly.
func add(a, b int) int

// callGo calls back, from assembly, with a frame.
func callGo(n int) int

func goTwice(n int) int {
	s := 0
	for range 2 {
		s += n
	}
	return s
}

//go:linkname nanotime runtime.nanotime
func nanotime() int64

//go:linkname renamed corpus/assembly.other
func renamed(n int) int

//go:linkname other corpus/assembly.other
func other(n int) int {
	for i := range n {
		n += i
	}
	return n
}

func main() {
	fmt.Println(add(2, 3), callGo(21), nanotime() > 0, renamed(10))
}
