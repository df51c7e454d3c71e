// Go statements of all kinds: literals, functions, methods, generic and built-in functions, behind labels, in one line,
// and in goroutines.
package main

import (
	"fmt"
	"sync"
)

type pool struct{ wait sync.WaitGroup }

func (p *pool) work(n int, done chan<- int) {
	defer p.wait.Done()
	sum := 0
	for i := range n * 1000 {
		sum += i ^ n
	}
	if sum == 1 {
		fmt.Println("never")
	}
	done <- n
	sum++
	_ = sum
}

func send[T any](to chan<- T, v T) { to <- v }

// crowd starts what it waits for.
func (p *pool) crowd(size int) int {
	done, sum := make(chan int, size), 0
	for n := range size {
		p.wait.Add(1)
		go p.work(n, done)
	}
	p.wait.Wait()
	close(done)
	for n := range done {
		sum += n
	}
	return sum
}

// group waits with a result.
type group struct{ sync.WaitGroup }

func (g *group) Wait() error { g.WaitGroup.Wait(); return nil }

//iprof:zone all
func all(n int) (err error) {
	g := map[string]*group{"g": {}}
	for range n {
		g["g"].Go(func() {})
	}
	if err := g["g"].Wait(); err != nil {
		return err
	}
	err = g["g"].Wait()
	return err
}

//iprof:zone nested
func nested(to chan<- int) {
	inner := make(chan int)
	go func() { go send(inner, 2); go send(inner, 3) }()
	to <- <-inner + <-inner
}

func main() {
	var p pool
	fmt.Println(p.crowd(12))
	results := make(chan int)
	again := true
start:
	go send(results, 1)
	fmt.Println(<-results)
	if again {
		again = false
		goto start
	}
	go nested(results)
	fmt.Println(<-results)
	switch c := make(chan int); {
	case again:
	default:
		go close(c)
		<-c
	}
	fmt.Println(all(3))
	func() { go print(); go func(s ...string) { send(results, len(s)) }([]string{"a", "b"}...) }()
	fmt.Println(<-results)
}
