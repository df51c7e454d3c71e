// Waits beside other work: in loops, in selects whose cases do something, in assignments, conditions and arguments.
package main

import (
	"context"
	"fmt"
	"io"
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

// tap embeds a connection, and hides another one's Read.
type tap struct{ net.Conn }

type muffled struct{ net.Conn }

func (muffled) Read(b []byte) (int, error) { return len(b), nil }

func (l *link) take() (net.Conn, error) { return l.Listener.Accept() }

func (l *link) first() string {
	b := make([]byte, 1)
	if n, err := l.conns[0].Read(b); err != nil || n != 1 {
		return "nothing"
	}
	return string(b)
}

func (l *link) second() (int, error) { return l.byName["second"].Read(make([]byte, 1)) }

func (l *link) third() string {
	b := make([]byte, 2)
	for _, c := range l.conns {
		if n, err := io.ReadFull(c, b); err == nil {
			return string(b[:n])
		}
	}
	return "nothing"
}

func (l *link) none() (int, error) { return muffled{l.conns[0]}.Read(make([]byte, 3)) }

func (l *link) sum() (n int) {
	for v := range l.queue {
		n += v
	}
	return n
}

func (l *link) ask() ([]byte, error) { return l.child.Output() }

func echo() string {
	out, err := exec.Command("sh", "-c", "sleep 0.03; echo said").CombinedOutput()
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// beside starts a command that nobody waits for here.
func beside() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	c := exec.CommandContext(ctx, "sleep", "100")
	begin := time.Now()
	go c.Run()
	if time.Since(begin) > 90*time.Second {
		fmt.Println("it was waited for")
	}
}

func datagram() (string, error) {
	to, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer to.Close()
	go func() {
		time.Sleep(pause)
		if c, err := net.Dial("udp", to.LocalAddr().String()); err == nil {
			fmt.Fprint(c, "packet")
			c.Close()
		}
	}()
	b := make([]byte, 8)
	n, _, err := to.ReadFrom(b)
	return string(b[:n]), err
}

func fields(l net.Listener) {
	go func() {
		if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
			for _, text := range []string{"a", "b", "cd"} {
				time.Sleep(pause)
				fmt.Fprint(c, text)
			}
			c.Close()
		}
	}()
	with := &link{Listener: l, carrier: &carrier{fed(1, 2, 3)}}
	with.child = exec.Command("sh", "-c", "sleep 0.03; echo child")
	c, err := with.take()
	with.conns, with.byName = append(with.conns, c), map[string]*tap{"second": {c}}
	fmt.Println(err, with.first())
	fmt.Println(with.second())
	fmt.Println(with.third())
	fmt.Println(with.none())
	fmt.Println(with.sum())
	out, err := with.ask()
	fmt.Println(string(out), err)
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
	fields(l)
	fmt.Println(echo())
	fmt.Println(datagram())
	beside()
}
