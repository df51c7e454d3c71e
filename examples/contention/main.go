// Command contention is a game whose frames now and then wait for a lock that a loader holds. It prints the verdict on
// the worst frame: the lock, who held it and where that released it. It needs no execution trace, because the lock
// is an iprof.Mutex. With -table it prints the frame's table, whose column "waiting" has the time.
//
//	go run ./examples/contention -table
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"example.com/iprof"
	"example.com/iprof/process"
)

var world = iprof.Mutex{Name: "world"} // as sync.Mutex, with a zone "lock world" while somebody waits for it

func main() {
	frames := flag.Int("frames", 90, "`frames` to run")
	held := flag.Duration("held", 40*time.Millisecond, "how long the loader holds the lock in the last frame but one")
	table := flag.Bool("table", false, "print the table of that frame, too")
	flag.Parse()
	iprof.SetEvents(4096) // which zone was open when: for the column waiting
	loaded := make(chan time.Duration)
	go load(loaded)
	for i := range *frames {
		if i == *frames-2 {
			loaded <- *held
			<-loaded // the loader has the lock
		}
		update()
		iprof.Update()
	}
	session, verdict := process.Default(), process.Verdict{}
	session.Pause()
	session.VerdictSince(&verdict, 0) // the worst frame
	session.ShowFrame(verdict.Index)
	fmt.Println(verdict.String())
	if *table {
		check(iprof.WriteText(os.Stdout))
	}
}

// update moves the world.
func update() {
	defer iprof.Begin("update").End()
	world.Lock()
	defer world.Unlock()
	time.Sleep(2 * time.Millisecond)
}

// load puts something into the world, which takes long.
func load(loaded chan time.Duration) {
	defer iprof.Register("loader").Close()
	for held := range loaded {
		lock(held, loaded)
	}
}

func lock(held time.Duration, loaded chan<- time.Duration) {
	defer iprof.Begin("load").End()
	world.Lock()
	loaded <- held
	time.Sleep(held)
	world.Unlock() // the verdict names this line
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "contention:", err)
		os.Exit(1)
	}
}
