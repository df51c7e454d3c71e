// A package with C in it, and a Go function that C calls, from threads of its own, too.
package main

/*
#cgo LDFLAGS: -lpthread
#include <pthread.h>
extern int goTwice(int);
static void *thread(void *n) { *(int *)n = goTwice(*(int *)n); return 0; }
static int fromThread(int n) { pthread_t t; pthread_create(&t, 0, thread, &n); pthread_join(t, 0); return n; }
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

func main() {
	fmt.Println(sum(10))
	for n := range 3 {
		fmt.Println(C.fromThread(C.int(n)))
	}
}
