package remote_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"example.com/iprof/debug"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/remote"
)

const secret = "sesame-sesame-sesame"

// asked are the requests that a server got.
type asked struct {
	mu  sync.Mutex
	all []string // path and token of each
}

func (a *asked) note(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mu.Lock()
		a.all = append(a.all, r.URL.EscapedPath()+" "+r.Header.Get("Authorization"))
		a.mu.Unlock()
		next.ServeHTTP(w, r)
	})
}

func (a *asked) paths() (all []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, each := range a.all {
		path, _, _ := strings.Cut(each, " ")
		all = append(all, path)
	}
	return all
}

// TestThePathOfAnAddressCounts: a proxy serves a program below /svc-a/. All addresses of it ask there, and the token
// goes to no other place of that host.
func TestThePathOfAnAddressCounts(t *testing.T) {
	p, inner := start(t, "127.0.0.1:0", debug.Server{Token: secret})
	defer p.kill()
	mux := http.NewServeMux()
	to := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: inner})
	to.FlushInterval = -1
	mux.Handle("/svc-a/", http.StripPrefix("/svc-a", to))
	got := new(asked)
	proxy := httptest.NewServer(got.note(mux))
	defer proxy.Close()
	host := proxy.Listener.Addr().String()
	for _, address := range []string{proxy.URL + "/svc-a", proxy.URL + "/svc-a/", proxy.URL + "/svc-a/debug/iprof",
		proxy.URL + "/svc-a/debug/iprof/", proxy.URL + "/svc-a/debug/iprof/tree", proxy.URL + "/x/../svc-a",
		proxy.URL + "/svc-a/debug/iprof/capture?seconds=5#here", host + "/svc-a/debug/iprof/", host + "/svc-a"} {
		r, err := remote.New(address, secret)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if want := host + "/svc-a"; r.Address != want || r.URL("tree") != "http://"+want+"/debug/iprof/tree" {
			t.Errorf("%s: is %s, and its tree %s; want %s", address, r.Address, r.URL("tree"), want)
		}
		c, err := r.Capture(t.Context(), 1)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if b, err := io.ReadAll(io.LimitReader(c, 7)); err != nil || !strings.HasPrefix(string(b), "\x89IPROF") {
			t.Errorf("%s: got %q, %v; want a capture", address, b, err)
		}
		c.Close()
	}
	for _, path := range got.paths() {
		if path != "/svc-a/debug/iprof/capture" {
			t.Errorf("the token went to %s", path)
		}
	}
}

// TestATokenFollowsNoRedirect: neither to another host, nor to another path of the same one. The error has the place.
func TestATokenFollowsNoRedirect(t *testing.T) {
	got := new(asked)
	thief := httptest.NewServer(got.note(http.NotFoundHandler()))
	defer thief.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{thief.URL + "/debug/iprof/capture", "/svc-b/debug/iprof/capture", "../../x"} {
			redirects := new(asked)
			s := httptest.NewServer(redirects.note(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", to)
				w.WriteHeader(status)
			})))
			r := must.Get(remote.New(s.URL+"/svc-a", secret))(t)
			if _, err := r.Capture(t.Context(), 1); err == nil || !strings.Contains(err.Error(), to) {
				t.Errorf("%d to %s: got %v; want an error that names it", status, to, err)
			}
			if _, err := r.Command(t.Context(), "reset"); err == nil {
				t.Errorf("%d to %s: a command got no error", status, to)
			}
			if n := len(redirects.paths()); n != 2 {
				t.Errorf("%d to %s: %d requests; want 2", status, to, n)
			}
			s.Close()
		}
	}
	if len(got.all) > 0 {
		t.Errorf("another host was asked: %q", got.all)
	}
}

func TestAddressesAreToldFromFiles(t *testing.T) {
	for argument, want := range map[string]bool{"localhost:6061": true, ":6061": true, "http://x": true,
		"[::1]:80": true, "game.iprof": false, "C:\\game.iprof": false, "a:b": false, "": false, "host:99999": true,
		"host:80/svc": true, "::1:80": true, "::1": true, "127.0.0.1": false, "traces/a:80": false} {
		if got := remote.Is(argument); got != want {
			t.Errorf("%q: got %v", argument, got)
		}
	}
}

// TestARefusedAddressShowsTheRightForm: the error says what to write in its place.
func TestARefusedAddressShowsTheRightForm(t *testing.T) {
	for bad, want := range map[string]string{"game": "HOST:PORT", "http://": "HOST:PORT", "http://:80/": "HOST:PORT",
		"http://user@host:1": "IPROF_TOKEN", strings.Repeat("x", 1000) + ":1": "HOST:PORT",
		"localhost:99999": "1 to 65535", "http://localhost:99999/": "1 to 65535", "localhost:0": "1 to 65535",
		"::1:7179": " [::1]:7179", "fe80::1": " [fe80::1]:6061", "http://host/?tenant=a": "from ? on",
		"http://host/svc?x#y": "from ? on", "host:80:90/x": "HOST:PORT"} {
		if _, err := remote.New(bad, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: got %v; want %q", bad, err, want)
		}
	}
	for bad, want := range map[string]string{"7179": " :7179", "::1:7179": " [::1]:7179", "::1": " [::1]:6061",
		"[::1]": " [::1]:6061", "localhost": " localhost:6061", "http://localhost:7179": "without http://",
		":99999": "1 to 65535", "localhost:": "1 to 65535", "localhost:nobody-has-it": "1 to 65535", "": "HOST:PORT"} {
		if _, _, err := remote.HostPort(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: got %v; want %q", bad, err, want)
		}
	}
	for good, want := range map[string][2]string{":7179": {"", "7179"}, "[::1]:0": {"::1", "0"},
		"localhost:http": {"localhost", "http"}, "0.0.0.0:080": {"0.0.0.0", "80"}} {
		if host, port, err := remote.HostPort(good); err != nil || (host != want[0] || port != want[1]) {
			t.Errorf("%q: got %q, %q, %v", good, host, port, err)
		}
	}
}
