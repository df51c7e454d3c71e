//go:build !iprof_off

package iprof_test

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"example.com/iprof"
	"example.com/iprof/process/report"
)

// world is as a sync.Mutex, with a zone "lock world" while a goroutine waits for it.
var world = iprof.Mutex{Name: "world"}

// moveWorld is the work of a frame.
func moveWorld() {
	defer iprof.Begin("move world").End()
	world.Lock()
	defer world.Unlock()
	time.Sleep(2 * time.Millisecond)
}

// load holds the lock for half a second.
func load(locked chan<- bool) {
	defer iprof.Register("loader").Close()
	defer iprof.Begin("load").End()
	world.Lock()
	locked <- true
	time.Sleep(500 * time.Millisecond)
	world.Unlock() // the verdict names this line
}

// A frame waits for a lock that another goroutine holds. The verdict names the lock, who held it, and where that
// goroutine released it. This needs no execution trace, because the lock is an iprof.Mutex.
func ExampleMutex_verdict() {
	iprof.Reset()
	iprof.SetEvents(4096) // keeps the times at which zones began and ended
	defer iprof.SetEvents(0)
	for i := range 90 {
		if i == 88 {
			locked := make(chan bool)
			go load(locked)
			<-locked
		}
		moveWorld()
		iprof.Update()
	}
	session, verdict := iprof.Default(), report.Verdict{}
	session.Pause()
	defer session.Resume()
	session.VerdictSince(&verdict, 0) // the worst frame
	text := regexp.MustCompile(`[0-9]+(\.[0-9]+)?`).ReplaceAllString(verdict.String(), "N")
	text = regexp.MustCompile(`Waiting in lock .*go:N`).FindString(text) // on a busy machine it says more,
	text = strings.Replace(text, " of its own", "", 1)                   // and that this time is the program's
	fmt.Println(strings.ReplaceAll(text, "; ", "\n"))
	// Output:
	// Waiting in lock world N (usually not), called by move world
	// it waited for lock world for N
	// loader was in load for N (usually not called), then released it at example_contention_test.go:N
}
