package debug_test

import (
	"bufio"
	"crypto/tls"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/remote"
)

// sends sends a text.
func sends(text string) func(net.Conn) {
	return func(c net.Conn) { io.WriteString(c, text) }
}

// deaf sends a text and reads nothing.
func deaf(text string) func(net.Conn) string {
	return func(c net.Conn) string {
		io.WriteString(c, text)
		return ""
	}
}

// hears sends, and returns the answer up to the end of the connection.
func hears(send func(net.Conn)) func(net.Conn) string {
	return func(c net.Conn) string {
		go send(c)
		answer, _ := io.ReadAll(c)
		return string(answer)
	}
}

// drips sends a text at once and then more of it, a byte a second.
func drips(text, more string) func(net.Conn) {
	return func(c net.Conn) {
		_, err := io.WriteString(c, text)
		for at := 0; err == nil; at++ {
			time.Sleep(time.Second)
			_, err = io.WriteString(c, more[at%len(more):][:1])
		}
	}
}

// floods sends a text and then more of it, as fast as it is read.
func floods(text, more string) func(net.Conn) {
	return func(c net.Conn) {
		_, err := io.WriteString(c, text)
		for err == nil {
			_, err = io.WriteString(c, more)
		}
	}
}

// Requests, the first and the last without an end.
const (
	read      = "GET /debug/iprof/report HTTP/1.1\r\nHost: localhost\r\n"
	askReport = read + "Connection: close\r\n\r\n"
	posts     = "POST /debug/iprof/command HTTP/1.1\r\nHost: localhost\r\n"
)

// TestHostileClientsAreSentAway in a time that they cannot make longer. Frames go on meanwhile. The clock is simulated.
func TestHostileClientsAreSentAway(t *testing.T) {
	refused := strings.Repeat("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 100)
	for _, test := range []struct {
		name   string
		client func(net.Conn) (answer string)
		within time.Duration
		reason string // in the answer
	}{
		{"says nothing", hears(sends("")), 5 * time.Second, ""},
		{"asks by half", hears(sends(read)), 5 * time.Second, ""},
		{"header at a byte a second", hears(drips(read, "X: y\r\n")), 5 * time.Second, ""},
		{"header without an end", hears(floods(read, "X: y\r\n")), 5 * time.Second, "431 Request Header"},
		{"line without an end", hears(floods("", "GET ")), 5 * time.Second, "431 Request Header"},
		{"stays", hears(sends(read + "\r\n")), time.Minute, "200 OK"},
		{"body at a byte a second", hears(drips(posts+"Content-Length: 4000\r\n\r\n", "reset ")), 6 * time.Second,
			"did not arrive"},
		{"body without an end", hears(floods(posts+"Transfer-Encoding: chunked\r\n\r\n", "5\r\nreset\r\n")),
			6 * time.Second, "too long"},
		{"body nobody asked for", hears(floods(read+"Transfer-Encoding: chunked\r\n\r\n", "5\r\nreset\r\n")),
			6 * time.Second, "200 OK"},
		{"speaks TLS", func(c net.Conn) string {
			return tls.Client(c, &tls.Config{InsecureSkipVerify: true}).Handshake().Error()
		}, 6 * time.Second, ""},
		{"deaf to refusals", deaf(refused), time.Minute, ""},
		{"deaf to errors", deaf("GET\r\n\r\n"), time.Minute, ""},
		{"deaf to the page", deaf("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), time.Minute, ""},
		{"deaf to the live stream", deaf(watch), time.Minute, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				t.Cleanup(func() { time.Sleep(time.Minute) }) // the last to run: clients end
				s, program := played(t)
				p := listen(t, &debug.Server{Session: s, AllowCommands: true})
				begin := time.Now()
				c, closed := p.dial(t)
				answer := make(chan string, 1)
				go func() { answer <- test.client(c) }()
				for gone := false; !gone; {
					select {
					case <-closed:
						gone = true
					case <-time.After(100 * time.Millisecond):
						must.Do(t, program.Step())
					}
					if passed := time.Since(begin); passed > test.within {
						t.Fatalf("still there after %v", passed)
					}
				}
				if got := <-answer; !strings.Contains(got, test.reason) {
					t.Errorf("got %.300q; want %q", got, test.reason)
				}
			})
		})
	}
}

// The newest stay, so that whoever asks for something gets it meanwhile. The others end soon, as they ask for nothing.
// The clock is simulated.
func TestAFloodOfConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const many, most = 10_000, 16
		s, _ := played(t)
		p := listen(t, &debug.Server{Session: s})
		var open []chan struct{}
		for range many {
			c, closed := p.dial(t)
			go io.Copy(io.Discard, c)
			open = append(open, closed)
		}
		synctest.Wait()
		left := 0
		for _, closed := range open {
			select {
			case <-closed:
			default:
				left++
			}
		}
		if left != most {
			t.Errorf("%d connections are open; want %d", left, most)
		}
		if got := p.ask(t, askReport); got != http.StatusOK {
			t.Errorf("one more: got %d; want 200", got)
		}
		time.Sleep(5 * time.Second)
		for range 2 * most { // a place is free again when its connection has ended
			if got := p.ask(t, askReport); got != http.StatusOK {
				t.Fatalf("afterwards: got %d; want 200", got)
			}
			synctest.Wait()
		}
	})
}

