// Waits for channels and tickers: alone in a function, between work, and as the last statement of a function.
package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"
)

type clock struct{ ticker *time.Ticker }

func (c clock) next() { <-c.ticker.C }

func tick(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

func drain(from chan int) (n int, open bool) {
	for range from {
	}
	n, open = <-from
	return n, open
}

func forever(stop chan struct{}) int {
	for {
		<-stop
	}
}

func take(from <-chan int) int { return <-from }

// sum works between two receives.
func sum(from <-chan int, done chan struct{}) (s int) {
	for n := range from {
		s += n
	}
	<-done
	return s
}

func both(a, b chan struct{}) {
	first := true
again:
	select {
	case <-a:
	case <-b:
	}
	if first {
		first = false
		goto again
	}
	for range a {
	}
}

// poll does not wait.
func poll(c chan int) string {
	select {
	case <-c:
		return "one"
	default:
	}
	return "none"
}

func server() {
	fmt.Println("serving")
	select {}
}

func sequence(f func(func() bool)) {
	for range f {
	}
}

// parked reports whether both goroutines that wait for ever do so.
func parked() bool {
	text, n := make([]byte, 1<<16), 0
	for stack := range strings.SplitSeq(string(text[:runtime.Stack(text, true)]), "\n\n") {
		if strings.Contains(stack, "[chan receive") && strings.Contains(stack, "main.forever(") ||
			strings.Contains(stack, "[select (no cases)") && strings.Contains(stack, "main.server(") {
			n++
		}
	}
	return n == 2
}

func main() {
	c := clock{time.NewTicker(time.Microsecond)}
	for range 3 {
		c.next()
	}
	<-c.ticker.C
	fmt.Println(tick(context.Background(), time.Microsecond))
	numbers, done := make(chan int, 9), make(chan struct{})
	numbers <- 4
	fmt.Println(take(numbers), poll(numbers))
	numbers <- 5
	close(numbers)
	close(done)
	fmt.Println(sum(numbers, done))
	fmt.Println(drain(numbers))
	both(done, done)
	go forever(make(chan struct{}))
	go server()
	sequence(func(yield func() bool) { fmt.Println("called", yield()) })
	for !parked() {
		time.Sleep(time.Millisecond)
	}
}
