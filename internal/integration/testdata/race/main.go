// Command race enters zones on two goroutines that add to a counter: "race" without, "lock" with a lock between them.
package main

import (
	"fmt"
	"io"
	"os"
	"sync"

	"example.com/iprof"
)

var (
	zone    = iprof.Zone{Name: "shared"}
	lock    sync.Mutex
	counter int
)

//go:noinline
func bump(locked bool) {
	defer zone.Begin().End()
	defer iprof.Begin("bump").End()
	if locked {
		lock.Lock()
		defer lock.Unlock()
	}
	counter++
}

func main() {
	locked := len(os.Args) > 1 && os.Args[1] == "lock"
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for i := range 1000 {
				bump(locked)
				if i%10 == 0 { // Update takes a lock, which orders the calls of bump around it
					iprof.Update()
				}
				iprof.Alloc(8)
			}
			iprof.WriteTree(io.Discard)
		})
	}
	all.Wait()
	fmt.Println("done")
}