// 64 connections without the token, made again whenever they are closed, take no place of the owner's, whatever they
// do. The clock is simulated.
func TestStrangersLockOutNobody(t *testing.T) {
	for name, does := range map[string]func(net.Conn) string{
		"say nothing":        hears(sends("")),
		"ask and stay":       hears(sends(read + "\r\n")),
		"guess":              hears(sends(read + "Authorization: Bearer guess\r\n\r\n")),
		"under another name": hears(sends("GET /debug/iprof/ HTTP/1.1\r\nHost: evil.example\r\n\r\n")),
		"follow the link":    hears(sends("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")),
		"drip":               hears(drips(read, "X: y\r\n")),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				t.Cleanup(func() { time.Sleep(2 * time.Minute) }) // the last to run: clients end
				s, _ := played(t)
				p := listen(t, &debug.Server{Session: s, Token: "sesame-sesame-sesame"})
				stop := make(chan struct{})
				defer close(stop)
				for range 64 {
					go again(p, does, stop)
				}
				const rightful = read + "Connection: close\r\nAuthorization: bearer sesame-sesame-sesame\r\n\r\n"
				for range 8 {
					time.Sleep(1037 * time.Millisecond) // not when they come, which takes no time here
					if got := p.ask(t, rightful); got != http.StatusOK {
						t.Fatalf("the owner: got %d; want 200", got)
					}
				}
			})
		})
	}
}

// again makes a connection over and over, for a client that does something with it.
func again(p *pipes, does func(net.Conn) string, stop chan struct{}) {
	for {
		mine, theirs := net.Pipe()
		select {
		case p.accept <- theirs:
			does(mine)
			mine.Close()
			time.Sleep(100 * time.Millisecond)
		case <-stop:
			return
		}
	}
}

func TestRefusalsEndTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := played(t)
		p := listen(t, &debug.Server{Session: s, Token: "sesame-sesame-sesame"})
		for status, request := range map[string]string{"401 ": read + "\r\n",
			"421 ": "GET /debug/iprof/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
			"403 ": read + "Authorization: Bearer sesame-sesame-sesame\r\nSec-Fetch-Site: cross-site\r\n\r\n"} {
			c, _ := p.dial(t)
			begin := time.Now()
			answer := hears(sends(request))(c)
			if !strings.Contains(answer, status) || time.Since(begin) > time.Second {
				t.Errorf("got %.60q after %v; want %s and the end at once", answer, time.Since(begin), status)
			}
		}
	})
}

// A page of another site embeds the capture and the live stream more often than there are places. Whoever reads the
// program gets an answer all the same. The clock is simulated.
func TestFramesOfAnotherSiteTakeNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := played(t)
		p := listen(t, &debug.Server{Session: s})
		for i := range 24 {
			path := []string{"capture?seconds=60", "live", "profile?seconds=60"}[i%3]
			c, _ := p.dial(t)
			answer := hears(sends("GET /debug/iprof/" + path + " HTTP/1.1\r\nHost: localhost\r\n" +
				"Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n\r\n"))(c)
			if !strings.HasPrefix(answer, "HTTP/1.1 403 ") {
				t.Errorf("%s: got %.60q; want 403", path, answer)
			}
		}
		for _, path := range []string{"report", "metrics"} {
			if got := p.ask(t, "GET /debug/iprof/"+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n"); got != 200 {
				t.Errorf("the owner, %s: got %d; want 200", path, got)
			}
		}
	})
}

// TestAFloodOfRequests on one connection is answered one by one.
func TestAFloodOfRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := played(t)
		c, _ := listen(t, &debug.Server{Session: s}).dial(t)
		const many, head = 10_000, "HEAD /debug/iprof/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
		go io.WriteString(c, strings.Repeat(head, many))
		answers := bufio.NewReader(c)
		for n := range many {
			answer, err := http.ReadResponse(answers, &http.Request{Method: "HEAD"})
			if err != nil || answer.StatusCode != http.StatusOK {
				t.Fatal(n, answer, err)
			}
		}
	})
}

