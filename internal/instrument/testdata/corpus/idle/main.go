// Waits beside other work: in loops, in selects whose cases do something, in assignments, conditions and arguments.
package main

import (
	"fmt"
	"net"
	"os/exec"
	"time"
)

const pause = 30 * time.Millisecond

// rounds waits in a range with two ways to the next round and one out of it.
func rounds(c chan int) (n int) {
outer:
	for v := range c {
		switch {
		case v == 3:
			continue
		case v == 4:
			for i := range 3 {
				if i == 1 {
					continue outer
				}
			}
		case v == 9:
			break outer
		}
		n += v
	}
	return n
}

func choices(a, b chan int, stop chan bool) (n int) {
	for {
		select {
		case v, ok := <-a:
			if !ok {
				return -1
			}
			n += v
		case v := <-b:
			n -= v
		case <-stop:
			return n
		}
	}
}

func values(c chan int) (n int) {
	x := <-c
	y, ok := <-c
	if v := <-c; ok && v > 0 {
		n = add(<-c, x+y) + <-c
	}
	switch <-c {
	case 5:
		n++
	}
	return n + <-c
}

func add(a, b int) int { return a + b }

// leaps has a goto, which may not pass a declaration.
func leaps(c chan int) (n int) {
again:
	v, ok := <-c
	if ok && v < 3 {
		n += v
		goto again
	}
	return n
}

func accept(l net.Listener) string {
	conn, err := l.Accept()
	if err != nil {
		return err.Error()
	}
	defer conn.Close()
	b := make([]byte, 8)
	n, err := conn.Read(b)
	return fmt.Sprint(string(b[:n]), err)
}

func command() string {
	c := exec.Command("sleep", "0.03")
	if err := c.Run(); err != nil {
		return err.Error()
	}
	return "slept"
}

func feed(c chan int, values ...int) {
	for _, v := range values {
		time.Sleep(pause / 3)
		c <- v
	}
	close(c)
}

func fed(values ...int) chan int {
	c := make(chan int)
	go feed(c, values...)
	return c
}

func main() {
	fmt.Println(rounds(fed(1, 2, 3, 4, 5, 9)), values(fed(1, 2, 3, 4, 5, 5, 7)), leaps(fed(1, 2, 3)))
	a, b, stop := make(chan int), make(chan int), make(chan bool)
	go func() {
		a <- 7
		time.Sleep(pause)
		b <- 2
		stop <- true
	}()
	fmt.Println(choices(a, b, stop))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		time.Sleep(pause)
		if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
			time.Sleep(pause)
			fmt.Fprint(c, "hello")
			c.Close()
		}
	}()
	fmt.Println(accept(l), command())
}
