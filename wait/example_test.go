package wait_test

import (
	"fmt"

	"example.com/iprof/wait"
)

// A wait for a channel is an idle zone, so frames do not count it as work.
func ExampleBegin() {
	jobs := make(chan int, 1)
	jobs <- 7
	next := func() int {
		defer wait.Begin("for a job").End()
		return <-jobs
	}
	fmt.Println(next())
	// Output: 7
}

// A lock of the program's own is shown while a goroutine waits for it: as the zone "lock scores".
func ExampleMutex() {
	scores := wait.Mutex{Name: "scores"}
	best := 0
	scores.Lock()
	best++
	scores.Unlock()
	fmt.Println(best)
	// Output: 1
}
