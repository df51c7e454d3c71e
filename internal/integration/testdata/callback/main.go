// Command callback enters zones in Go functions that C calls, on Go's threads and on one that C has made.
package main

/*
#cgo LDFLAGS: -lpthread
#include <pthread.h>
extern void callback(int);
static void directly(int n) { for (int i = 0; i < n; i++) callback(0); }
static void *run(void *n) { for (int i = 0; i < *(int *)n; i++) callback(1); return 0; }
static int elsewhere(int n) {
	pthread_t t;
	if (pthread_create(&t, 0, run, &n)) return 1;
	return pthread_join(t, 0);
}
*/
import "C"

import (
	"os"

	"example.com/iprof"
)

var zones = [...]iprof.Zone{{Name: "called by C"}, {Name: "called on C's thread"}}

//export callback
func callback(kind C.int) {
	defer zones[kind].Begin().End()
	iprof.Begin("inside").End()
}

func main() {
	outer := iprof.Begin("before C")
	C.directly(100)
	if C.elsewhere(50) != 0 {
		panic("no thread")
	}
	outer.End()
	iprof.WriteJSON(os.Stdout)
}
