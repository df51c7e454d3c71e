// Command apiprofile logs what one module costs a program with many goroutines: a memory pool that four workers share. Its
// public functions all count into one zone, so there is a line for each worker, about once a second: how much of its time it
// spent inside the pool, and in how many calls.
//
//	go run ./examples/apiprofile
//	go run ./examples/apiprofile -for 10s -every 2s
package main

import (
	"flag"
	"fmt"
	"os"
	"sync"
	"time"

	"example.com/iprof"
)

func main() {
	duration := flag.Duration("for", 3*time.Second, "how long to run")
	every := flag.Duration("every", time.Second, "how often to log")
	flag.Parse()
	stop := iprof.LogEvery(os.Stdout, *every, &poolZone)
	work(*duration)
	stop() // the last lines
}

// work lets four workers use one pool, each in its own way.
func work(duration time.Duration) {
	pool := newPool(256, 4096)
	end := time.Now().Add(duration)
	var workers sync.WaitGroup
	for i, pause := range []time.Duration{50 * time.Microsecond, 200 * time.Microsecond, time.Millisecond, 20 * time.Millisecond} {
		workers.Add(1)
		go func() {
			defer workers.Done()
			defer iprof.Register(fmt.Sprint("worker ", i+1)).Close()
			for time.Now().Before(end) {
				useSome(pool)
				time.Sleep(pause)
			}
		}()
	}
	workers.Wait()
}

// useSome takes three blocks, makes one of them larger, and gives all back.
func useSome(p *pool) {
	a, b, c := p.Get(), p.Get(), p.Get()
	b = p.Grow(b, 8000)
	for i := range b {
		b[i] = byte(i)
	}
	p.Put(a)
	p.Put(b)
	p.Put(c)
}