// A server of the program's own may have no limits, and there are eight places for those who read. The clock is
// simulated.
func TestSlowCommandsKeepNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) }) // the last to run: clients end
		s, _ := played(t)
		p := &pipes{accept: make(chan net.Conn), closed: make(chan struct{}), at: net.IPv4(127, 0, 0, 1)}
		server := &http.Server{Handler: (&debug.Server{Session: s, AllowCommands: true}).Handler()}
		go server.Serve(p)
		t.Cleanup(func() { server.Close() })
		for range 8 {
			c, _ := p.dial(t)
			go drips(posts+"Content-Length: 4000\r\n\r\n", "reset ")(c)
			go io.Copy(io.Discard, c)
		}
		time.Sleep(time.Second)
		if got := p.ask(t, askReport); got != http.StatusServiceUnavailable {
			t.Errorf("meanwhile: got %d; want 503, or this tests nothing", got)
		}
		time.Sleep(5 * time.Second)
		if got := p.ask(t, askReport); got != http.StatusOK {
			t.Errorf("afterwards: got %d; want 200", got)
		}
	})
}

// proxied serves a program below the prefix /svc-a of a proxy. It returns the address below which the pages are.
func proxied(t *testing.T, names func(*httputil.ProxyRequest)) (address string) {
	t.Helper()
	mux := http.NewServeMux()
	debug.Register(mux)
	inner := httptest.NewServer(mux)
	t.Cleanup(inner.Close)
	to := must.Get(url.Parse(inner.URL))(t)
	pass := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.URL.Path = strings.TrimPrefix(r.In.URL.Path, "/svc-a")
		names(r)
	}}
	outer := http.NewServeMux()
	outer.Handle("/svc-a/", pass)
	proxy := httptest.NewServer(outer)
	t.Cleanup(proxy.Close)
	return proxy.URL + "/svc-a"
}

// forwarded names the proxy, as most proxies can.
func forwarded(r *httputil.ProxyRequest) {
	r.SetXForwarded()
	r.Out.Header.Set("X-Forwarded-Prefix", "/svc-a")
}

// via only says that there is a proxy.
func via(r *httputil.ProxyRequest) { r.Out.Header.Set("Via", "1.1 proxy") }

// body returns the body of the answer at an address, after redirects.
func body(t *testing.T, address string) string {
	t.Helper()
	answer := must.Get(http.Get(address))(t)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v", address, answer.StatusCode, err)
	}
	return string(text)
}

var said = regexp.MustCompile(`<code>iprof view ([^<]*)</code>`)

// The page is there also without the last slash. It names an address under which the program is found from outside the
// proxy, or none. Its links stay below the prefix.
func TestThePageBehindAPrefix(t *testing.T) {
	address := proxied(t, forwarded)
	page := body(t, address+"/debug/iprof")
	got := html.UnescapeString(said.FindStringSubmatch(page)[1])
	if got != address {
		t.Errorf("the page names %s; want %s", got, address)
	}
	p := must.Get(remote.New(got, ""))(t)
	stream := must.Get(p.Live(t.Context()))(t)
	stream.Close()
	for _, link := range regexp.MustCompile(`(?:href|src|action)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		u, err := url.Parse(link[1])
		if err != nil || u.Host != "" || strings.HasPrefix(u.Path, "/") {
			t.Errorf("the page has the link %q, %v; want relative ones", link[1], err)
		}
	}
	page = body(t, proxied(t, via)+"/debug/iprof")
	if got := said.FindStringSubmatch(page)[1]; strings.Contains(got, "http") {
		t.Errorf("the proxy names nothing: the page names %s; want no address", got)
	}
}

// Whatever the headers say, the page has an address of a plain form.
func TestForwardedHeadersAreText(t *testing.T) {
	h := debug.Handler()
	for _, test := range []struct{ headers, want string }{
		{"X-Forwarded-Host: a.example, b|X-Forwarded-Proto: https,http|X-Forwarded-Prefix: /x/, /y",
			"https://a.example/x"},
		{"X-Forwarded-Host: [::1]:80|X-Forwarded-Proto: HTTPS", "https://[::1]:80"},
		{"X-Forwarded-Host: a.example|X-Forwarded-Proto: javascript|X-Forwarded-Prefix: /;reboot", "http://a.example"},
		{"X-Forwarded-Host: a.example/$(reboot)", "with the address of this page"},
		{"X-Forwarded-For: 10.0.0.1", "with the address of this page"},
		{"Forwarded: host=a.example", "with the address of this page"},
		{"X-Other: b", "http://example.com"},
	} {
		w := get(h, "GET", "/debug/iprof/", strings.Split(test.headers, "|")...)
		if got := said.FindStringSubmatch(w.Body.String()); got == nil || got[1] != test.want {
			t.Errorf("%s: got %q; want %s", test.headers, got, test.want)
		}
	}
}

func TestTheBrowserKnowsTheAddress(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	address := proxied(t, via)
	p.Open(address + "/debug/iprof/")
	const command = "document.querySelector('#live code').textContent"
	for end := time.Now().Add(time.Minute); p.Text(command) != "iprof view "+address; {
		if time.Sleep(20 * time.Millisecond); time.Now().After(end) {
			t.Fatalf("got %s; want %s", p.Text(command), address)
		}
	}
}
