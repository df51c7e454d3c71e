package iprof_test

import (
	"fmt"

	"example.com/iprof"
)

// A wait for a channel is an idle zone, so frames do not count it as work.
func ExampleWait() {
	jobs := make(chan int, 1)
	jobs <- 7
	next := func() int {
		defer iprof.Wait("for a job").End()
		return <-jobs
	}
	fmt.Println(next())
	// Output: 7
}

// A lock of the program's own is shown while somebody waits for it: as the zone "lock scores".
func ExampleMutex() {
	scores := iprof.Mutex{Name: "scores"}
	best := 0
	scores.Lock()
	best++
	scores.Unlock()
	fmt.Println(best)
	// Output: 1
}

// Readers do not wait for each other.
func ExampleRWMutex() {
	players := iprof.RWMutex{Name: "players"}
	players.RLock()
	defer players.RUnlock()
	fmt.Println(players.TryRLock(), players.TryLock())
	// Output: true false
}
