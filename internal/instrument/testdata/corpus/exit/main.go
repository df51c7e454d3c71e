// Statements in heads of loops, calls that end the process, goroutines.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

func work(n int) int {
	s := 0
	for i := 0; i < n; i++ {
		s += i
		switch {
		case s > 100:
			time.Sleep(time.Microsecond)
		default:
			s++
		}
	}
	return s
}

func main() {
	var wait sync.WaitGroup
	sums := make([]int, 4)
	for i := range sums {
		wait.Add(1)
		go func() {
			defer wait.Done()
			sums[i] = work(20 * i)
		}()
	}
	wait.Wait()
	for time.Sleep(1); sums[0] < 1; time.Sleep(1) {
		sums[0]++
	}
	fmt.Println(sums)
	os.Exit(3)
}
