// Command races has data races, or none.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
)

var shared [3]int

func main() {
	switch os.Args[1] {
	case "zones":
		// The second goroutine enters its first zone after the first one's, and races later.
		apart(func() { add(&shared[0]); work(10) }, func() { work(10); add(&shared[0]) })
	case "starts":
		// Each goroutine starts another one, by the same statement.
		apart(func() { add(&shared[1]); start() }, func() { start(); add(&shared[1]) })
	case "routes":
		// Both answer requests of one route.
		apart(func() { add(&shared[0]); handle(&gin.Context{}) }, func() { handle(&gin.Context{}); add(&shared[0]) })
	case "same":
		// Both are of one function, and started by one statement.
		for n := range 2 {
			go func() { work(n); add(&shared[1]); work(n) }()
			pause()
		}
	case "rests":
		// The program rests for so long that the recording waits for it.
		time.Sleep(300 * time.Millisecond)
		go func() { add(&shared[2]); work(10) }()
		pause()
		time.Sleep(300 * time.Millisecond)
		go func() { work(10); add(&shared[2]) }()
		pause()
	case "asleep":
		// Both enter no zone for many frames.
		sleep := time.Sleep
		go func() { work(1); sleep(1200 * time.Millisecond); shared[2]++; work(1) }()
		go func() { work(1); sleep(1400 * time.Millisecond); work(1); shared[2]++ }()
		pause()
	case "none":
		fmt.Println(crowd())
	}
}

func handle(c *gin.Context) { work(len(c.FullPath())) }

func start() { go work(10) }

// apart runs two goroutines, the second one when the first has ended.
func apart(first, second func()) {
	go first()
	pause()
	go second()
	pause()
}

// pause waits until all others have ended. The number of goroutines orders nothing for the race detector.
func pause() {
	for runtime.NumGoroutine() > 1 {
		time.Sleep(time.Millisecond)
	}
}

func add(to *int) {
	for i := range 10 {
		*to += i
	}
}

func work(n int) (sum int) {
	for i := range n {
		sum += i * i
	}
	if n > 0 {
		sum += work(n - 1)
	}
	return sum
}

// crowd has many goroutines do the same without a race: some at once, some after others, some that wait, with functions
// that are called often enough to be muted.
func crowd() (sum int) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for round := range 40 {
		for n := range 50 {
			all.Add(1)
			go func() {
				defer all.Done()
				own := often(round) + work(n) + deep(n%7) + generic(n)
				if n%10 == 0 {
					time.Sleep(time.Duration(n) * 100 * time.Microsecond)
					own += within(n)
				}
				mu.Lock()
				defer mu.Unlock()
				sum += own
			}()
		}
		if round%4 == 0 {
			all.Wait()
			runtime.GC()
		}
	}
	all.Wait()
	return sum
}

func often(n int) (sum int) {
	for i := range 2000 {
		sum += little(i, n)
	}
	return sum
}

func little(i, n int) int {
	for range 2 {
		i += n
	}
	return i & 1
}

func deep(n int) int {
	if n == 0 {
		return 0
	}
	done := make(chan int)
	go func() { done <- deep(n-1) + work(2) }()
	return <-done
}

func generic[T int | string](x T) (n int) {
	for range 3 {
		n += len(fmt.Sprint(x))
	}
	return n
}

func within(n int) (sum int) {
	defer func() { _ = recover() }()
	for i := range n {
		sum += often(i % 2)
	}
	panic(sum)
}
