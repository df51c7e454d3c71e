package serve_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/serve"
)

// one is a listener with one connection in memory, which buffers nothing.
type one chan net.Conn

func (o one) Accept() (net.Conn, error) {
	if c, ok := <-o; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (o one) Close() error   { return nil }
func (o one) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 6061} }

// connected returns a client's connection to a handler behind a guard.
func connected(t *testing.T, h http.HandlerFunc, timeout time.Duration) net.Conn {
	mine, theirs := net.Pipe()
	l := make(one, 1)
	l <- theirs
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve.Serve(ctx, l, serve.Guard{}.Handler(h), timeout) }()
	t.Cleanup(func() {
		stop()
		close(l)
		if err := <-ended; err != nil {
			t.Error("the end:", err)
		}
		mine.Close()
	})
	return mine
}

// The limit of time for a body ends with the body. An answer that takes a minute is whole, and its request goes on.
func TestALongAnswerToABody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connected(t, func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.ReadAll(r.Body); err != nil {
				t.Error(err)
			}
			select {
			case <-time.After(time.Minute):
				fmt.Fprint(w, "done")
			case <-r.Context().Done():
				t.Error("the request has ended:", r.Context().Err())
			}
		}, 2*time.Minute)
		go io.WriteString(c, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nreset")
		answer := must.Get(http.ReadResponse(bufio.NewReader(c), nil))(t)
		if text, err := io.ReadAll(answer.Body); string(text) != "done" || err != nil {
			t.Errorf("got %q, %v; want all", text, err)
		}
	})
}

// An answer that takes longer than the limit is whole while the client reads, and ends with a client that does not
// read.
func TestSteady(t *testing.T) {
	const pieces, piece = 20, 64 << 10
	for _, reads := range []bool{true, false} {
		t.Run(fmt.Sprint("reads=", reads), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				failed := make(chan error, 1)
				c := connected(t, func(w http.ResponseWriter, _ *http.Request) {
					w = serve.Steady(w, 5*time.Second)
					var err error
					for range pieces {
						if _, err = w.Write(make([]byte, piece)); err != nil {
							break
						}
						if reads {
							time.Sleep(4 * time.Second)
						}
					}
					failed <- err
				}, time.Second)
				begin := time.Now()
				go io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
				if !reads {
					if err := <-failed; err == nil || time.Since(begin) > 6*time.Second {
						t.Errorf("got %v after %v; want an error after 5 s", err, time.Since(begin))
					}
					return
				}
				answer := must.Get(http.ReadResponse(bufio.NewReader(c), nil))(t)
				if n, err := io.Copy(io.Discard, answer.Body); n != pieces*piece || err != nil {
					t.Errorf("got %d bytes, %v; want %d", n, err, pieces*piece)
				}
			})
		})
	}
}

func TestListen(t *testing.T) {
	l := must.Get(serve.Listen(":0"))(t)
	defer l.Close()
	if got := l.Addr().(*net.TCPAddr).IP; !got.IsLoopback() {
		t.Errorf("a port alone: got %v; want loopback", got)
	}
	if _, err := serve.Listen("nonsense"); err == nil {
		t.Error("nonsense: got no error")
	}
	address := must.Get(serve.FreeAddress())(t)
	free := must.Get(serve.Listen(address))(t)
	free.Close()
}

func TestOnlyHere(t *testing.T) {
	for addr, want := range map[string]bool{":1": true, "localhost:1": true, "127.0.0.1:1": true, "127.9.9.9:1": true,
		"[::1]:1": true, "0.0.0.0:1": false, "[::]:1": false, "192.0.2.1:1": false, "a.example:1": false,
		"[::ffff:127.0.0.1]:1": true, "nonsense": false} {
		if got := serve.OnlyHere(addr); got != want {
			t.Errorf("%s: got %v; want %v", addr, got, want)
		}
	}
}

// TestAServerThatCannotListen returns the listener's error.
func TestAServerThatCannotListen(t *testing.T) {
	l := make(one)
	close(l)
	err := serve.Serve(context.Background(), l, http.NotFoundHandler(), time.Second)
	if !errors.Is(err, net.ErrClosed) {
		t.Errorf("got %v; want that it is closed", err)
	}
}

// A name of another site that leads here is refused.
func TestNamesOfThisMachine(t *testing.T) {
	for host, want := range map[string]bool{"localhost": true, "LOCALHOST:80": true, "127.0.0.1:80": true,
		"[::1]": true, "[::1]:80": true, "builds.example:80": true, "BUILDS.example": true, "evil.example": false,
		"localhost.evil.example": false, "127.0.0.1.evil.example": false, "": false, "[localhost]": false} {
		if got := serve.IsHere(host, []string{"builds.example"}); got != want {
			t.Errorf("%q: got %v; want %v", host, got, want)
		}
		if got := serve.IsHere(strings.ToUpper(host), []string{"builds.example"}); got != want {
			t.Errorf("%q in capitals: got %v; want %v", host, got, want)
		}
	}
}

func TestAnAddressThatIsShownOpens(t *testing.T) {
	for _, address := range []string{":0", "127.0.0.1:0", "localhost:0", "[::1]:0", "0.0.0.0:0", "[::]:0"} {
		l, err := serve.Listen(address)
		if err != nil && strings.Contains(address, "::") {
			continue // without IPv6
		}
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- serve.Serve(ctx, l, serve.Guard{}.Handler(http.HandlerFunc(
				func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.Path) })), time.Minute)
		}()
		shown := serve.URL(l, "/a page/")
		answer, err := http.Get(shown)
		if err != nil {
			t.Fatalf("%s: shown as %s: %v", address, shown, err)
		}
		if text, _ := io.ReadAll(answer.Body); string(text) != "/a page/" || strings.Contains(shown, "[::]") ||
			strings.Contains(shown, "0.0.0.0") {
			t.Errorf("%s: shown as %s, which answers %q", address, shown, text)
		}
		answer.Body.Close()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
