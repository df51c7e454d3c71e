package web_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/serve"
	"example.com/iprof/internal/web"
)

// served serves no items until the end of the test, and returns the page's address.
func served(t *testing.T) (page, host string) { return servedBy(t, web.New(nil, nil)) }

func servedBy(t *testing.T, s *web.Server) (page, host string) {
	l := must.Get(serve.Listen(":0"))(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s.Address(l), l.Addr().String()
}

// opens wants the page to open.
func opens(t *testing.T, page string) {
	t.Helper()
	answer := must.Get(http.Get(page))(t)
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("the page: got %d, %v; want 200", answer.StatusCode, err)
	}
}

// TestStrangersLockOutNobody: clients without the token, who keep their connections, take no place of the owner's. Each
// refusal ends its connection, and those that say nothing are the oldest of too many.
func TestStrangersLockOutNobody(t *testing.T) {
	page, host := served(t)
	for _, request := range []string{"GET /nope HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
		"POST /command/0 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n",
		"HEAD /file/0 HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n"} {
		c := dial(t, host)
		if _, err := io.WriteString(c, request); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(c); err != nil { // ReadAll waits for the end
			t.Errorf("%.20q: got %v; want an answer and the end", request, err)
		}
	}
	var silent []net.Conn
	for range 100 {
		silent = append(silent, dial(t, host))
	}
	for _, c := range silent[:100-16] {
		if answer, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || answer.StatusCode != 503 {
			t.Fatalf("got %v, %v; want 503", answer, err)
		}
	}
	opens(t, page)
}

func dial(t *testing.T, host string) net.Conn {
	t.Helper()
	c := must.Get(net.Dial("tcp", host))(t)
	t.Cleanup(func() { c.Close() })
	return c
}

// TestABrowserKeepsItsConnection: what has the token is no stranger, and asks as often as it likes.
func TestABrowserKeepsItsConnection(t *testing.T) {
	page, host := served(t)
	c := dial(t, host)
	answers := bufio.NewReader(c)
	for range 100 {
		fmt.Fprintf(c, "GET %spage.css HTTP/1.1\r\nHost: %s\r\n\r\n", page[len("http://"+host):], host)
		answer := must.Get(http.ReadResponse(answers, nil))(t)
		if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("got %d, %v; want 200", answer.StatusCode, err)
		}
	}
}
