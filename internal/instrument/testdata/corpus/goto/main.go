// Jumps over statements, labels, and a body on one line.
package main

import "fmt"

func jump(n int) (s int) {
	i := 0
again:
	if i < n {
		s += i
		i++
		goto again
	}
outer:
	for a := range 3 {
		for b := range 3 {
			if b == 2 {
				continue outer
			}
			if a == 2 {
				break outer
			}
			s += a * b
		}
	}
	return s
}

func one() int {
	x := 1
	x++
	x++
	x++
	x++
	x++
	x++
	x++
	x++
	return x
}
func none() {}

func main() { none(); fmt.Println(jump(10), one()) }
