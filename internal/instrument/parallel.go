package instrument

import (
	"runtime"
	"sync"
)

// parallel calls f for 0 to n-1, with one goroutine per processor.
func parallel(n int, f func(int)) {
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
}
