// Command apiprofile logs the time that four workers spend in one module, a memory pool that they share. All public
// functions of the pool enter the same zone. So about once a second there is a line for each worker, with its share
// of time inside the pool and its number of calls.
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
	stop() // writes the last lines
}

// work lets four workers use one pool, each at its own pace.
func work(duration time.Duration) {
	pool := newPool(256, 4096)
	end := time.Now().Add(duration)
	var workers sync.WaitGroup
	for i, pause := range []time.Duration{
		50 * time.Microsecond, 200 * time.Microsecond, time.Millisecond, 20 * time.Millisecond,
	} {
		workers.Add(1)
		go func() {
			defer workers.Done()
			defer iprof.Register(fmt.Sprint("worker ", i+1)).Close()
			for useSome(pool); time.Now().Before(end); useSome(pool) {
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
