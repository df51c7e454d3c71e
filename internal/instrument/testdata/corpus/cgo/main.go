// A package with C in it, and a Go function that C calls.
package main

/*
extern int goTwice(int);
static int callTwice(int n) { return goTwice(n); }
*/
import "C"

import "fmt"

//export goTwice
func goTwice(n C.int) C.int {
	s := C.int(0)
	for range 2 {
		s += n
	}
	return s
}

func sum(n int) (s int) {
	for i := range n {
		s += int(C.callTwice(C.int(i)))
	}
	return s
}

func main() { fmt.Println(sum(10)) }
