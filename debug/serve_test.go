package debug_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/internal/must"
)

// pipes is a listener in memory. Its connections buffer nothing: who does not read stops the writer at once.
type pipes struct {
	accept chan net.Conn
	closed chan struct{}
	once   sync.Once
	at     net.IP
}

func listen(t *testing.T, s *debug.Server) *pipes {
	p := &pipes{accept: make(chan net.Conn), closed: make(chan struct{}), at: net.IPv4(127, 0, 0, 1)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Serve(p)
	}()
	t.Cleanup(func() { p.Close(); <-done })
	return p
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: p.at, Port: 6061} }
func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accept:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// watched says when the server closes its end.
type watched struct {
	net.Conn
	once   sync.Once
	closed chan struct{}
}

func (w *watched) Close() error {
	w.once.Do(func() { close(w.closed) })
	return w.Conn.Close()
}

// dial returns a client's connection, and a channel that is closed when the server closes it.
func (p *pipes) dial(t *testing.T) (net.Conn, chan struct{}) {
	mine, theirs := net.Pipe()
	w := &watched{Conn: theirs, closed: make(chan struct{})}
	p.accept <- w
	t.Cleanup(func() { mine.Close() })
	return mine, w.closed
}

// ask sends a request and returns the answer's status.
func (p *pipes) ask(t *testing.T, request string) int {
	t.Helper()
	c, _ := p.dial(t)
	go fmt.Fprint(c, request)
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	return answer.StatusCode
}

func TestHostilePeersGetNothing(t *testing.T) {
	s, _ := played(t)
	p := listen(t, &debug.Server{Session: s, Hosts: []string{"build.example"}})
	for host, want := range map[string]int{
		"127.0.0.1:6061": 200, "127.0.0.1": 200, "localhost:6061": 200, "LOCALHOST": 200, "[::1]:6061": 200,
		"[::1]": 200, "192.168.1.7:6061": 200, "build.example:6061": 200, "Build.Example": 200,
		"evil.example:6061": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example:6061": 421, "": 421,
		"evil.build.example": 421,
	} {
		request := "GET /debug/iprof/report HTTP/1.1\r\nHost: " + host + "\r\n\r\n"
		if got := p.ask(t, request); got != want {
			t.Errorf("Host %q: got %d; want %d", host, got, want)
		}
	}
	long := "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 20_000) + "\r\n\r\n"
	if got := p.ask(t, long); got != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a header of 20 kB: got %d; want 431", got)
	}
	for _, request := range []string{"\x16\x03\x01\x00\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"} {
		if got := p.ask(t, request); got < 400 {
			t.Errorf("%q: got %d; want an error", request, got)
		}
	}
	if got := p.ask(t, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"); got != http.StatusSeeOther {
		t.Errorf("/: got %d; want 303", got)
	}
}

// One that never reads is sent away, and frames go on meanwhile.
func TestASlowReaderHoldsUpNothing(t *testing.T) {
	s, program := played(t)
	p := listen(t, &debug.Server{Session: s, Timeout: 50 * time.Millisecond})
	for _, path := range []string{"", "json", "capture?seconds=1"} {
		c, closed := p.dial(t)
		fmt.Fprintf(c, "GET /debug/iprof/%s HTTP/1.1\r\nHost: localhost\r\n\r\n", path)
		for gone := false; !gone; {
			select {
			case <-closed:
				gone = true
			default:
				must.Do(t, program.Step())
				time.Sleep(time.Millisecond)
			}
		}
	}
}

// The ninth at once is asked to come back, and is served when another has gone.
func TestReadersAreBounded(t *testing.T) {
	s, _ := played(t)
	p := listen(t, &debug.Server{Session: s, Timeout: time.Hour})
	var first net.Conn
	for range 8 {
		c, _ := p.dial(t)
		fmt.Fprint(c, "GET /debug/iprof/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if _, err := c.Read(make([]byte, 1)); err != nil { // it is being answered
			t.Fatal(err)
		}
		first = c
	}
	if got := p.ask(t, askReport); got != http.StatusServiceUnavailable {
		t.Errorf("the ninth reader: got %d; want 503", got)
	}
	first.Close()
	for p.ask(t, askReport) != http.StatusOK {
		time.Sleep(time.Millisecond)
	}
}

func TestOtherMachinesNeedAToken(t *testing.T) {
	const long = "0123456789abcdef"
	for _, addr := range []string{"0.0.0.0:0", "[::]:0", "192.0.2.1:0", "example.invalid:0"} {
		for _, token := range []string{"", long[1:]} {
			err := (&debug.Server{Token: token}).ListenAndServe(addr)
			if err == nil || !strings.Contains(err.Error(), "set a Token") {
				t.Errorf("%s, token %q: got %v", addr, token, err)
			}
		}
	}
	outside := &pipes{accept: make(chan net.Conn), closed: make(chan struct{}), at: net.IPv4(192, 0, 2, 1)}
	if err := new(debug.Server).Serve(outside); err == nil || !strings.Contains(err.Error(), "set a Token") {
		t.Errorf("Serve: got %v", err)
	}
	select {
	case <-outside.closed:
	default:
		t.Error("Serve has not closed the listener")
	}
	s, _ := played(t)
	p := &debug.Server{Session: s, Token: long}
	if got := listen(t, p).ask(t, "GET /debug/iprof/report HTTP/1.1\r\nHost: localhost\r\n\r\n"); got != 401 {
		t.Errorf("without the token: got %d", got)
	}
	if err := debug.ListenAndServe("nonsense"); err == nil {
		t.Error("nonsense: got no error")
	}
}
