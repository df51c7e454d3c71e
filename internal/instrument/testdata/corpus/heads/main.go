// Waits in the heads of statements, with two values and with sends.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"time"
)

// slow returns a channel that is sent n values, each after a millisecond, and then closed.
func slow(n int) chan int {
	c := make(chan int)
	go func() {
		defer close(c)
		for i := range n {
			time.Sleep(time.Millisecond)
			c <- i
		}
	}()
	return c
}

var forIf, forElse, forSwitch, forType, forFirst = slow(1), slow(1), slow(2), slow(2), slow(2)

var forVar, forNext, forSend, forDefer, forLiteral = slow(2), slow(3), make(chan int), slow(1), slow(1)

func choose() string {
	if v, ok := <-forIf; v > 0 {
		return "no"
	} else if w, open := <-forElse; ok && open && w == v {
		fmt.Println("else", w)
	} else {
		return "neither"
	}
	switch v, ok := <-forSwitch; v {
	case 0:
		fmt.Println("switch", ok)
		fallthrough
	default:
		fmt.Println("default")
	}
kinds:
	switch v, ok := <-forType; x := any(v).(type) {
	case int:
		if ok {
			break kinds
		}
		fmt.Println("never", x)
	}
	var v, ok = <-forVar
	return fmt.Sprint(v, ok)
}

func rounds() (n int) {
	for v, ok := <-forFirst; ok; v, ok = <-forFirst {
		if v == 0 {
			continue
		}
		n += v
	}
	for v, ok := 0, true; ; v, ok = <-forNext {
		if n += v; !ok {
			return n
		}
	}
}

func send() string {
	go func() {
		time.Sleep(time.Millisecond)
		fmt.Println("received", <-forSend)
	}()
	if forSend <- 3; len(os.Args) > 5 {
		return "never"
	} else {
		return "sent"
	}
}

var literal = func() bool {
	_, ok := <-forLiteral
	return ok
}

func handle() {
	c := make(chan os.Signal, 1)
	defer close(c)
	go func() {
		if sig, valid := <-c; valid {
			fmt.Println(sig)
		}
	}()
	signal.Notify(c, os.Interrupt)
	defer fmt.Println(<-forDefer)
}

func main() {
	fmt.Println(choose(), rounds(), send(), literal())
	handle()
}
