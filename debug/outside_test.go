package debug_test

import (
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/remote"
)

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

// TestThePageBehindAPrefix: the page is there also without the last slash. It names an address under which the program
// is found from outside the proxy, or none. Its links stay below the prefix.
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

// TestForwardedHeadersAreText: whatever the headers say, the page has an address of a plain form.
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

// TestTheBrowserKnowsTheAddress: also behind a proxy that names nothing.
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
