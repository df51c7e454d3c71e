// The order of initialisation: package variables that call functions, several init functions.
package main

import "fmt"

var (
	a = next("a")
	b = next("b") + c
	c = next("c")
)

var n int

func next(name string) int {
	n++
	fmt.Println("var", name, n)
	for i := range 3 {
		n += i
	}
	return n
}

func init() { fmt.Println("init 1", n) }
func init() { fmt.Println("init 2", n) }

func main() { fmt.Println(a, b, c) }
